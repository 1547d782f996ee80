/** Readers for formats that need a library, and the engine of a run over files or a stream. */
@SuppressWarnings("requires-automatic")
module org.avm4j.io {
  requires transitive org.avm4j.core;
  requires aircompressor;
  requires com.fasterxml.jackson.core;
  requires de.siegmar.fastcsv;
  requires org.apache.commons.compress;
  requires org.tukaani.xz;

  exports org.avm4j.io;
  exports org.avm4j.run;
}
