package org.avm4j.lab.baseline;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.avm4j.Task;

/** The online methods of the paper's Section 9, and the tasks that each is defined for. */
public enum Method {
  /** The kernel Perceptron (Freund, Schapire, Machine Learning 1999), without a budget. */
  PERCEPTRON("perceptron", Task.Binary.class),

  /** Kernel online gradient descent (Kivinen, Smola, Williamson, IEEE TSP 2004), no budget. */
  OGD("ogd", Task.Binary.class),

  /** The randomized budget Perceptron (Cavallanti, Cesa-Bianchi, Gentile, ML 2007). */
  RBP("rbp", Task.Binary.class, Task.Regression.class),

  /** The self-tuned Forgetron (Dekel, Shalev-Shwartz, Singer, SIAM J. Computing 2008). */
  FORGETRON("forgetron", Task.Binary.class, Task.Regression.class),

  /** The Projectron (Orabona, Keshet, Caputo, JMLR 2009). */
  PROJECTRON("projectron", Task.Binary.class, Task.Regression.class),

  /** The Projectron++ (the same paper), which learns from margin errors too. */
  PROJECTRON_PLUS_PLUS("projectron++", Task.Binary.class),

  /** Budgeted passive-aggressive, simple (Wang, Vucetic, AISTATS 2010). */
  BPAS("bpas", Task.Binary.class),

  /** Bounded online gradient descent (Zhao, Wang, Wu, Jin, Hoi, ICML 2012). */
  BOGD("bogd", Task.Binary.class, Task.Regression.class),

  /** Fourier online gradient descent (Lu, Hoi, Wang, Zhao, Liu, JMLR 2016). */
  FOGD("fogd", Task.Binary.class, Task.Multiclass.class, Task.Regression.class),

  /** Nyström online gradient descent (the same paper). */
  NOGD("nogd", Task.Binary.class, Task.Multiclass.class, Task.Regression.class),

  /** Budgeted SGD that merges two vectors (Wang, Crammer, Vucetic, JMLR 2012). */
  BSGD_M("bsgd-m", Task.Binary.class, Task.Multiclass.class),

  /** Budgeted SGD that removes the vector of least norm (the same paper). */
  BSGD_R("bsgd-r", Task.Binary.class, Task.Multiclass.class);

  private final String id;
  private final List<Class<?>> tasks;

  Method(String id, Class<?>... tasks) {
    this.id = id;
    this.tasks = List.of(tasks);
  }

  /** The name that people type, such as {@code projectron++}. */
  public String id() {
    return id;
  }

  /** Whether the method is defined for the task. */
  public boolean supports(Task task) {
    return tasks.contains(task.getClass());
  }

  /** What a file of such a learner is called inside. */
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
          id + " is defined for " + words() + ", not for " + word(task.getClass()));
    }
  }

  private String words() {
    return tasks.stream().map(Method::word).collect(Collectors.joining(" and "));
  }

  private static String word(Class<?> task) {
    return task.getSimpleName().toLowerCase(Locale.ROOT);
  }

  private static String unknown(String id) {
    String names = Arrays.stream(values()).map(Method::id).collect(Collectors.joining(", "));
    return "a learner must be one of " + names + ": " + id;
  }
}
