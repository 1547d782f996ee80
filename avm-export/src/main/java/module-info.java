/** Models in other formats: ONNX, LIBSVM, JSON. */
@SuppressWarnings("requires-automatic")
module org.avm4j.export {
  requires transitive org.avm4j.core;
  requires com.fasterxml.jackson.core;
  requires com.google.protobuf;
  requires org.tribuo.util.onnx;

  exports org.avm4j.export;
}
