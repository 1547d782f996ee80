package org.avm4j.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.avm4j.OnlineLearner;
import org.avm4j.Task;
import org.avm4j.data.Instance;
import org.avm4j.spec.GridSearch.Axis;
import org.avm4j.spec.GridSearch.Trial;
import org.junit.jupiter.api.Test;

class GridSearchTest {
  private static final List<Axis> AXES = List.of(Axis.of("a", 1, 2), Axis.of("b", 10, 20, 30));
  private static final Judge SUM =
      point -> new Judge.Score(-point.get("a") - point.get("b"), point.get("b").intValue());
  private static final Task BINARY = Task.binary();

  @Test
  void trialsStandInTheOrderOfTheGrid() {
    List<Trial> told = new ArrayList<>();
    List<Trial> all = new GridSearch(AXES, SUM).run(Runnable::run, told::add);
    assertThat(all).hasSize(6).isEqualTo(told);
    assertThat(all.get(1)).isEqualTo(new Trial(Map.of("a", 1.0, "b", 20.0), -21, 20));
    assertThat(Collections.min(all, Trial.BEST_FIRST).point())
        .isEqualTo(Map.of("a", 2.0, "b", 30.0));
  }

  @Test
  void severalThreadsFindTheSame() {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Trial> told = new ArrayList<>();
      List<Trial> all = new GridSearch(AXES, SUM).run(threads, told::add);
      assertThat(all).isEqualTo(new GridSearch(AXES, SUM).run(Runnable::run, trial -> {}));
      assertThat(told).containsExactlyInAnyOrderElementsOf(all);
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void finishedTrialsAreNotMadeAgain() {
    List<Trial> all = new GridSearch(AXES, SUM).run(Runnable::run, trial -> {});
    List<Trial> made = new ArrayList<>();
    GridSearch search = new GridSearch(AXES, SUM).resume(all.subList(1, 5));
    assertThat(search.open()).isEqualTo(2);
    assertThat(search.run(Runnable::run, made::add)).isEqualTo(all);
    assertThat(made).containsExactly(all.get(0), all.get(5));
  }

  @Test
  void aTrialIsALineOfALog() {
    for (double metric : new double[] {12.5, Double.POSITIVE_INFINITY}) {
      Trial trial = new Trial(Map.of("gamma", 1e-7), metric, 3);
      assertThat(Trial.parse(trial.line())).isEqualTo(trial);
    }
    assertThat(new Trial(Map.of("gamma", 0.5), 1, 2).line()).isEqualTo("gamma=0.5 1.0 2");
    for (String damaged : List.of("", "gamma=1 2", "gamma=x 1 2", "gamma=1 1.0 x")) {
      assertThatThrownBy(() -> Trial.parse(damaged)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void whatFailsInATaskFailsTheSearch() {
    Judge broken =
        point -> {
          throw new IllegalStateException("a bug");
        };
    assertThatThrownBy(() -> new GridSearch(AXES, broken).run(Runnable::run, trial -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a bug");
  }

  @Test
  void judgesAgreeWithTheLoopsTheyStandFor() {
    List<Instance> rows = rows();
    Map<String, Double> point = Map.of("gamma", 2.0);
    Judge.Score online = Judges.prequential(BINARY, this::learner, List.of(rows), 0).judge(point);
    Judge.Score heldOut = Judges.holdout(BINARY, this::learner, rows, 0).judge(point);
    OnlineLearner learner = learner(point);
    int mistakes = 0;
    int later = 0;
    for (int t = 0; t < rows.size(); t++) {
      Instance row = rows.get(t);
      mistakes += learner.predict(row.features()) == row.label() ? 0 : 1;
      learner.learn(row.features(), row.label());
    }
    OnlineLearner trained = learner(point);
    rows.subList(0, 160).forEach(row -> trained.learn(row.features(), row.label()));
    for (Instance row : rows.subList(160, 200)) {
      later += trained.predict(row.features()) == row.label() ? 0 : 1;
    }
    assertThat(online).isEqualTo(new Judge.Score(100.0 * mistakes / 200, learner.size()));
    assertThat(heldOut).isEqualTo(new Judge.Score(100.0 * later / 40, trained.size()));
    Judges.Trainer batch =
        (at, some) -> {
          OnlineLearner fresh = learner(at);
          some.forEach(row -> fresh.learn(row.features(), row.label()));
          return fresh.snapshot();
        };
    assertThat(Judges.holdout(BINARY, batch, rows).judge(point)).isEqualTo(heldOut);
    assertThat(Judges.prequential(BINARY, this::learner, List.of(rows, rows), 0).judge(point))
        .isEqualTo(online);
  }

  @Test
  void whatGrowsTooLargeOrMakesNoSenseHasFailed() {
    List<Instance> rows = rows();
    Map<String, Double> point = Map.of("gamma", 2.0);
    assertThat(Judges.prequential(BINARY, this::learner, List.of(rows), 3).judge(point))
        .isEqualTo(Judge.Score.failed(4));
    assertThat(Judges.holdout(BINARY, this::learner, rows, 3).judge(point))
        .isEqualTo(Judge.Score.failed(4));
    Map<String, Double> nonsense = Map.of("gamma", -1.0);
    assertThat(Judges.prequential(BINARY, this::learner, List.of(rows), 0).judge(nonsense))
        .isEqualTo(Judge.Score.failed(0));
  }

  private OnlineLearner learner(Map<String, Double> point) {
    LearnerSpec spec = LearnerSpec.of(Map.of("task", "binary", "delta", 0.2)).with(point);
    return new DefaultRules(spec).learner();
  }

  private static List<Instance> rows() {
    return DefaultRulesTest.rows(200).stream()
        .map(row -> new Instance(row.features(), row.label() == 8 ? 1 : -1))
        .toList();
  }
}
