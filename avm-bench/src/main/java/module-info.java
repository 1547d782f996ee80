/** Benchmarks, and other libraries beside ours. */
@SuppressWarnings("requires-automatic")
module org.avm4j.bench {
  requires JSAT;
  requires com.fasterxml.jackson.core;
  requires java.desktop;
  requires jdk.management;
  requires jmh.core;
  requires libsvm;
  requires moa;
  requires org.avm4j.io;
  requires org.avm4j.lab;
  requires xchart;
}
