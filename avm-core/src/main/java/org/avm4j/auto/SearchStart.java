package org.avm4j.auto;

import java.util.Optional;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Labels;

/**
 * What a search begins with.
 *
 * @param task what is learned
 * @param labels how labels are learned
 * @param rows the number of rows that are kept
 * @param isFinal whether the settings that are found are to stay
 * @param present the settings that others must beat; empty where those that are found take over
 * @param origin the settings from which others are reached step by step; empty where all are tried
 */
record SearchStart(
    Task task,
    Labels labels,
    int rows,
    boolean isFinal,
    Optional<Candidate> present,
    Optional<Candidate> origin) {
  private static final String PRESENT = "present";
  private static final String ORIGIN = "origin";

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    out.int32(rows);
    out.bool(isFinal);
    present.ifPresent(settings -> out.section(PRESENT, settings::encode));
    origin.ifPresent(settings -> out.section(ORIGIN, settings::encode));
  }

  static SearchStart decode(Decoder in) throws ModelFileException {
    return new SearchStart(
        Task.decode(in),
        Labels.decode(in),
        in.int32("the rows of a search", 1 << 20),
        in.bool(),
        settings(in, PRESENT),
        settings(in, ORIGIN));
  }

  private static Optional<Candidate> settings(Decoder in, String name) throws ModelFileException {
    return in.hasSection(name)
        ? Optional.of(in.section(name, Candidate::decode))
        : Optional.empty();
  }
}
