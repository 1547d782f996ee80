/** Online kernel learning whose model stays small for ever. Depends on the JDK alone. */
@SuppressWarnings("module") // the modules named below are built after this one
module org.avm4j.core {
  // what programs embed, on one page: docs/embedding.md
  exports org.avm4j;
  exports org.avm4j.anomaly;
  exports org.avm4j.auto;
  exports org.avm4j.cluster;
  exports org.avm4j.table;
  exports org.avm4j.tree;

  // what the other modules of this library use, and what is no promise to others
  exports org.avm4j.batch to
      org.avm4j.app,
      org.avm4j.lab;
  exports org.avm4j.asking to
      org.avm4j.app,
      org.avm4j.io,
      org.avm4j.serve;
  exports org.avm4j.boost to
      org.avm4j.io;
  exports org.avm4j.codec to
      org.avm4j.app,
      org.avm4j.export,
      org.avm4j.io,
      org.avm4j.lab,
      org.avm4j.serve;
  exports org.avm4j.conformal to
      org.avm4j.io;
  exports org.avm4j.data to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.export,
      org.avm4j.io,
      org.avm4j.lab,
      org.avm4j.serve;
  exports org.avm4j.eval to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.io,
      org.avm4j.lab,
      org.avm4j.serve;
  exports org.avm4j.explain to
      org.avm4j.app,
      org.avm4j.io,
      org.avm4j.serve;
  exports org.avm4j.form to
      org.avm4j.export,
      org.avm4j.lab;
  exports org.avm4j.internal to
      org.avm4j.lab;
  exports org.avm4j.math to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.lab;
  exports org.avm4j.models to
      org.avm4j.app,
      org.avm4j.export,
      org.avm4j.io;
  exports org.avm4j.pipeline to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.export,
      org.avm4j.io,
      org.avm4j.lab,
      org.avm4j.serve;
  exports org.avm4j.points to
      org.avm4j.bench,
      org.avm4j.lab;
  exports org.avm4j.spec to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.io,
      org.avm4j.lab,
      org.avm4j.serve;
  exports org.avm4j.theory to
      org.avm4j.app;

  uses org.avm4j.codec.FileKindProvider;
  uses org.avm4j.spec.LearnerProvider;
  uses org.avm4j.table.TabularProvider;

  provides org.avm4j.codec.FileKindProvider with
      org.avm4j.kinds.CoreKinds;
  provides org.avm4j.spec.LearnerProvider with
      org.avm4j.spec.CoreFamilies;
  provides org.avm4j.table.TabularProvider with
      org.avm4j.spec.TabularLearners;
}
