/**
 * Why an answer is what it is: the columns that moved the answer to a row, the core points near it,
 * and how much a model leans on each column.
 *
 * <p>All of it works through {@link org.avm4j.Model}, whatever the model is made of, and speaks of
 * the columns of the data: the features of a category, a date or a text belong to one column.
 */
package org.avm4j.explain;
