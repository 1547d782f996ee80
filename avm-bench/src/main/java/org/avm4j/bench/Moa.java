package org.avm4j.bench;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import moa.classifiers.AbstractClassifier;
import moa.options.ClassOption;
import org.avm4j.Certainty.Interval;
import org.avm4j.Features;

/** A learner of MOA 2024.07.0 over the unscaled rows of a stream. */
final class Moa implements Learner {
  private final Rows rows;
  private final InstancesHeader header;
  final Instance[] instances;
  private final AbstractClassifier classifier;
  private final double sure;
  double[] votes;

  /** The learner that MOA makes of its own words, such as "meta.AdaptiveRandomForest -s 10". */
  Moa(Rows rows, String words) {
    this(rows, words, Double.POSITIVE_INFINITY);
  }

  /** The same with self-training: it learns its own answer where this part of the votes agrees. */
  Moa(Rows rows, String words, double sure) {
    this.rows = rows;
    this.sure = sure;
    header = header(rows);
    instances = new Instance[rows.size()];
    Arrays.setAll(instances, this::instance);
    classifier =
        (AbstractClassifier)
            new ClassOption("learner", 'l', "learner", AbstractClassifier.class, words)
                .materializeObject(null, null);
    classifier.prepareForUse();
    classifier.setModelContext(header); // SAMkNN needs this order, which is MOA's own
  }

  private static InstancesHeader header(Rows rows) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < rows.dimension(); i++) {
      attributes.add(new Attribute("x" + i));
    }
    List<String> names = Arrays.stream(rows.classes()).mapToObj(Double::toString).toList();
    attributes.add(rows.isRegression() ? new Attribute("y") : new Attribute("label", names));
    InstancesHeader header = new InstancesHeader(new Instances("rows", attributes, 0));
    header.setClassIndex(attributes.size() - 1);
    return header;
  }

  /** All values, zeros too: MOA's learners take longer over sparse rows, for the same answers. */
  private Instance instance(int t) {
    Features x = rows.features(t);
    double[] values = new double[header.numAttributes()];
    for (int i = 0; i < x.count(); i++) {
      values[x.index(i)] = x.value(i);
    }
    values[values.length - 1] = rows.coded(rows.label(t));
    Instance instance = new DenseInstance(1, values);
    instance.setDataset(header);
    return instance;
  }

  @Override
  public double predict(int t) {
    votes = classifier.getVotesForInstance(instances[t]);
    if (rows.isRegression()) {
      return votes.length == 0 ? 0 : votes[votes.length / 2];
    }
    return rows.decoded(largest());
  }

  private int largest() {
    int largest = 0;
    for (int c = 1; c < votes.length; c++) {
      largest = votes[c] > votes[largest] ? c : largest;
    }
    return largest;
  }

  /** {@inheritDoc} MOA answers the low end, the number and the high end. */
  @Override
  public Optional<Interval> interval() {
    return votes.length == 3 && rows.isRegression() && votes[0] <= votes[2]
        ? Optional.of(new Interval(votes[0], votes[2]))
        : Optional.empty();
  }

  /** {@inheritDoc} With self-training, learns the answer as the label if it is sure of it. */
  @Override
  public void observe(int t) {
    if (sure <= 1) {
      Instance own = instances[t].copy();
      own.setClassValue(rows.coded(predict(t)));
      double sum = Arrays.stream(votes).sum();
      if (sum > 0 && votes[largest()] >= sure * sum) {
        classifier.trainOnInstance(own);
      }
    }
  }

  @Override
  public void learn(int t) {
    classifier.trainOnInstance(instances[t]);
  }

  /** {@inheritDoc} MOA saves by Java's serialization; deep trees may be too deep for that. */
  @Override
  public long bytes() {
    DataOutputStream counter = new DataOutputStream(OutputStream.nullOutputStream());
    try (ObjectOutputStream out = new ObjectOutputStream(counter)) {
      out.writeObject(classifier);
    } catch (IOException | StackOverflowError impossible) {
      return 0;
    }
    return counter.size();
  }
}
