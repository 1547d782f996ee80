/**
 * A run over files or a stream: look at the data, prepare it, answer and learn row by row, keep
 * checkpoints, and report. Nothing is printed here: a {@link org.avm4j.run.RunListener} is told,
 * and values are returned.
 */
package org.avm4j.run;
