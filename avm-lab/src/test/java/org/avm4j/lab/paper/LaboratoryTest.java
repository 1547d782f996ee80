package org.avm4j.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.avm4j.lab.Generator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaboratoryTest {
  private static final Plan.Rules TWO_RUNS = new Plan.Rules(2, 1, 1e9, 1e9);

  @TempDir Path folder;
  private DataFolder data;
  private Results results;
  private final List<Experiment> made = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    Tiny.write(folder);
    data = new DataFolder(folder);
    results = new Results(folder.resolve("out"));
  }

  private Plan plan(Plan.Rules rules, List<Study> studies, Contender... contenders) {
    return Plan.of(
        new Plan.Request(studies, List.of(), List.of(contenders)),
        rules,
        Tiny.catalogue(),
        Tiny.settings(),
        data);
  }

  private boolean run(Plan plan) throws Exception {
    made.clear();
    return new Laboratory(plan, data, results, (e, outcome) -> made.add(e)).run(2);
  }

  @Tag("slow")
  @Test
  void everyMethodRunsInEveryStudyItTakesPartIn() throws Exception {
    Plan plan = plan(new Plan.Rules(1, 1, 1e9, 1e9), Arrays.asList(Study.values()));
    assertThat(run(plan)).isTrue();
    assertThat(plan.obstacles()).isEmpty();
    for (Experiment experiment : plan.experiments()) {
      Outcome outcome = results.find(experiment).orElseThrow();
      assertThat(outcome.status()).as(experiment.toString()).isEqualTo(Outcome.Status.DONE);
      assertThat(outcome.metric()).isFinite();
      assertThat(outcome.size()).isPositive();
      assertThat(outcome.seconds()).isPositive();
    }
    assertThat(made).extracting(Experiment::contender).contains(Contender.values());
  }

  @Test
  void theSameSeedGivesTheSameFigures() throws Exception {
    Plan plan = plan(TWO_RUNS, List.of(Study.ONLINE, Study.BATCH), Contender.AVM_HINGE);
    run(plan);
    List<Double> first = figures(plan);
    results = new Results(folder.resolve("again"));
    run(plan);
    assertThat(figures(plan)).isEqualTo(first);
    assertThat(first.get(0)).isNotEqualTo(first.get(4));
  }

  private List<Double> figures(Plan plan) throws IOException {
    List<Double> figures = new ArrayList<>();
    for (Experiment experiment : plan.open(new Results(folder))) {
      figures.add(results.find(experiment).orElseThrow().metric());
    }
    return figures;
  }

  @Test
  void whatIsDoneIsNotMadeAgainButOtherSettingsAre() throws Exception {
    Plan plan = plan(TWO_RUNS, List.of(Study.ONLINE), Contender.FOGD);
    run(plan);
    assertThat(made).hasSize(4);
    results = new Results(folder.resolve("out"));
    run(plan);
    assertThat(made).isEmpty();
    Experiment first = plan.experiments().get(0);
    Experiment other =
        Experiment.of(
            first.study(),
            first.data(),
            first.contender(),
            first.settings().with("gamma", 2),
            Settings.NONE,
            1);
    assertThat(results.find(first)).isPresent();
    assertThat(results.find(other)).isEmpty();
  }

  @Test
  void aSlowMethodHasFewRuns() throws Exception {
    run(plan(new Plan.Rules(5, 2, 0, 1e9), List.of(Study.REGRESSION), Contender.AVM_L1));
    assertThat(made).extracting(Experiment::seed).containsExactlyInAnyOrder(1L, 2L);
  }

  @Test
  void aRunOverItsLimitIsReportedAndNotRepeated() throws Exception {
    Plan plan =
        plan(
            new Plan.Rules(3, 3, 1e9, 1e-9),
            List.of(Study.BATCH),
            Contender.LIBSVM,
            Contender.NOGD);
    Trial trial = trial(plan.experiments().get(0));
    Thread.currentThread().interrupt();
    Outcome outcome = trial.run();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(outcome.status()).isEqualTo(Outcome.Status.TIME);
    results.put(plan.experiments().get(0), outcome);
    assertThat(results.isDone(plan.experiments().get(0), 1e-9)).isTrue();
    assertThat(results.isDone(plan.experiments().get(0), 10)).isFalse();
    assertThat(plan.isDone(plan.experiments().get(0).withSeed(2), results)).isTrue();
  }

  private Trial trial(Experiment experiment) throws IOException {
    return new Trial(experiment, data.load(experiment.data()), 1e-9);
  }

  /** The watch looks at the processor time of real threads, so a limit of nothing stops a run. */
  @Test
  void theWatchStopsARun() throws Exception {
    Tiny.write(folder, "board", Generator.CHECKERBOARD, 50_000, 1);
    Plan plan = plan(new Plan.Rules(1, 1, 1e9, 0.01), List.of(Study.ONLINE), Contender.OGD);
    run(plan);
    Outcome outcome = results.find(plan.experiments().get(0)).orElseThrow();
    assertThat(outcome.status()).isEqualTo(Outcome.Status.TIME);
    assertThat(outcome.instances()).isLessThan(50_200);
  }

  @Test
  void anOutcomeReadsBackAsItWasWritten() throws Exception {
    Plan plan = plan(TWO_RUNS, List.of(Study.ONLINE), Contender.AVM_NEWTON);
    run(plan);
    Outcome outcome = results.find(plan.experiments().get(0)).orElseThrow();
    assertThat(outcome.curve()).hasSize(50);
    assertThat(Outcome.parse(outcome.text())).isEqualTo(outcome);
  }

  @Test
  void aDamagedOutcomeIsNamed() throws Exception {
    Plan plan = plan(TWO_RUNS, List.of(Study.ONLINE), Contender.AVM_HINGE);
    Path file = folder.resolve("out").resolve(plan.experiments().get(0).path());
    Files.createDirectories(file.getParent());
    Files.writeString(file, "settings=\n");
    assertThatThrownBy(() -> run(plan))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("delete the file to repeat the run");
  }

  @Test
  void missingDataAndSettingsAreObstacles() throws Exception {
    Files.delete(folder.resolve("board.t.libsvm"));
    Plan plan = plan(TWO_RUNS, List.of(Study.ONLINE), Contender.AVM_HINGE);
    assertThat(plan.obstacles()).containsExactly("board is missing: board.t.libsvm.gz");
    assertThat(plan.experiments()).extracting(e -> e.data().name()).containsOnly("bells");
  }

  @Test
  void verdictsFollowTheSpread() {
    assertThat(verdict(17.5, 17.6)).isEqualTo(Comparison.Verdict.WITHIN);
    assertThat(verdict(17.1, 17.2)).isEqualTo(Comparison.Verdict.BETTER);
    assertThat(verdict(18.1, 18.2)).isEqualTo(Comparison.Verdict.WORSE);
  }

  /** Against the paper's 17.46 ± 0.12. */
  private static Comparison.Verdict verdict(double... metrics) {
    List<Outcome> outcomes = Arrays.stream(metrics).mapToObj(LaboratoryTest::outcome).toList();
    DataSet a9a = Catalogue.standard().named("a9a");
    Optional<PaperTables.Row> row = PaperTables.find(Study.ONLINE, a9a, "AVM-Hinge");
    return new Comparison(
            "AVM-Hinge", Contender.AVM_HINGE, row, new Summary(outcomes), Study.ONLINE)
        .verdict();
  }

  private static Outcome outcome(double metric) {
    return new Outcome("", Outcome.Status.DONE, metric, 142, 10, 1, 0, 1, 10, "machine", List.of());
  }
}
