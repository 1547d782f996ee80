/** Frozen models in other formats: ONNX, LIBSVM and JSON, and LIBSVM's models as models of ours. */
package org.avm4j.export;
