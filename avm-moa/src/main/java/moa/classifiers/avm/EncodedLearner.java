package moa.classifiers.avm;

import com.yahoo.labs.samoa.instances.Instance;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.avm4j.Features;
import org.avm4j.OnlineLearner;

/** A learner of MOA instances. Its serialized form holds the learner in the format of its file. */
public final class EncodedLearner implements Serializable {
  private static final long serialVersionUID = 1L;

  private final AttributeEncoder encoder;
  private transient OnlineLearner learner;

  /** A learner of instances with the attributes of the example. */
  public EncodedLearner(Instance example, OnlineLearner learner) {
    encoder = new AttributeEncoder(example);
    this.learner = learner;
  }

  /** The learner itself. */
  public OnlineLearner learner() {
    return learner;
  }

  /** The encoder of instances. */
  public AttributeEncoder encoder() {
    return encoder;
  }

  /** The features of an instance. */
  public Features features(Instance instance) {
    return encoder.encode(instance);
  }

  /** Learns an instance with its weight. */
  public void learn(Instance instance, double label) {
    learner.learn(encoder.encode(instance), label, instance.weight());
    encoder.observe(instance);
  }

  /** Observes an instance without a class. */
  public void observe(Instance instance) {
    if (learner.observe(encoder.encode(instance))) {
      encoder.observe(instance);
    }
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeObject(learner.toBytes());
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    learner = OnlineLearner.fromBytes((byte[]) in.readObject());
  }
}
