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

/** How the learner of a new key is made. An immutable value that travels with the job. */
public final class LearnerRecipe implements Serializable {
  private static final long serialVersionUID = 1L;

  private final LinkedHashMap<String, String> words;
  private final byte[] bytes;

  private LearnerRecipe(Map<String, String> words, byte[] bytes) {
    this.words = new LinkedHashMap<>(words);
    this.bytes = bytes;
    create();
  }

  /** Automatic mode, which chooses all from the rows of a key. */
  public static LearnerRecipe automatic() {
    return of(LearnerSpec.automatic());
  }

  /** Learners by a specification, which must give all that only data could tell. */
  public static LearnerRecipe of(LearnerSpec spec) {
    return new LearnerRecipe(spec.words(), null);
  }

  /** Every key goes on from a saved learner. */
  public static LearnerRecipe warmStart(Path file) throws IOException {
    return warmStart(Files.readAllBytes(file));
  }

  /** Every key goes on from a saved learner. */
  public static LearnerRecipe warmStart(byte[] learner) {
    return new LearnerRecipe(Map.of(), learner.clone());
  }

  /** A learner for a new key. */
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
