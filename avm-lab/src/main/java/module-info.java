/** The baselines, and the experiments of the paper. */
@SuppressWarnings({"module", "requires-automatic"})
module org.avm4j.lab {
  requires transitive org.avm4j.core;
  requires java.desktop;
  requires java.management;
  requires liblinear;
  requires libsvm;
  requires xchart;

  // no promise to others: what they need of the core is not exported either
  exports org.avm4j.lab to
      org.avm4j.app,
      org.avm4j.bench;
  exports org.avm4j.lab.baseline to
      org.avm4j.app,
      org.avm4j.bench;
  exports org.avm4j.lab.paper to
      org.avm4j.app,
      org.avm4j.bench;

  provides org.avm4j.codec.FileKindProvider with
      org.avm4j.lab.baseline.BaselineProvider;
  provides org.avm4j.spec.LearnerProvider with
      org.avm4j.lab.baseline.BaselineProvider;
}
