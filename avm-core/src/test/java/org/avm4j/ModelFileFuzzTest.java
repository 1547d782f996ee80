package org.avm4j;

import com.code_intelligence.jazzer.junit.FuzzTest;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;

/**
 * Hostile content behind a valid frame: refused in a sentence, or a learner that works. The inputs
 * beside the tests are those that once broke something, and a good one of each kind to start from.
 */
class ModelFileFuzzTest {
  @FuzzTest(maxDuration = "60s")
  void aLearnerIsRefusedOrUsable(byte[] content) {
    HostileBytes.useIfReadable(ModelFile.frame(Avm.KIND, content));
  }

  @FuzzTest(maxDuration = "60s")
  void aFileIsRefusedOrUsable(byte[] payload) {
    HostileBytes.useIfReadable(HostileBytes.framed(2, payload));
  }

  @FuzzTest(maxDuration = "60s")
  void aFileOfVersionOneIsRefusedOrUsable(byte[] payload) {
    HostileBytes.useIfReadable(HostileBytes.framed(1, payload));
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
