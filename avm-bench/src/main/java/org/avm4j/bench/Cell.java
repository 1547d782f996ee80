package org.avm4j.bench;

import java.util.stream.Stream;

/**
 * A unit of measurement: one learner on one stream.
 *
 * @param stream the name of the stream
 * @param order the order of its rows: file, shuffle-SEED or split-SEED
 * @param most the most rows that count
 * @param learner the name of the contestant
 * @param delay the number of answers between the answer to a row and its label
 * @param labels the percentage of rows whose label becomes known
 * @param build the version of the contestant
 */
record Cell(
    String stream, String order, int most, String learner, int delay, int labels, String build) {
  /** The same with late or rare labels. */
  Cell with(int otherDelay, int otherLabels) {
    return new Cell(stream, order, most, learner, otherDelay, otherLabels, build);
  }

  boolean isSplit() {
    return order.startsWith(Streams.SPLIT);
  }

  /** The stream in its order, for people. */
  String block() {
    return order.equals(Streams.FILE) ? stream : stream + " " + order;
  }

  /** The fields that identify a cell, in the order of the file of results. */
  Stream<Object> fields() {
    return Stream.of(stream, order, most, learner, delay, labels, build);
  }

  /** Whether row t is drawn to get its label, the same rows on every machine. */
  boolean isDrawn(int t) {
    return labels == 100 || ((t + 1) * 0x9E3779B97F4A7C15L >>> 32) % 100 < labels;
  }
}
