package org.avm4j.flink.table;

import org.apache.flink.table.api.Table;

/**
 * The output tables of learning. They belong to one job: write them with one {@code StatementSet},
 * otherwise each of them learns all rows separately.
 *
 * @param answers the answers, as in {@link AvmTables#learn}
 * @param refused {@code row}, {@code kind} and {@code reason} of each row and label that could not
 *     be used; nothing was learned from it
 * @param rowsWithoutLabel {@code key} and {@code id} of rows whose label did not arrive in time;
 *     empty if rows have their labels
 * @param labelsWithoutRow {@code key}, {@code id} and {@code label} of labels whose row did not
 *     arrive in time
 */
public record LearnedTables(
    Table answers, Table refused, Table rowsWithoutLabel, Table labelsWithoutRow) {}
