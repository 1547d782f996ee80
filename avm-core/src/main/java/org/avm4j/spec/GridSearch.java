package org.avm4j.spec;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Searches a grid: every combination of the values of its axes is a point, and a {@link Judge} says
 * how good each is. Trials that an earlier search finished are not repeated.
 *
 * <pre>{@code
 * GridSearch search = new GridSearch(rules.grid(), Judges.prequential(task, learners, orders, 0));
 * Trial best = Collections.min(search.run(executor, log::append), Trial.BEST_FIRST);
 * }</pre>
 */
public final class GridSearch {
  private final List<Map<String, Double>> points;
  private final Judge judge;
  private final Map<Map<String, Double>, Trial> done = new LinkedHashMap<>();

  /** A search without trials. */
  public GridSearch(List<Axis> axes, Judge judge) {
    this.points = points(axes);
    this.judge = judge;
  }

  /**
   * An option to vary, and the values to try.
   *
   * @param option the name of the option
   * @param values its values, in the order in which they are tried
   */
  public record Axis(String option, List<Double> values) {
    /** Makes the values immutable. */
    public Axis {
      values = List.copyOf(values);
    }

    /** An axis of these values. */
    public static Axis of(String option, double... values) {
      return new Axis(option, DoubleStream.of(values).boxed().toList());
    }
  }

  /**
   * A point of the grid, and its result.
   *
   * @param point the values by option
   * @param metric the figure that decides, the lower the better; infinite if the trial failed
   * @param size the number of vectors of the learner
   */
  public record Trial(Map<String, Double> point, double metric, int size) {
    /** The best first; of equally good ones, the smaller model. */
    public static final Comparator<Trial> BEST_FIRST =
        Comparator.comparingDouble(Trial::metric)
            .thenComparingInt(Trial::size)
            .thenComparing(Trial::line);

    /** Makes the point immutable. */
    public Trial {
      point = Collections.unmodifiableMap(new LinkedHashMap<>(point));
    }

    /** The trial as a line of a log, as in {@code gamma=1.0 lambda=0.01 12.5 300}. */
    public String line() {
      return Stream.concat(
              point.entrySet().stream().map(entry -> entry.getKey() + "=" + entry.getValue()),
              Stream.of(Double.toString(metric), Integer.toString(size)))
          .collect(Collectors.joining(" "));
    }

    /**
     * The trial that {@link #line} wrote.
     *
     * @throws IllegalArgumentException if the line is none
     */
    public static Trial parse(String line) {
      List<String> words = Arrays.asList(line.split(" "));
      int numbers = words.size() - 2;
      if (numbers < 0) {
        throw new IllegalArgumentException("not a line of a finished trial: " + line);
      }
      Map<String, Double> point = new LinkedHashMap<>();
      for (String word : words.subList(0, numbers)) {
        String[] parts = word.split("=", 2);
        point.put(parts[0], Double.parseDouble(parts[parts.length - 1]));
      }
      double metric = Double.parseDouble(words.get(numbers));
      return new Trial(point, metric, Integer.parseInt(words.get(numbers + 1)));
    }
  }

  /** Adds trials that were finished before; they are not repeated. */
  public GridSearch resume(List<Trial> finished) {
    finished.forEach(trial -> done.put(trial.point(), trial));
    return this;
  }

  /** The number of trials still to be made. */
  public int open() {
    return openPoints().size();
  }

  private List<Map<String, Double>> openPoints() {
    return points.stream().filter(point -> !done.containsKey(point)).toList();
  }

  /**
   * Makes all remaining trials.
   *
   * @param executor runs a task for each of them; {@code Runnable::run} makes one after the other
   * @param finished called with each trial as soon as it is finished, one at a time
   * @return all trials, also those that were made before, in the order of the grid
   */
  public List<Trial> run(Executor executor, Consumer<Trial> finished) {
    List<CompletableFuture<Void>> started = new ArrayList<>();
    for (Map<String, Double> point : openPoints()) {
      started.add(CompletableFuture.runAsync(() -> run(point, finished), executor));
    }
    try {
      started.forEach(CompletableFuture::join);
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
    return points.stream().map(done::get).toList();
  }

  private void run(Map<String, Double> point, Consumer<Trial> finished) {
    Judge.Score score = judge.judge(point);
    Trial trial = new Trial(point, score.metric(), score.size());
    synchronized (done) {
      done.put(point, trial);
      finished.accept(trial);
    }
  }

  private static List<Map<String, Double>> points(List<Axis> axes) {
    List<Map<String, Double>> points = List.of(Map.of());
    for (Axis axis : axes) {
      points = points.stream().flatMap(point -> extended(point, axis)).toList();
    }
    return points;
  }

  private static Stream<Map<String, Double>> extended(Map<String, Double> point, Axis axis) {
    return axis.values().stream()
        .map(
            value -> {
              Map<String, Double> longer = new LinkedHashMap<>(point);
              longer.put(axis.option(), value);
              return longer;
            });
  }
}
