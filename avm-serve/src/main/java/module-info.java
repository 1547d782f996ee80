/** A service that learns while it answers: HTTP in front, a durable store behind. */
@SuppressWarnings("requires-automatic")
module org.avm4j.serve {
  requires transitive org.avm4j.io;
  requires com.fasterxml.jackson.core;
  requires de.siegmar.fastcsv;
  requires transitive java.net.http;
  requires java.management;
  requires java.sql;
  requires jdk.management;
  requires org.eclipse.jetty.alpn.server;
  requires org.eclipse.jetty.http2.server;
  requires org.eclipse.jetty.server;
  requires org.xerial.sqlitejdbc;

  exports org.avm4j.serve;
}
