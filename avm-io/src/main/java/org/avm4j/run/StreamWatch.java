package org.avm4j.run;

import java.util.Optional;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.InstanceReader;
import org.avm4j.data.Schema;
import org.avm4j.eval.Prequential;
import org.avm4j.explain.DriftMonitor;
import org.avm4j.explain.ImportanceHistory;
import org.avm4j.pipeline.Pipeline;

/**
 * Optional observations along a run: rises of the error and what changed in the data, which columns
 * matter in each part of the stream, and the latest answers with their intervals.
 *
 * <p>In a checkpoint, a section for each of them that is enabled: {@code drift}, {@code columns}
 * and {@code band}.
 */
final class StreamWatch {
  private static final String DRIFT = "drift";
  private static final String COLUMNS = "columns";
  private static final String BAND = "band";

  private DriftMonitor drift;
  private ImportanceHistory columns;
  private AnswerBand band;

  /** Watches for rises of the error from now on. */
  void explain(DriftMonitor monitor) {
    drift = monitor;
  }

  /** Measures the importance of columns from now on. */
  void measure(ImportanceHistory history) {
    columns = history;
  }

  Optional<DriftMonitor> drift() {
    return Optional.ofNullable(drift);
  }

  Optional<ImportanceHistory> columns() {
    return Optional.ofNullable(columns);
  }

  /** The latest answers with their intervals, if certainty is enabled. */
  Optional<AnswerBand> band() {
    return Optional.ofNullable(band);
  }

  /** Adds a row that was answered. */
  void add(InstanceReader row, Prequential evaluation, Pipeline pipeline) {
    pipeline.certaintyLevel().ifPresent(level -> addToBand(level, row.label(), evaluation));
    try {
      if (drift != null) {
        drift.add(row.features(), row.label(), evaluation.answer());
      }
      if (columns != null) {
        columns.add(row.features(), row.label(), pipeline::snapshot);
      }
    } catch (IllegalArgumentException refused) {
      // The learner refuses the row, too, when its label is due.
    }
  }

  private void addToBand(double level, double label, Prequential evaluation) {
    band = band == null ? new AnswerBand(level) : band;
    long row = evaluation.metrics().instances();
    evaluation.prediction().ifPresent(answer -> band.add(row, label, answer));
  }

  /** Ends the observations at the end of the stream. */
  void finish() {
    if (drift != null) {
      drift.finish();
    }
  }

  void encode(Encoder out) {
    out.optional(DRIFT, drift, DriftMonitor::encode);
    out.optional(COLUMNS, columns, ImportanceHistory::encode);
    out.optional(BAND, band, AnswerBand::encode);
  }

  static StreamWatch decode(Decoder in, Schema names) throws ModelFileException {
    StreamWatch found = new StreamWatch();
    found.drift = in.optional(DRIFT, part -> DriftMonitor.decode(part, names)).orElse(null);
    found.columns =
        in.optional(COLUMNS, part -> ImportanceHistory.decode(part, names)).orElse(null);
    found.band = in.optional(BAND, AnswerBand::decode).orElse(null);
    return found;
  }
}
