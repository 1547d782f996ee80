package org.avm4j.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import libsvm.svm;
import libsvm.svm_model;
import libsvm.svm_node;
import libsvm.svm_parameter;
import libsvm.svm_problem;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.Scaler;
import org.avm4j.pipeline.Pipeline;
import org.avm4j.pipeline.PreparedModel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A model of LIBSVM answers here as there. */
class LibsvmImportTest {
  @TempDir Path folder;

  @BeforeAll
  static void quiet() {
    svm.svm_set_print_string_function(text -> {});
  }

  private svm_model train(int type, List<Instance> rows, Path file) throws IOException {
    svm_problem problem = new svm_problem();
    problem.l = rows.size();
    problem.y = rows.stream().mapToDouble(Instance::label).toArray();
    problem.x =
        rows.stream().map(row -> LibsvmExportTest.nodes(row.features())).toArray(svm_node[][]::new);
    svm_parameter parameter = new svm_parameter();
    parameter.svm_type = type;
    parameter.kernel_type = svm_parameter.RBF;
    parameter.gamma = 4;
    parameter.C = 10;
    parameter.nu = 0.3;
    parameter.p = 0.1;
    parameter.eps = 1e-3;
    parameter.cache_size = 20;
    svm_model model = svm.svm_train(problem, parameter);
    svm.svm_save_model(file.toString(), model);
    return svm.svm_load_model(file.toString());
  }

  @Test
  void twoClassesWhicheverComesFirst() throws IOException {
    Path file = folder.resolve("svm.model");
    for (int type : new int[] {svm_parameter.C_SVC, svm_parameter.NU_SVC}) {
      for (int order : new int[] {1, -1}) {
        List<Instance> rows =
            Streams.signs(400, 1).stream()
                .map(row -> new Instance(row.features(), 5 + order * row.label()))
                .toList();
        svm_model theirs = train(type, rows, file);
        PreparedModel ours = LibsvmImport.read(file, null);
        for (Instance row : Streams.signs(2000, 2)) {
          assertThat(ours.predict(row.features()))
              .isEqualTo(svm.svm_predict(theirs, LibsvmExportTest.nodes(row.features())));
        }
      }
    }
  }

  @Test
  void regression() throws IOException {
    Path file = folder.resolve("svm.model");
    for (int type : new int[] {svm_parameter.EPSILON_SVR, svm_parameter.NU_SVR}) {
      svm_model theirs = train(type, Streams.waves(300, 3), file);
      PreparedModel ours = LibsvmImport.read(file, null);
      for (Instance row : Streams.waves(1000, 4)) {
        assertThat(ours.predict(row.features()))
            .isCloseTo(
                svm.svm_predict(theirs, LibsvmExportTest.nodes(row.features())), within(1e-4));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {svm_parameter.C_SVC, svm_parameter.NU_SVC})
  void severalClassesByVotesOfPairs(int type) throws Exception {
    Path file = folder.resolve("svm.model");
    double[] labels = {7, 3, 11, 5};
    List<Instance> rows =
        Streams.spirals(500, 4, 1).stream()
            .map(row -> new Instance(row.features(), labels[(int) row.label()]))
            .toList();
    svm_model theirs = train(type, rows, file);
    PreparedModel ours = LibsvmImport.read(file, null);
    ours.save(folder.resolve("m.avm"));
    PreparedModel loaded = PreparedModel.load(folder.resolve("m.avm"));
    List<Features> asked = Streams.spirals(3000, 4, 2).stream().map(Instance::features).toList();
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(ours))) {
      long[] exported = (long[]) runtime.run(asked).get("label");
      for (int r = 0; r < asked.size(); r++) {
        double label = svm.svm_predict(theirs, LibsvmExportTest.nodes(asked.get(r)));
        assertThat(ours.predict(asked.get(r))).isEqualTo(label);
        assertThat(loaded.predict(asked.get(r))).isEqualTo(label);
        assertThat((double) exported[r]).isEqualTo(label);
      }
    }
    assertThat(ours.classes()).containsExactly(3, 5, 7, 11);
    assertThatThrownBy(() -> LibsvmImport.warmStart(ours)).hasMessageContaining("two classes");
    assertThatThrownBy(() -> LibsvmExport.write(ours, file)).hasMessageContaining("votes");
    JsonExport.write(ours, folder.resolve("m.json"));
    assertThat(Files.readString(folder.resolve("m.json")))
        .contains("\"form\":\"votes\"", "\"pairs\":[[");
  }

