/** Learning and scoring for Flink's Table API and SQL. */
package org.avm4j.flink.table;
