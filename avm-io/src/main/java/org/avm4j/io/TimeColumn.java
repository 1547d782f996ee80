package org.avm4j.io;

/**
 * A column with the time of a row.
 *
 * @param name its name
 * @param goesUp whether it goes up from row to row, as in a file to which rows are added
 * @param goesDown whether it goes down from row to row, as in a file with the latest row first
 * @param late which rows are the latest, if the column was asked for by name and is not sorted;
 *     else null
 */
public record TimeColumn(String name, boolean goesUp, boolean goesDown, LateRows late) {}