  @Test
  void oneClassIsADetectorOfAnomalies() throws Exception {
    Path file = folder.resolve("svm.model");
    svm_model theirs = train(svm_parameter.ONE_CLASS, Streams.signs(400, 1), file);
    PreparedModel ours = LibsvmImport.read(file, null);
    ours.save(folder.resolve("m.avm"));
    PreparedModel loaded = PreparedModel.load(folder.resolve("m.avm"));
    LibsvmExport.write(loaded, file);
    svm_model again = svm.svm_load_model(file.toString());
    List<Features> asked = Streams.signs(2000, 2).stream().map(Instance::features).toList();
    int anomalies = 0;
    try (Runtime runtime = new Runtime(OnnxExport.toBytes(ours))) {
      long[] exported = (long[]) runtime.run(asked).get("label");
      for (int r = 0; r < asked.size(); r++) {
        double label = -svm.svm_predict(theirs, LibsvmExportTest.nodes(asked.get(r)));
        assertThat(loaded.predict(asked.get(r))).isEqualTo(label);
        assertThat((double) exported[r]).isEqualTo(label);
        assertThat(-svm.svm_predict(again, LibsvmExportTest.nodes(asked.get(r)))).isEqualTo(label);
        anomalies += label > 0 ? 1 : 0;
      }
    }
    assertThat(anomalies).isBetween(100, 1900);
    assertThat(ours.labelText(ours.answer(Features.dense(9, 9)))).isEqualTo("1");
  }

  @Test
  void aModelOfVotesThatDoesNotAddUpIsRefused() {
    String three =
        "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 3\ntotal_sv 3\nrho 0.1 0.2 0.3\n"
            + "label 1 2 3\nnr_sv 1 1 1\nSV\n1 1 1:1 \n-1 1 1:2 \n-1 -1 1:3 \n";
    assertThatThrownBy(() -> parse(three.replace("nr_sv 1 1 1", "nr_sv 1 1 2")))
        .hasMessage("svm.model:8: nr_sv must be numbers that add up to 3, found '1'");
    assertThatThrownBy(() -> parse(three.replace("label 1 2 3", "label 1 2 2")))
        .hasMessage("svm.model:7: label must be a different label for each class, found '1'");
    assertThatThrownBy(() -> parse(three.replace("rho 0.1 0.2 0.3", "rho 0.1 0.2")))
        .hasMessageStartingWith("svm.model:6: rho must be a number");
    assertThatThrownBy(() -> parse(three.replace("-1 1 1:2", "-1 1:2")))
        .hasMessage("svm.model:11: expected a coefficient, found '1:2'");
  }

  @Test
  void itIsSavedAndExportedAgain() throws IOException {
    Path file = folder.resolve("svm.model");
    train(svm_parameter.C_SVC, Streams.signs(400, 1), file);
    PreparedModel ours = LibsvmImport.read(file, null);
    ours.save(folder.resolve("m.avm"));
    PreparedModel loaded = PreparedModel.load(folder.resolve("m.avm"));
    LibsvmExport.write(loaded, folder.resolve("again.model"));
    PreparedModel again = LibsvmImport.read(folder.resolve("again.model"), null);
    for (Instance row : Streams.signs(500, 2)) {
      assertThat(loaded.score(row.features())).isEqualTo(ours.score(row.features()));
      assertThat(again.score(row.features())[0])
          .isCloseTo(ours.score(row.features())[0], within(1e-9));
    }
  }

  @Test
  void aRangeFileScalesTheRows() throws IOException {
    Path file = folder.resolve("svm.model");
    svm_model theirs = train(svm_parameter.C_SVC, Streams.signs(400, 1), file);
    Path range = folder.resolve("range");
    Files.writeString(range, "x\n-1 1\n1 -10 10\n2 0 20\n3 7 7\n");
    PreparedModel ours = LibsvmImport.read(file, range);
    for (Instance row : Streams.signs(500, 2)) {
      double a = row.features().get(0);
      double b = row.features().get(1);
      Features unscaled = Features.dense(10 * a, 10 * b + 10, 3);
      assertThat(ours.predict(unscaled))
          .isEqualTo(svm.svm_predict(theirs, LibsvmExportTest.nodes(Features.dense(a, b))));
    }
    Files.writeString(range, "x\n-1 1\n1 a 10\n");
    assertThatThrownBy(() -> LibsvmImport.read(file, range))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining("range:3: expected index, least and largest value, found '1 a 10'");
  }

