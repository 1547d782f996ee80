package org.avm4j.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A participant in the arena, under the same rules as all others: it gets unscaled rows, the task
 * and the classes. The file contestants.txt lists them.
 *
 * @param name what it is called in results
 * @param group yardstick, core, slow, without or batch; labels, interval or cluster
 * @param tasks classes, numbers or both
 * @param build its version, on which its results depend
 */
record Contestant(
    String name, String group, String tasks, String build, Function<Rows, Learner> start) {
  private static final String MOA = "moa-2024.07.0";

  /** Share of the votes from which self-training treats its own answer as the label. */
  private static final double SURE = 0.9;

  private static final Map<String, String> OTHERS =
      Map.of("moa", MOA, "self-training", MOA, "moa-cluster", MOA, "xgboost", "xgboost-2.1.4");

  private static final Map<String, Contestant> ALL =
      Resource.lines("contestants.txt")
          .map(Contestant::parse)
          .collect(Collectors.toMap(Contestant::name, c -> c, (a, b) -> b, LinkedHashMap::new));

  private static Contestant parse(String line) {
    String[] words = line.strip().split(" +", 5);
    String rest = words.length < 5 ? "" : words[4];
    String build = OTHERS.getOrDefault(words[3], System.getProperty("avm.build", "unknown"));
    return new Contestant(words[0], words[1], words[2], build, start(words[3], rest));
  }

  private static Function<Rows, Learner> start(String kind, String words) {
    return switch (kind) {
      case "rule" -> rows -> new LabelYardstick(rows, words.equals("no-change"));
      case "linear" -> LeastSquares::new;
      case "moa" -> rows -> new Moa(rows, words);
      case "self-training" -> rows -> new Moa(rows, words, SURE);
      case "moa-cluster" -> rows -> new MoaClusterer(rows, words);
      case "train" -> rows -> new TableLearner(rows, new TrainedFile(Integer.parseInt(words)));
      case "xgboost" -> rows -> new TableLearner(rows, new XgBoost(Integer.parseInt(words)));
      default -> rows -> new AvmContestant(rows, words);
    };
  }

  /** The names of the contestants in these groups, in the order of the tables. */
  static List<String> names(String... groups) {
    return ALL.values().stream()
        .filter(one -> List.of(groups).contains(one.group))
        .map(Contestant::name)
        .toList();
  }

  static Contestant named(String name) {
    if (!ALL.containsKey(name)) {
      throw new IllegalArgumentException("a learner must be one of " + ALL.keySet() + ": " + name);
    }
    return ALL.get(name);
  }

  /**
   * Whether it can run on rows in an order; learners that need all rows at once run on splits only.
   */
  boolean takes(Rows rows, String order) {
    boolean isFor = tasks.equals("both") || tasks.equals("numbers") == rows.isRegression();
    return isFor && (!group.equals("batch") || order.startsWith(Streams.SPLIT));
  }

  /** Whether it answers intervals; its name ends in their level in per cent. */
  boolean isInterval() {
    return group.equals("interval");
  }

  double level() {
    return Integer.parseInt(name.substring(name.length() - 2)) / 100.0;
  }

  /** Whether it finds clusters, for which labels are only a means to judge. */
  boolean isClusterer() {
    return group.equals("cluster");
  }

  boolean isOurs() {
    return !OTHERS.containsValue(build);
  }
}
