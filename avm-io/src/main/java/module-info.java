/** Readers for formats that need a library, and the engine of a run over files or a stream. */
@SuppressWarnings({"module", "requires-automatic"})
module org.avm4j.io {
  requires transitive org.avm4j.core;
  requires aircompressor;
  requires com.fasterxml.jackson.core;
  requires de.siegmar.fastcsv;
  requires org.apache.commons.compress;
  requires org.dhatim.fastexcel.reader;
  requires org.tukaani.xz;

  // no promise to others: what they need of the core is not exported either
  exports org.avm4j.io to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.serve;
  exports org.avm4j.run to
      org.avm4j.app,
      org.avm4j.bench,
      org.avm4j.serve;
}