  @Test
  void aWarmStartAnswersTheSameUntilItLearnsAndThenBetter() throws IOException {
    Path file = folder.resolve("svm.model");
    train(svm_parameter.C_SVC, Streams.signs(60, 1), file);
    PreparedModel cold = LibsvmImport.read(file, null);
    Pipeline warm = LibsvmImport.warmStart(cold);
    List<Instance> test = Streams.signs(2000, 2);
    for (Instance row : test) {
      assertThat(warm.score(row.features())[0])
          .isCloseTo(cold.score(row.features())[0], within(1e-9));
    }
    Streams.learned(warm, Streams.signs(1000, 3));
    assertThat(mistakes(warm.snapshot(), test)).isLessThan(mistakes(cold, test) / 2);
    Pipeline again = warm.copy();
    Streams.learned(again, test);
    Streams.learned(warm, test);
    assertThat(again.score(test.get(0).features())).isEqualTo(warm.score(test.get(0).features()));
  }

  private static long mistakes(PreparedModel model, List<Instance> rows) {
    return rows.stream().filter(row -> model.predict(row.features()) != row.label()).count();
  }

  private static final String GOOD =
      "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 3\nrho 0.25\nlabel 1 -1\n"
          + "nr_sv 1 2\nSV\n1 1:0.5 2:-1e-3 \n-0.5 1:2 7:3 \n-0.5 2:1 \n";

  private static PreparedModel parse(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    return LibsvmImport.read("svm.model", new ByteArrayInputStream(bytes), Scaler.none());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c_svc | svr | 1: svm_type must be c_svc, nu_svc, one_class, epsilon_svr or nu_svr",
        "rbf | linear | 2: kernel_type must be rbf, found 'linear'",
        "gamma 0.5 | gamma -1 | 3: gamma must be a number above 0, found '-1'",
        "gamma 0.5 | gamma nan | 3: gamma must be a number within",
        "nr_class 2 | nr_class 1 | 4: nr_class must be a whole number from 2 to 1000, found '1'",
        "nr_class 2 | nr_class 2.5 | 4: nr_class must be a whole number from 2 to 1000",
        "nr_class 2 | nr_class 3 | 10: expected a coefficient, found '1:0.5'",
        "total_sv 3 | total_sv 4 | 5: total_sv must be the number of lines after 'SV', which is 3",
        "label 1 -1 | label 1 | 7: label must be a number",
        "label 1 -1 | label 1 1 | 7: label must be two different labels",
        "1:2 7:3 | 7:3 1:2 | 11: expected index:value with ascending indices",
        "1:2 7:3 | 1:2 x | 11: expected index:value",
        "-0.5 2:1 | 1e999 2:1 | 12: expected a coefficient, found '1e999'",
        "SV | VS | the file ends before its line 'SV'",
        "rho | roh | expected a line 'rho' before 'SV'"
      })
  void aWrongFileIsRefusedWithItsLine(String part, String instead, String why) {
    String bad = GOOD.replaceFirst("(?m)(?<![a-z_])" + part + "(?![a-z_])", instead);
    assertThat(bad).isNotEqualTo(GOOD);
    assertThatThrownBy(() -> parse(bad))
        .isInstanceOf(BadDataException.class)
        .hasMessageStartingWith("svm.model:")
        .hasMessageContaining(why);
  }

  @Test
  void tenThousandMutatedModelsAreReadOrRefused() throws IOException {
    parse(GOOD);
    SplittableRandom random = new SplittableRandom(11);
    int refused = 0;
    for (int i = 0; i < 10_000; i++) {
      String mutated = mutated(GOOD, random);
      try {
        PreparedModel model = parse(mutated);
        assertThat(model.score(Features.dense(1, 2, 3))).doesNotContain(Double.NaN);
      } catch (BadDataException expected) {
        refused++;
      }
    }
    assertThat(refused).isBetween(1000, 9999);
  }

  /** A few bytes or lines changed, removed, doubled or swapped. */
  private static String mutated(String text, SplittableRandom random) {
    StringBuilder changed = new StringBuilder(text);
    for (int n = 1 + random.nextInt(4); n > 0 && changed.length() > 2; n--) {
      int at = random.nextInt(changed.length() - 1);
      int end = Math.min(changed.length(), at + 1 + random.nextInt(12));
      switch (random.nextInt(4)) {
        case 0 -> changed.setCharAt(at, (char) random.nextInt(256));
        case 1 -> changed.delete(at, end);
        case 2 -> changed.insert(at, changed.substring(at, end));
        default ->
            changed.insert(
                at, List.of("9", "e", ":", " ", "\n", "-", "1e308").get(random.nextInt(7)));
      }
    }
    return changed.toString();
  }
}
