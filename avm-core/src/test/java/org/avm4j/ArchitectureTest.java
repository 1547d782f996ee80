package org.avm4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.avm4j.auto.constants.Constants;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  private static final String LEARNERS = "org.avm4j";
  private static final int LONG = 300;

  /** The largest number of classes that may refer to each other in a circle. */
  private static final int LARGEST_KNOT = 5;

  /** The most files in the package of the paper and of what users hold. */
  private static final int MOST_FILES = 35;

  /** Between the words of the paper and {@link Avm} itself, in the order of their use. */
  private static final String[] WORKSHOP = {
    "org.avm4j.form..",
    "org.avm4j.points..",
    "org.avm4j.step..",
    "org.avm4j.newton..",
    "org.avm4j.machine.."
  };

  /** Numbers of automatic mode by which nothing is tuned. */
  private static final String[] OTHER_NUMBERS = {
    "AnswerLoss.UNKNOWN",
    "AutoOptions.DEFAULT_SIZE",
    "AutoOptions.NO_DIAMETER",
    "ClassTable.MOST",
    "DecisionTree.LEAF",
    "DecisionTree.MOST_NODES",
    "EnsembleModel.MOST_EXPERTS",
    "ForestGrowth.ROUNDING",
    "Inputs.MOST_CLASSES",
    "InstanceCodec.MOST",
    "LabelGraph.NO_LABEL",
    "LabelGraph.SLOTS",
    "LabelLimit.LEAST",
    "Latest.MOST",
    "LinearExpert.MOST_CLASSES",
    "LocalMetric.FARTHEST",
    "LocalMetric.MOST_DEVIATIONS",
    "MemoriesModel.MOST_MEMBERS",
    "NearestGraph.LEAST",
    "Neighbours.LEAST",
    "PastLabels.MOST",
    "RestSchedule.LONGEST",
    "Roster.ALL",
    "SharedInputs.MOST",
    "Stack.RIDGE",
    "StreamSample.NO_MARK"
  };

  /** The files with more than {@value #LONG} lines, and why each of them is not cut in two. */
  private static final Map<String, String> LONG_FILES =
      Map.ofEntries(
          Map.entry(
              "Avm.java", "the learner reads top to bottom like Algorithm 2; a third is Javadoc"),
          Map.entry(
              "BatchNewton.java",
              "the passes, and their sums as bytes: both are all of its fields"),
          Map.entry("DateParts.java", "the notations of dates, one pattern each, in their order"),
          Map.entry("Decoder.java", "one method for each kind of value that a file holds"),
          Map.entry("Encoder.java", "one method for each kind of value that a file holds"),
          Map.entry(
              "Pipeline.java", "a learner behind a preparation: one method for each of a learner"),
          Map.entry(
              "Inverse.java", "one matrix and its inverse, with all the ways in which they change"),
          Map.entry(
              "KernelRow.java",
              "the one pass over the vectors, dense and sparse, that all else shares"),
          Map.entry(
              "NewtonWeights.java",
              "the second-order step, its linear part and union over the same sums"),
          Map.entry(
              "PreparedModel.java", "passes every question on to the model behind the preparation"),
          Map.entry("Prequential.java", "a step and all that is measured beside it, with its file"),
          Map.entry(
              "SgdWeights.java", "the sums of the step, its averages and its union in one algebra"),
          Map.entry(
              "TreeGrowth.java", "splitting and folding regions, which share the list of them"));

  ArchitectureTest() {
    super(Avm.class);
  }

  @Override
  protected String[] insidersOfTheCore() {
    return new String[] {"org.avm4j.."};
  }

  @Override
  protected String[] reproducible() {
    return new String[] {"org.avm4j.."};
  }

  @Test
  void theCoreDependsOnTheJdkAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.avm4j..")
        .check(module());
  }

  /** A circle of classes must be read at once, so it is small. */
  @Test
  void noKnotOfClassesIsLarge() {
    ClassKnots knots = new ClassKnots(Path.of("target", "classes"));
    assertThat(knots.classes()).isGreaterThan(200);
    assertThat(knots.largerThan(LARGEST_KNOT)).isEmpty();
    assertThat(knots.largerThan(1))
        .contains(List.of("org.avm4j.points.CoreSet", "org.avm4j.points.KernelRow"));
  }

  @Test
  void theRoomOfThePaperStaysSmall() throws IOException {
    try (Stream<Path> files = Files.list(SOURCE.resolve("org/avm4j"))) {
      assertThat(files.filter(Files::isRegularFile)).hasSizeLessThanOrEqualTo(MOST_FILES);
    }
  }

  /** Words of the paper such as a loss stand alone; the learner and its model are made of parts. */
  @Test
  void onlyTheLearnerAndItsModelKnowTheirParts() {
    noClasses()
        .that()
        .resideInAPackage(LEARNERS)
        .and(DescribedPredicate.not(new Learners()))
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(WORKSHOP)
        .check(module());
  }

  @Test
  void theirPartsDoNotKnowThem() {
    noClasses()
        .that()
        .resideInAnyPackage(WORKSHOP)
        .should()
        .dependOnClassesThat(new Learners())
        .check(module());
  }

  @Test
  void learnersKnowNoData() {
    noClasses()
        .that()
        .resideInAPackage(LEARNERS)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.avm4j.anomaly..",
            "org.avm4j.batch..",
            "org.avm4j.data..",
            "org.avm4j.models..",
            "org.avm4j.pipeline..",
            "org.avm4j.tree..",
            "org.avm4j.auto..",
            "org.avm4j.eval..",
            "org.avm4j.explain..",
            "org.avm4j.spec..",
            "org.avm4j.kinds..")
        .check(module());
  }

  /** A path may pass through a learner on its way to the codec; it opens no file by itself. */
  @Test
  void onlyReadersAndTheCodecOpenFiles() {
    noClasses()
        .that()
        .resideOutsideOfPackages("org.avm4j.codec..", "org.avm4j.data..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Files.class, File.class)
        .check(module());
  }

  @Test
  void readersKnowNoLearner() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.data..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Predictor.class)
        .check(module());
  }

  @Test
  void theCodecKnowsOnlyBytes() {
    classes()
        .that()
        .resideInAPackage("org.avm4j.codec..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.avm4j.codec..")
        .check(module());
  }

  @Test
  void hotLoopsKnowNoLearner() {
    classes()
        .that()
        .resideInAnyPackage("org.avm4j.internal..", "org.avm4j.math..")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "java..", "org.avm4j.internal..", "org.avm4j.math..", "org.avm4j.codec..")
        .check(module());
  }

  /** But for the seconds that an evaluation reports. */
  @Test
  void nothingIsDecidedByTheClock() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.avm4j.eval.Stopwatch")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Clock.class, Instant.class)
        .check(module());
  }

  /**
   * These cut their work into the same parts on every machine and add the parts up in order, so no
   * digit depends on the number of cores. Everything else runs in the thread of the caller, or in
   * the executor that it brings.
   */
  @Test
  void onlyTwoClassesSpreadTheirWorkOverThreads() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName("org.avm4j.internal.Bands")
        .and()
        .doNotHaveFullyQualifiedName("org.avm4j.batch.BatchTraining")
        .should()
        .callMethodWhere(
            DescribedPredicate.describe(
                "a stream made parallel",
                call ->
                    call.getTarget().getOwner().isAssignableTo(BaseStream.class)
                            && call.getName().equals("parallel")
                        || call.getName().equals("parallelStream")))
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Executors.class, ForkJoinPool.class, Thread.class)
        .check(module());
  }

  /**
   * What might be another number is in {@link Constants}. Elsewhere there are defaults of options,
   * limits that tell forged files, marks for "none", and tiny numbers.
   */
  @Test
  void numbersOfAutomaticModeStandInOnePlace() {
    List<String> elsewhere =
        module().stream()
            .filter(type -> type.getPackageName().startsWith("org.avm4j.auto"))
            .filter(type -> !type.isEquivalentTo(Constants.class))
            .flatMap(type -> type.getFields().stream())
            .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
            .filter(field -> field.getRawType().isPrimitive())
            .map(field -> field.getOwner().getSimpleName() + "." + field.getName())
            .toList();
    assertThat(elsewhere).containsExactlyInAnyOrder(OTHER_NUMBERS);
  }

  @Test
  void onlyTheListedFilesAreLong() throws IOException {
    Map<String, Integer> tooLong = new TreeMap<>();
    for (Path file : sources(SOURCE)) {
      int lines = Files.readAllLines(file).size();
      if (lines > LONG) {
        tooLong.put(file.getFileName().toString(), lines);
      }
    }
    assertThat(tooLong).containsOnlyKeys(LONG_FILES.keySet());
  }

  /** Two classes of one name are one too many to keep apart when reading. */
  @Test
  void simpleNamesAreUniqueAmongAllModules() throws IOException {
    Map<String, Path> known = new TreeMap<>();
    for (Path file : sourcesOfAllModules()) {
      String name = file.getFileName().toString();
      if (!name.endsWith("-info.java")) {
        assertThat(known.put(name, file)).as("another " + name + " than " + file).isNull();
      }
    }
    assertThat(known).containsKeys("Avm.java", "CsvReader.java", "Baseline.java");
  }

  private static List<Path> sourcesOfAllModules() throws IOException {
    try (var modules = Files.list(Path.of(".."))) {
      List<Path> all = new ArrayList<>();
      for (Path module : modules.map(folder -> folder.resolve(SOURCE)).sorted().toList()) {
        all.addAll(Files.isDirectory(module) ? sources(module) : List.of());
      }
      return all;
    }
  }
}
