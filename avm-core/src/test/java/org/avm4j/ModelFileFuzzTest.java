package org.avm4j;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Map;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/** Hostile content behind a valid frame: refused in a sentence, or a learner that works. */
class ModelFileFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void aLearnerIsRefusedOrUsable(byte[] content) {
    try {
      Avm avm =
          ModelFile.parse(ModelFile.frame(Avm.KIND, content)).read(Map.of(Avm.KIND, Avm::decode));
      avm.score(Features.dense(0.1, 0.2));
      avm.snapshot().score(Features.dense(0.1, 0.2));
    } catch (ModelFileException refused) {
      // One sentence, nothing more.
    }
  }

  @FuzzTest(maxDuration = "60s")
  void aFrameIsRefusedOrRead(byte[] bytes) {
    try {
      ModelFile.parse(bytes).kind();
    } catch (ModelFileException refused) {
      // One sentence, nothing more.
    }
  }
}
