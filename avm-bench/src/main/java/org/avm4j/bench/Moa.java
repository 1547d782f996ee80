package org.avm4j.bench;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import com.yahoo.labs.samoa.instances.SparseInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import moa.classifiers.AbstractClassifier;
import moa.classifiers.functions.SGD;
import moa.classifiers.functions.SGDMultiClass;
import moa.classifiers.lazy.SAMkNN;
import moa.classifiers.meta.AdaptiveRandomForest;
import moa.classifiers.meta.LeveragingBag;
import moa.classifiers.meta.StreamingRandomPatches;
import moa.classifiers.trees.HoeffdingAdaptiveTree;
import moa.classifiers.trees.HoeffdingTree;
import org.avm4j.Features;

/** MOA 2024.07.0: a linear model by SGD, the Hoeffding tree and forests of it, as they come. */
final class Moa {
  private final Workload workload;
  private final InstancesHeader header;
  private final Instance[] instances;

  Moa(Workload workload) {
    this.workload = workload;
    header = header(workload);
    int[] labels = workload.classOfRows();
    instances = new Instance[labels.length];
    Arrays.setAll(instances, t -> instance(workload.rows()[t].features(), labels[t]));
  }

  private static InstancesHeader header(Workload workload) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < workload.dimension(); i++) {
      attributes.add(new Attribute("x" + i));
    }
    List<String> names = Arrays.stream(workload.classes()).mapToObj(Double::toString).toList();
    attributes.add(new Attribute("label", names));
    InstancesHeader header = new InstancesHeader(new Instances(workload.name(), attributes, 0));
    header.setClassIndex(attributes.size() - 1);
    return header;
  }

  private Instance instance(Features x, int label) {
    int d = header.numAttributes() - 1;
    Instance instance = 2 * x.count() < d ? sparse(x, d) : dense(x, d);
    instance.setDataset(header);
    instance.setClassValue(label);
    return instance;
  }

  private static Instance sparse(Features x, int d) {
    double[] values = new double[x.count() + 1];
    int[] indices = new int[x.count() + 1];
    for (int i = 0; i < x.count(); i++) {
      indices[i] = x.index(i);
      values[i] = x.value(i);
    }
    indices[x.count()] = d;
    return new SparseInstance(1, values, indices, d + 1);
  }

  private static Instance dense(Features x, int d) {
    double[] values = new double[d + 1];
    for (int i = 0; i < x.count(); i++) {
      values[x.index(i)] = x.value(i);
    }
    return new DenseInstance(1, values);
  }

  /** A linear model with hinge loss; several classes one against the rest. */
  Rival sgd(double rate, double lambda) {
    if (workload.classes().length == 2) {
      SGD sgd = new SGD();
      sgd.learningRateOption.setValue(rate);
      sgd.lambdaRegularizationOption.setValue(lambda);
      return start(sgd, () -> 1);
    }
    SGDMultiClass sgd = new SGDMultiClass();
    sgd.learningRateOption.setValue(rate);
    sgd.lambdaRegularizationOption.setValue(lambda);
    return start(sgd, () -> workload.classes().length);
  }

  /** The tree of Domingos and Hulten. */
  Rival tree() {
    HoeffdingTree tree = new HoeffdingTree();
    return start(tree, tree::getNodeCount);
  }

  /** The adaptive random forest of Gomes and others, in one thread. */
  Rival forest(int trees) {
    AdaptiveRandomForest forest = new AdaptiveRandomForest();
    forest.ensembleSizeOption.setValue(trees);
    forest.setRandomSeed(1);
    return start(forest, () -> trees);
  }

  /** The tree of Bifet and Gavaldà that replaces branches whose error rises. */
  Rival adaptiveTree() {
    return start(new HoeffdingAdaptiveTree(), () -> 1);
  }

  /** The bagging of Bifet, Holmes and Pfahringer, ten trees. */
  Rival leveragingBag() {
    LeveragingBag bag = new LeveragingBag();
    bag.setRandomSeed(1);
    return start(bag, () -> 10);
  }

  /** The random patches of Gomes, Read and Bifet, in one thread. */
  Rival randomPatches(int trees) {
    StreamingRandomPatches patches = new StreamingRandomPatches();
    patches.ensembleSizeOption.setValue(trees);
    patches.setRandomSeed(1);
    return start(patches, () -> trees);
  }

  /** The nearest neighbours of Losing, Hammer and Wersing, with memories of several lengths. */
  Rival selfAdjustingNeighbours() {
    return start(new SAMkNN(), () -> 1);
  }

  private Rival start(AbstractClassifier classifier, IntSupplier size) {
    classifier.prepareForUse();
    classifier.setModelContext(header); // SAMkNN needs this order, which is MOA's own
    return Ours.contender(
        t -> {
          boolean isRight =
              largest(classifier.getVotesForInstance(instances[t]))
                  == (int) instances[t].classValue();
          classifier.trainOnInstance(instances[t]);
          return isRight;
        },
        size);
  }

  private static int largest(double[] votes) {
    int largest = 0;
    for (int c = 1; c < votes.length; c++) {
      largest = votes[c] > votes[largest] ? c : largest;
    }
    return largest;
  }
}
