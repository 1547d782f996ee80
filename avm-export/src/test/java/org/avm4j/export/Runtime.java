package org.avm4j.export;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import java.nio.DoubleBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;

/** A graph in ONNX Runtime, on one thread. */
final class Runtime implements AutoCloseable {
  private static final OrtEnvironment ENVIRONMENT = OrtEnvironment.getEnvironment();

  private final OrtSession session;

  Runtime(byte[] onnx) throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    session = ENVIRONMENT.createSession(onnx, options);
  }

  OrtSession session() {
    return session;
  }

  /** What the graph gives for rows of features, by the name of the output. */
  Map<String, Object> run(List<Features> rows) throws OrtException {
    try (OnnxTensor x = tensor(rows)) {
      return run(Map.of("x", x));
    }
  }

  /**
   * Rows of features as the graph takes them, without those that it does not know; to be closed.
   */
  OnnxTensor tensor(List<Features> rows) throws OrtException {
    int width = (int) ((TensorInfo) session.getInputInfo().get("x").getInfo()).getShape()[1];
    DoubleBuffer all = DoubleBuffer.allocate(rows.size() * width);
    for (int r = 0; r < rows.size(); r++) {
      Features x = rows.get(r);
      for (int i = 0; i < x.count() && x.index(i) < width; i++) {
        all.put(r * width + x.index(i), x.value(i));
      }
    }
    return OnnxTensor.createTensor(ENVIRONMENT, all, new long[] {rows.size(), width});
  }

  /** The same for columns by name: {@code double[][]} or {@code String[][]} of one column each. */
  Map<String, Object> runColumns(Map<String, Object> columns) throws OrtException {
    Map<String, OnnxTensor> tensors = new HashMap<>();
    for (Map.Entry<String, Object> column : columns.entrySet()) {
      tensors.put(column.getKey(), OnnxTensor.createTensor(ENVIRONMENT, column.getValue()));
    }
    Map<String, Object> results = run(tensors);
    tensors.values().forEach(OnnxTensor::close);
    return results;
  }

  private Map<String, Object> run(Map<String, OnnxTensor> inputs) throws OrtException {
    Map<String, Object> results = new HashMap<>();
    try (OrtSession.Result result = session.run(inputs)) {
      for (Map.Entry<String, OnnxValue> output : result) {
        results.put(output.getKey(), output.getValue().getValue());
      }
    }
    return results;
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }
}
