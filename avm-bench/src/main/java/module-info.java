/** Benchmarks, and other libraries beside ours. */
@SuppressWarnings("requires-automatic")
module org.avm4j.bench {
  requires java.management;
  requires jdk.management;
  requires jmh.core;
  requires moa;
  requires org.avm4j.io;
  requires org.avm4j.lab;
}
