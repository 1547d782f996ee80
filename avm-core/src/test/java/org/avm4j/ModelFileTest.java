package org.avm4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModelFileTest {
  @TempDir Path folder;

  static List<AvmOptions> forms() {
    return List.of(
        AvmOptions.binary().output(Output.suffix(0.5)).build(),
        AvmOptions.binary()
            .loss(Loss.smoothHinge(0.7))
            .kernel(Kernel.matern32(0.5))
            .coverage(Coverage.rectangle(0.4))
            .approximation(Approximation.decaying(2, 0.9))
            .maxSize(50, Limit.DROP)
            .build(),
        AvmOptions.multiclass()
            .task(Task.multiclass(2, 1))
            .loss(Loss.logistic())
            .kernel(Kernel.matern52(1))
            .approximation(Approximation.whenConfident())
            .output(Output.average())
            .build(),
        AvmOptions.multiclass().kernel(Kernel.laplacian(1)).build(),
        AvmOptions.regression().yMax(2).seed(-5).build(),
        AvmOptions.regression()
            .loss(Loss.absolute())
            .kernel(Kernel.rationalQuadratic(3))
            .approximation(Approximation.never())
            .build(),
        AvmOptions.regression().loss(Loss.epsilonInsensitive(0.01)).build(),
        AvmOptions.multiclass().update(Update.newton(0.5)).maxSize(20, Limit.APPROXIMATE).build(),
        AvmOptions.binary()
            .forgetting(Forgetting.horizon(40))
            .classWeights(ClassWeights.of(Map.of(-1.0, 0.5, 1.0, 3.0)))
            .build(),
        AvmOptions.multiclass()
            .update(Update.newton(0.5))
            .forgetting(Forgetting.auto())
            .classWeights(ClassWeights.balanced())
            .build(),
        AvmOptions.multiclass()
            .update(Update.newton(0.5))
            .coverage(Coverage.sphere(0.1))
            .maxSize(20, Limit.MERGE)
            .build());
  }

  private static Avm learned(AvmOptions options) {
    Avm avm = new Avm(options);
    for (Instance instance : Streams.of(options.task(), 150, 3, 1)) {
      avm.learn(instance.features(), instance.label());
    }
    return avm;
  }

  private static byte[] bytes(OnlineLearner learner) {
    Encoder out = new Encoder();
    learner.encode(out);
    return ModelFile.frame(learner.kind(), out.toBytes());
  }

  private static Avm parse(byte[] bytes) throws ModelFileException {
    return ModelFile.parse(bytes).read(Map.of(Avm.KIND, Avm::decode));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aSavedLearnerIsTheLearner(AvmOptions options) throws IOException {
    Path file = folder.resolve("learner.avm");
    Avm avm = learned(options);
    avm.save(file);
    Avm loaded = Avm.load(file);
    assertThat(loaded.options()).isEqualTo(options);
    assertThat(loaded.provenance()).isEqualTo(avm.provenance());
    assertThat(bytes(loaded)).isEqualTo(bytes(avm));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aSavedModelIsTheModel(AvmOptions options) throws IOException {
    Path file = folder.resolve("model.avm");
    AvmModel model = learned(options).snapshot();
    model.save(file);
    AvmModel loaded = AvmModel.load(file);
    assertThat(loaded.provenance()).isEqualTo(model.provenance());
    assertThat(loaded.classes()).isEqualTo(model.classes());
    for (Instance instance : Streams.of(options.task(), 50, 3, 2)) {
      assertThat(loaded.score(instance.features())).isEqualTo(model.score(instance.features()));
      assertThat(loaded.predict(instance.features())).isEqualTo(model.predict(instance.features()));
    }
  }

  @Test
  void theModelCanBeReadFromALearnersFile() throws IOException {
    Path file = folder.resolve("learner.avm");
    Avm avm = learned(forms().get(0));
    avm.save(file);
    Features probe = Features.dense(0.1, 0.2, 0.3);
    assertThat(AvmModel.load(file).score(probe)).isEqualTo(avm.snapshot().score(probe));
  }

  @Test
  void eachWayToBeUnusableHasItsSentence() throws IOException {
    Path file = folder.resolve("model.avm");
    byte[] good = bytes(learned(forms().get(0)));
    refused(file, "AVM for Java".getBytes(), "not an AVM model file");
    refused(file, new byte[0], "truncated: 0 bytes");
    refused(file, Arrays.copyOf(good, 10), "truncated: 10 bytes are left");
    refused(file, Arrays.copyOf(good, good.length - 1), "truncated: ", " bytes of " + good.length);
    refused(file, Arrays.copyOf(good, good.length + 1), "goes on after its end");
    byte[] altered = good.clone();
    altered[good.length / 2] ^= 1;
    refused(file, altered, "checksum does not match");
    byte[] newer = good.clone();
    ByteBuffer.wrap(newer).putInt(8, 3);
    refused(file, newer, "format version 3 is unknown, this library reads versions 1 to 2");
    refused(file, ModelFile.frame("other", new byte[0]), "holds 'other', expected avm-learner");
    refused(file, ModelFile.frame(Avm.KIND, new byte[0]), "damaged content");
  }

  private static void refused(Path file, byte[] bytes, String... parts) throws IOException {
    Files.write(file, bytes);
    assertThatThrownBy(() -> Avm.load(file))
        .isInstanceOf(ModelFileException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContainingAll(parts);
  }

  @Test
  void aHundredThousandMutationsAreRefusedOrHarmless() throws ModelFileException {
    byte[] good = bytes(learned(forms().get(1)));
    SplitMix random = new SplitMix(17);
    for (int i = 0; i < 100_000; i++) {
      byte[] bad = mutated(good, random);
      try {
        assertThat(bytes(parse(bad))).isEqualTo(good);
      } catch (ModelFileException refused) {
        assertThat(refused.getMessage()).isNotBlank();
      }
    }
  }

  @Test
  void mutationsBehindAValidChecksumAreRefusedOrUsable() {
    for (AvmOptions form : forms()) {
      Encoder out = new Encoder();
      learned(form).encode(out);
      byte[] good = out.toBytes();
      SplitMix random = new SplitMix(23);
      for (int i = 0; i < 3_000; i++) {
        byte[] bad = ModelFile.frame(Avm.KIND, mutated(good, random));
        assertThatCode(() -> useIfReadable(bad)).doesNotThrowAnyException();
      }
    }
  }

  private static void useIfReadable(byte[] bytes) {
    try {
      Avm avm = parse(bytes);
      avm.score(Features.dense(0.1, 0.2, 0.3));
      avm.snapshot();
    } catch (ModelFileException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  private static byte[] mutated(byte[] good, SplitMix random) {
    byte[] bad =
        switch (random.nextInt(4)) {
          case 0 -> Arrays.copyOf(good, random.nextInt(good.length));
          case 1 -> Arrays.copyOf(good, good.length + 1 + random.nextInt(64));
          default -> good.clone();
        };
    int flips = 1 + random.nextInt(4);
    for (int i = 0; i < flips && bad.length > 0; i++) {
      int at = random.nextInt(random.nextInt(2) == 0 ? Math.min(200, bad.length) : bad.length);
      bad[at] = random.nextInt(3) == 0 ? (byte) (random.nextInt(2) - 1) : (byte) random.nextLong();
    }
    return bad;
  }

  @Test
  void nothingIsLeftBehindWhenAFileCannotBeWritten() throws IOException {
    Path folderInTheWay = Files.createDirectories(folder.resolve("model.avm").resolve("x"));
    Avm avm = learned(forms().get(0));
    assertThatThrownBy(() -> avm.save(folderInTheWay.getParent())).isInstanceOf(IOException.class);
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(folderInTheWay.getParent());
    }
  }

  /** Files of every released version stay readable for ever; a new version adds a file here. */
  @Test
  void aFileOfVersionOneIsStillRead() throws IOException {
    try (InputStream in = ModelFileTest.class.getResourceAsStream("/models/learner-v1.avm")) {
      byte[] bytes = in.readAllBytes();
      Avm avm = parse(bytes);
      assertThat(avm.options()).isEqualTo(forms().get(2));
      assertThat(avm.instances()).isEqualTo(150);
      Features probe = Features.dense(0.1, 0.2, 0.3);
      double[] fresh = learned(forms().get(2)).score(probe);
      assertThat(avm.score(probe)).containsExactly(fresh, within(1e-3));
    }
  }
}
