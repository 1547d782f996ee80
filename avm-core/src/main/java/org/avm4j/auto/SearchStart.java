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
 */
record SearchStart(
    Task task, Labels labels, int rows, boolean isFinal, Optional<Candidate> present) {
  private static final String PRESENT = "present";

  void encode(Encoder out) {
    task.encode(out);
    labels.encode(out);
    out.int32(rows);
    out.bool(isFinal);
    present.ifPresent(settings -> out.section(PRESENT, settings::encode));
  }

  static SearchStart decode(Decoder in) throws ModelFileException {
    return new SearchStart(
        Task.decode(in),
        Labels.decode(in),
        in.int32("the rows of a search", 1 << 20),
        in.bool(),
        in.hasSection(PRESENT)
            ? Optional.of(in.section(PRESENT, Candidate::decode))
            : Optional.empty());
  }
}
