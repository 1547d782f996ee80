package org.avm4j.io;

/**
 * A column with the time of a row.
 *
 * @param name its name
 * @param goesUp whether it ascends from row to row, as in a log file
 * @param goesDown whether it descends from row to row, as in a file with the latest row first
 * @param late the latest rows, if the user gave the column and it is not sorted; else null
 */
public record TimeColumn(String name, boolean goesUp, boolean goesDown, LateRows late) {}
