package org.avm4j;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.avm4j");

  @Test
  void theCoreDependsOnTheJdkAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "org.avm4j..")
        .check(CORE);
  }

  @Test
  void learnersKnowNoDataFilesAndReadersNoLearners() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.avm4j.data")
        .check(CORE);
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.data")
        .should()
        .dependOnClassesThat()
        .haveSimpleNameStartingWith("Avm")
        .check(CORE);
  }

  @Test
  void theCodecKnowsOnlyBytes() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.codec")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.avm4j", "org.avm4j.data")
        .check(CORE);
  }

  @Test
  void onlyTheAppPrints() {
    noClasses()
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(CORE);
  }
}
