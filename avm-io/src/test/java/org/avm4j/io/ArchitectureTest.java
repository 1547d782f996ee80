package org.avm4j.io;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import org.avm4j.ArchitectureContract;
import org.avm4j.Predictor;
import org.junit.jupiter.api.Test;

class ArchitectureTest extends ArchitectureContract {
  ArchitectureTest() {
    super(DataReader.class);
  }

  @Test
  void readersKnowNoLearner() {
    noClasses()
        .that()
        .resideInAPackage("org.avm4j.io..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(Predictor.class)
        .check(module());
  }
}
