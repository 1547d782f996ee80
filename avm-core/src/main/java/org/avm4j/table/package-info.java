/** Learners and models of tables, whose rows are values by column name. */
package org.avm4j.table;
