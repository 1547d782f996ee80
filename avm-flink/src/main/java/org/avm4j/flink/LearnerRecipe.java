package org.avm4j.flink;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.spec.DefaultRules;
import org.avm4j.spec.LearnerSpec;

/** Creates the learner of a new key. Immutable and serializable, as a part of the job. */
public final class LearnerRecipe implements Serializable {
  private static final long serialVersionUID = 1L;

  private final LinkedHashMap<String, String> words;
  private final byte[] bytes;

  private LearnerRecipe(Map<String, String> words, byte[] bytes) {
    this.words = new LinkedHashMap<>(words);
    this.bytes = bytes;
    create();
  }

  /** Automatic mode, which chooses all settings from the rows of a key. */
  public static LearnerRecipe automatic() {
    return of(LearnerSpec.automatic());
  }

  /** Learners by a specification, which must not need a survey of the data. */
  public static LearnerRecipe of(LearnerSpec spec) {
    return new LearnerRecipe(spec.words(), null);
  }

  /** Every key starts from the learner in a file. */
  public static LearnerRecipe warmStart(Path file) throws IOException {
    return warmStart(Files.readAllBytes(file));
  }

  /** Every key starts from a saved learner, given by its bytes. */
  public static LearnerRecipe warmStart(byte[] learner) {
    return new LearnerRecipe(Map.of(), learner.clone());
  }

  /** Creates the learner of a new key. */
  public Pipeline create() {
    return bytes == null
        ? new DefaultRules(LearnerSpec.of(words)).pipeline()
        : LearnerState.decode(bytes);
  }

  @Override
  public String toString() {
    return bytes != null ? "warm start" : words.isEmpty() ? "automatic" : words.toString();
  }
}
