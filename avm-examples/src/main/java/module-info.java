/** Programs that embed the library. */
module org.avm4j.examples {
  requires org.avm4j.core;
}
