package org.avm4j.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import java.io.File;
import java.nio.file.Files;
import org.avm4j.ArchitectureContract;
import org.avm4j.data.InstanceReader;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(Generator.class);
  }

  /** The baselines stand on the same vectors and columns as the learners of the core. */
  @Override
  protected String[] insidersOfTheCore() {
    return new String[] {"org.avm4j.lab.baseline.."};
  }

  /** All but the tables and pictures of the paper. */
  @Override
  protected String[] reproducible() {
    return new String[] {"org.avm4j.lab", "org.avm4j.lab.baseline.."};
  }

  @Test
  void baselinesKnowNoFilesAndNoReaders() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.lab.baseline..")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(Files.class, File.class)
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo(InstanceReader.class)
        .check(module());
  }

  @Test
  void baselinesAreNotDecidedByTheClock() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.lab.baseline..")
        .should()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(module());
  }

  @Test
  void baselinesKnowNothingOfThePaper() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.lab.baseline..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.avm4j.lab.paper..")
        .check(module());
  }
}
