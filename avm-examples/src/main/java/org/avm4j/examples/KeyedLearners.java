package org.avm4j.examples;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;

/**
 * A learner for each key, such as a customer or a sensor, made when its first instance arrives. All
 * of them are saved to one stream and restored from it, and go on bit for bit.
 */
public final class KeyedLearners {
  private final Supplier<? extends OnlineLearner> factory;
  private final Map<String, OnlineLearner> learners = new TreeMap<>();

  /** No key yet; the factory makes the learner of a new one. */
  public KeyedLearners(Supplier<? extends OnlineLearner> factory) {
    this.factory = factory;
  }

  /** Answers an instance of a key, then learns it. */
  public double observe(String key, Features x, double y) {
    OnlineLearner learner = learners.computeIfAbsent(key, unused -> factory.get());
    double answer = learner.predict(x);
    learner.learn(x, y);
    return answer;
  }

  /** The number of keys. */
  public int size() {
    return learners.size();
  }

  /** Writes all learners: how many, then each with its key. */
  public void save(OutputStream stream) throws IOException {
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(stream));
    out.writeInt(learners.size());
    for (Map.Entry<String, OnlineLearner> entry : learners.entrySet()) {
      out.writeUTF(entry.getKey());
      entry.getValue().write(out);
    }
    out.flush();
  }

  /** Replaces all learners by those that {@link #save} wrote. */
  public void restore(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(stream));
    Map<String, OnlineLearner> restored = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      restored.put(in.readUTF(), OnlineLearner.read(in));
    }
    learners.clear();
    learners.putAll(restored);
  }
}
