/** Online kernel learning whose model stays small for ever. Depends on the JDK alone. */
module org.avm4j.core {
  exports org.avm4j;
  exports org.avm4j.codec;
  exports org.avm4j.data;
  exports org.avm4j.pipeline;
}
