package org.avm4j;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The rules that hold in every module: extend this in a module's {@code ArchitectureTest}, name one
 * of its classes, and add the rules that are its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ArchitectureContract {
  /** The source of the module; tests run in its folder. */
  protected static final Path SOURCE = Path.of("src/main/java");

  private final JavaClasses classes;

  /** The rules of the module that this class is compiled into. */
  protected ArchitectureContract(Class<?> inside) {
    classes =
        new ClassFileImporter()
            .importUrl(inside.getProtectionDomain().getCodeSource().getLocation());
  }

  /** The classes of the module, without its tests. */
  protected final JavaClasses module() {
    return classes;
  }

  /** The packages of this module that may use what is not exported: none outside the core. */
  protected String[] insidersOfTheCore() {
    return new String[0];
  }

  /** The packages that may write to the console: only those of programs. */
  protected String[] printers() {
    return new String[0];
  }

  /** The packages whose results must have the same bits on every machine. */
  protected String[] reproducible() {
    return new String[0];
  }

  @Test
  void packagesFormNoCycles() {
    slices().assignedFrom(new ByPackage()).should().beFreeOfCycles().check(classes);
  }

  @Test
  void whatIsInternalToTheCoreIsUsedByTheCoreAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackages(insidersOfTheCore())
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.avm4j.internal..",
            "org.avm4j.kinds..",
            "org.avm4j.machine..",
            "org.avm4j.newton..",
            "org.avm4j.points..",
            "org.avm4j.step..")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void onlyProgramsPrint() {
    noClasses()
        .that()
        .resideOutsideOfPackages(printers())
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(Throwable.class, "printStackTrace")
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void whatMustBeReproducibleCallsNoFunctionThatMayDiffer() {
    noClasses()
        .that()
        .resideInAnyPackage(reproducible())
        .should()
        .callMethodWhere(isInexact())
        .allowEmptyShould(true)
        .check(classes);
  }

  /** The functions of {@link Math} whose last digit Java leaves open, and its random numbers. */
  private static DescribedPredicate<JavaCall<?>> isInexact() {
    String names =
        "a?(sin|cos|tan)h?|atan2|exp|expm1|log|log10|log1p|pow|cbrt|hypot|IEEEremainder|random";
    return DescribedPredicate.describe(
        "a function of Math that may differ from machine to machine",
        call ->
            target(owner(JavaClass.Predicates.equivalentTo(Math.class))).test(call)
                && target(nameMatching(names)).test(call));
  }

  @Test
  void whatMustBeReproducibleGivesEveryGeneratorItsSeed() {
    noClasses()
        .that()
        .resideInAnyPackage(reproducible())
        .should()
        .callConstructor(Random.class)
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(SecureRandom.class, SplittableRandom.class, ThreadLocalRandom.class)
        .allowEmptyShould(true)
        .check(classes);
  }

  @Test
  void everyPackageSaysWhatItIsFor() throws IOException {
    assertThat(folders())
        .allSatisfy(folder -> assertThat(folder.resolve("package-info.java")).isRegularFile());
  }

  @Test
  void theJarHoldsLicenceAndNotice() {
    Path legal = Path.of("target", "classes", "META-INF");
    assertThat(legal.resolve("LICENSE")).isNotEmptyFile();
    assertThat(legal.resolve("NOTICE")).isNotEmptyFile();
  }

  @Test
  void everyTopLevelTypeHasAFileOfItsOwn() throws IOException {
    Set<String> files =
        sources(SOURCE).stream()
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .collect(Collectors.toSet());
    assertThat(classes)
        .filteredOn(type -> type.isTopLevelClass() && !isGenerated(type))
        .allSatisfy(type -> assertThat(files).contains(type.getSimpleName()));
  }

  private static boolean isGenerated(JavaClass type) {
    return type.getPackageName().contains("jmh_generated");
  }

  private static Set<Path> folders() throws IOException {
    return sources(SOURCE).stream()
        .filter(file -> !file.getFileName().toString().equals("module-info.java"))
        .map(Path::getParent)
        .collect(Collectors.toSet());
  }

  /** All source files below a folder. */
  protected static List<Path> sources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /**
   * The learner and its model, which share a package with the words that they are described by. The
   * packages of their parts stand between the two: they know the words, and the learner knows them.
   */
  static final class Learners extends DescribedPredicate<JavaClass> {
    private static final Set<String> NAMES = Set.of("org.avm4j.Avm", "org.avm4j.AvmModel");

    Learners() {
      super("the learner and its model");
    }

    @Override
    public boolean test(JavaClass type) {
      return NAMES.contains(type.getName().replaceAll("\\$.*", ""));
    }
  }

  private static final class ByPackage implements SliceAssignment {
    private final Learners learners = new Learners();

    @Override
    public String getDescription() {
      return "packages, with the learner and its model for themselves";
    }

    @Override
    public SliceIdentifier getIdentifierOf(JavaClass type) {
      if (learners.test(type)) {
        return SliceIdentifier.of("org.avm4j.Avm");
      }
      return type.getPackageName().startsWith("org.avm4j")
          ? SliceIdentifier.of(type.getPackageName())
          : SliceIdentifier.ignore();
    }
  }
}
