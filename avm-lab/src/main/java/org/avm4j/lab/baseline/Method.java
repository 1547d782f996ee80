package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.avm4j.Task;

/** The online methods of the paper's Section 9, and the tasks that each is defined for. */
public enum Method {
  /** The kernel Perceptron (Freund, Schapire, Machine Learning 1999), without a budget. */
  PERCEPTRON("perceptron", Task.Kind.BINARY),

  /** Kernel online gradient descent (Kivinen, Smola, Williamson, IEEE TSP 2004), no budget. */
  OGD("ogd", Task.Kind.BINARY),

  /** The randomized budget Perceptron (Cavallanti, Cesa-Bianchi, Gentile, ML 2007). */
  RBP("rbp", Task.Kind.BINARY, Task.Kind.REGRESSION),

  /** The self-tuned Forgetron (Dekel, Shalev-Shwartz, Singer, SIAM J. Computing 2008). */
  FORGETRON("forgetron", Task.Kind.BINARY, Task.Kind.REGRESSION),

  /** The Projectron (Orabona, Keshet, Caputo, JMLR 2009). */
  PROJECTRON("projectron", Task.Kind.BINARY, Task.Kind.REGRESSION),

  /** The Projectron++ (the same paper), which learns from margin errors too. */
  PROJECTRON_PLUS_PLUS("projectron++", Task.Kind.BINARY),

  /** Budgeted passive-aggressive, simple (Wang, Vucetic, AISTATS 2010). */
  BPAS("bpas", Task.Kind.BINARY),

  /** Bounded online gradient descent (Zhao, Wang, Wu, Jin, Hoi, ICML 2012). */
  BOGD("bogd", Task.Kind.BINARY, Task.Kind.REGRESSION),

  /** Fourier online gradient descent (Lu, Hoi, Wang, Zhao, Liu, JMLR 2016). */
  FOGD("fogd", Task.Kind.BINARY, Task.Kind.MULTICLASS, Task.Kind.REGRESSION),

  /** Nyström online gradient descent (the same paper). */
  NOGD("nogd", Task.Kind.BINARY, Task.Kind.MULTICLASS, Task.Kind.REGRESSION),

  /** Budgeted SGD that merges two vectors (Wang, Crammer, Vucetic, JMLR 2012). */
  BSGD_M("bsgd-m", Task.Kind.BINARY, Task.Kind.MULTICLASS),

  /** Budgeted SGD that removes the vector of least norm (the same paper). */
  BSGD_R("bsgd-r", Task.Kind.BINARY, Task.Kind.MULTICLASS);

  private final String id;
  private final List<Task.Kind> tasks;

  Method(String id, Task.Kind... tasks) {
    this.id = id;
    this.tasks = List.of(tasks);
  }

  /** The name on the command line, such as {@code projectron++}. */
  public String id() {
    return id;
  }

  /** Whether the method is defined for the task. */
  public boolean supports(Task task) {
    return tasks.contains(task.kind());
  }

  /** The kind of a file that holds such a learner. */
  public String kind() {
    return "baseline-" + id;
  }

  /** The method of this name. */
  public static Method named(String id) {
    return Arrays.stream(values())
        .filter(method -> method.id.equals(id))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(unknown(id)));
  }

  void check(Task task) {
    if (!supports(task)) {
      throw new IllegalArgumentException(
          id + " is defined for " + words() + ", not for " + task.word());
    }
  }

  private String words() {
    return tasks.stream().map(Method::word).collect(Collectors.joining(" and "));
  }

  private static String word(Task.Kind task) {
    return task.name().toLowerCase(Locale.ROOT);
  }

  private static String unknown(String id) {
    String names = Arrays.stream(values()).map(Method::id).collect(Collectors.joining(", "));
    return "a learner must be one of " + names + ": " + id;
  }
}
