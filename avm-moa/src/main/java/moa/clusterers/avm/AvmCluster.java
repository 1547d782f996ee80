package moa.clusterers.avm;

import com.yahoo.labs.samoa.instances.Instance;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import moa.classifiers.avm.AttributeEncoder;
import moa.cluster.SphereCluster;
import org.avm4j.Model;

/**
 * A cluster of any shape. MOA draws a sphere around it; the model decides which instances belong to
 * it.
 */
final class AvmCluster extends SphereCluster {
  private static final long serialVersionUID = 1L;

  private final AttributeEncoder encoder;
  private final int number;
  private transient Model model;

  AvmCluster(SphereCluster around, int number, AttributeEncoder encoder, Model model) {
    super(around.getCenter(), around.getRadius(), around.getWeight());
    this.number = number;
    this.encoder = encoder;
    this.model = model;
    setId(number);
  }

  /** 1 if the instance belongs to this cluster, else 0. */
  @Override
  public double getInclusionProbability(Instance instance) {
    return model.predict(encoder.encode(instance)) == number ? 1 : 0;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    out.writeObject(model.toBytes());
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    model = Model.fromBytes((byte[]) in.readObject());
  }
}
