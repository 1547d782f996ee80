/** The command avm. */
@SuppressWarnings("requires-automatic")
module org.avm4j.app {
  requires HdrHistogram;
  requires com.fasterxml.jackson.core;
  requires info.picocli;
  requires java.net.http;
  requires jdk.management;
  requires org.avm4j.io;
  requires org.avm4j.export;
  requires org.avm4j.lab;
  requires org.avm4j.serve;
  requires me.tongfei.progressbar;

  opens org.avm4j.app to
      info.picocli;
}
