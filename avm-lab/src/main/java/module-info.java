/** The baselines, and the experiments of the paper. */
@SuppressWarnings("requires-automatic")
module org.avm4j.lab {
  requires transitive org.avm4j.core;
  requires java.desktop;
  requires java.management;
  requires liblinear;
  requires libsvm;
  requires xchart;

  exports org.avm4j.lab;
  exports org.avm4j.lab.baseline;
  exports org.avm4j.lab.paper;

  provides org.avm4j.KindProvider with
      org.avm4j.lab.baseline.BaselineKinds;
  provides org.avm4j.spec.LearnerProvider with
      org.avm4j.lab.baseline.BaselineProvider;
}
