/**
 * A run over files or a stream: survey the data, prepare it, answer and learn row by row, write
 * checkpoints, and report. Nothing is printed here: progress goes to a {@link
 * org.avm4j.run.RunListener}, and results are returned.
 */
package org.avm4j.run;
