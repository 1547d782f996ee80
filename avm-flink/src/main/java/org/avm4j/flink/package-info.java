/**
 * Learners as keyed state of Apache Flink: a model for each key or region, frozen models that are
 * swapped while they score, and exact batch training over partitions.
 */
package org.avm4j.flink;
