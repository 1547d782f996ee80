package org.avm4j.auto;

import java.util.Optional;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.pipeline.Labels;

/**
 * The input of a search.
 *
 * @param task the task
 * @param labels how labels are learned
 * @param rows the number of stored rows when the search starts
 * @param isFinal whether this is the last search, so that its settings stay
 * @param present the settings that a rival must beat; empty if the settings found are used in any
 *     case
 * @param origin the candidate with which the search starts; empty if it starts with all
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
        in.optional(PRESENT, Candidate::decode),
        in.optional(ORIGIN, Candidate::decode));
  }
}
