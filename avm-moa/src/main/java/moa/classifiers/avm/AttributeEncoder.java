package moa.classifiers.avm;

import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.Instance;
import java.io.Serializable;
import org.avm4j.Features;

/**
 * Turns instances into features. All attributes are encoded, except the class if the header names
 * one. A numeric attribute is one feature. A nominal attribute has a feature for each of its
 * values, which is 1 if the value is present. A missing number counts as the mean of its attribute
 * so far; a missing nominal value sets no feature.
 */
public final class AttributeEncoder implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int NONE = -1;

  private final int classIndex;
  private final int[] firstFeature;
  private final boolean[] isNominal;
  private final boolean isNumeric;
  private final double[] means;
  private final long[] counts;

  /** An encoder for instances with the attributes of this one. */
  public AttributeEncoder(Instance example) {
    int n = example.numAttributes();
    boolean hasClass = example.dataset().classIndex() <= n;
    classIndex = hasClass ? example.classIndex() : NONE;
    firstFeature = new int[n + 1];
    isNominal = new boolean[n];
    means = new double[n];
    counts = new long[n];
    boolean hasOnlyNumbers = true;
    for (int a = 0; a < n; a++) {
      Attribute attribute = example.attribute(a);
      isNominal[a] = a != classIndex && attribute.isNominal();
      hasOnlyNumbers &= !isNominal[a];
      int features = a == classIndex ? 0 : isNominal[a] ? attribute.numValues() : 1;
      firstFeature[a + 1] = firstFeature[a] + features;
    }
    isNumeric = hasOnlyNumbers;
  }

  /** The features of an instance. */
  public Features encode(Instance instance) {
    Features.Buffer row = new Features.Buffer();
    boolean isSparse = isNumeric && instance.numValues() < firstFeature.length - 1;
    if (isSparse) {
      for (int i = 0; i < instance.numValues(); i++) {
        add(instance.index(i), instance.valueSparse(i), row);
      }
    } else {
      for (int a = 0; a < firstFeature.length - 1; a++) {
        add(a, instance.value(a), row);
      }
    }
    int dimension = firstFeature[firstFeature.length - 1];
    if (row.features().dimension() < dimension) {
      row.add(dimension - 1, 0);
    }
    return row.features();
  }

  private void add(int attribute, double value, Features.Buffer row) {
    if (attribute == classIndex) {
      return;
    }
    if (isNominal[attribute]) {
      int place = Double.isNaN(value) ? -1 : (int) value;
      if (place >= 0 && place < firstFeature[attribute + 1] - firstFeature[attribute]) {
        row.add(firstFeature[attribute] + place, 1);
      }
    } else {
      row.add(firstFeature[attribute], Double.isNaN(value) ? means[attribute] : value);
    }
  }

  /** Updates the means with the numbers of an instance. */
  void observe(Instance instance) {
    for (int i = 0; i < instance.numValues(); i++) {
      int attribute = instance.index(i);
      double value = instance.valueSparse(i);
      if (attribute != classIndex && !isNominal[attribute] && !Double.isNaN(value)) {
        counts[attribute]++;
        means[attribute] += (value - means[attribute]) / counts[attribute];
      }
    }
  }
}
