package org.avm4j.flink.table;

import org.apache.flink.table.api.Table;

/**
 * What comes of a table that learns. The tables belong to one job: write them by one {@code
 * StatementSet}, else each of them learns all rows for itself.
 *
 * @param answers as {@link AvmTables#learn} tells
 * @param refused {@code row}, {@code kind} and {@code reason} of each row and label that could not
 *     be used; nothing was learned from it
 * @param rowsWithoutLabel {@code key} and {@code id} of rows whose label did not come in time; of
 *     rows that bring their label none
 * @param labelsWithoutRow {@code key}, {@code id} and {@code label} of labels whose row did not
 *     come in time
 */
public record LearnedTables(
    Table answers, Table refused, Table rowsWithoutLabel, Table labelsWithoutRow) {}
