package org.avm4j.lab.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.codec.Encoder;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;

/**
 * The same seed gives the same bits for every baseline, as {@code SameBitsTest} has it for the
 * learners of the core: fingerprints of what each has learned are on record, and {@code
 * -Dbits.update=true} writes them anew.
 */
class BaselineBitsTest {
  private static final Path FILE = Path.of("src/test/resources/bits/baselines.txt");
  private static final int ROWS = 200;

  @Test
  void aBaselineHasTheFingerprintOnRecord() throws Exception {
    List<String> found = new ArrayList<>();
    for (BaselineOptions form : BaselineContractTest.forms().toList()) {
      String name = form.method().id() + "-" + form.task().word();
      String variant = form.toolbox() ? "-toolbox" : "";
      found.add(name + variant + " " + fingerprint(learned(form)));
    }
    if (Boolean.getBoolean("bits.update")) {
      Files.createDirectories(FILE.getParent());
      Files.write(FILE, found);
    }
    assertThat(found).isEqualTo(Files.readAllLines(FILE));
  }

  /** The scores before each step; products and sums alone make the rows. */
  private static byte[] learned(BaselineOptions form) {
    OnlineLearner learner = Baselines.create(form);
    SplitMix random = new SplitMix(7);
    Encoder out = new Encoder();
    for (int t = 0; t < ROWS; t++) {
      double a = 2 * random.getAsDouble() - 1;
      double b = 2 * random.getAsDouble() - 1;
      Features x = Features.dense(a, b, random.getAsDouble());
      double surface = a * b - 0.2 * a;
      out.doubles(learner.score(x), learner.columns());
      learner.learn(x, label(form.task(), surface));
    }
    return out.toBytes();
  }

  private static double label(Task task, double surface) {
    return switch (task.kind()) {
      case REGRESSION -> surface;
      case BINARY -> surface < 0 ? -1 : 1;
      default -> surface < 0 ? 1 : surface < 0.2 ? 2 : 3;
    };
  }

  private static String fingerprint(byte[] content) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
  }
}
