package moa.clusterers.avm;

import com.github.javacliparser.IntOption;
import com.yahoo.labs.samoa.instances.Instance;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import moa.classifiers.avm.EncodedLearner;
import moa.cluster.Cluster;
import moa.cluster.Clustering;
import moa.cluster.SphereCluster;
import moa.clusterers.AbstractClusterer;
import moa.core.Measurement;
import moa.core.StringUtils;
import org.avm4j.ClusterSummary;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.cluster.ClusterLearner;
import org.avm4j.cluster.ClusterOptions;
import org.avm4j.form.ModelForm;
import org.avm4j.form.OpenModel;

/**
 * Support vector clustering of a stream. Neither a number of clusters nor a distance must be given,
 * clusters may have any shape, and noise belongs to no cluster.
 */
public class AvmClusterer extends AbstractClusterer {
  private static final long serialVersionUID = 1L;

  /** The largest number of cells. */
  public final IntOption sizeOption =
      new IntOption(
          "maxSize", 's', "Largest number of cells.", ClusterOptions.DEFAULT.maxSize(), 16, 10_000);

  /** The number of instances after which an instance counts 1/e; 0 to forget nothing. */
  public final IntOption forgettingOption =
      new IntOption(
          "forgetting",
          'f',
          "Instances after which an instance counts 1/e; 0 to forget nothing.",
          0,
          0,
          Integer.MAX_VALUE);

  private EncodedLearner encoded;

  /** A clusterer with the default options. */
  public AvmClusterer() {}

  @Override
  public String getPurposeString() {
    return "Support vector clustering of a stream: any shape, no number of clusters to choose.";
  }

  @Override
  public void resetLearningImpl() {
    encoded = null;
  }

  @Override
  public void trainOnInstanceImpl(Instance instance) {
    if (encoded == null) {
      int horizon = forgettingOption.getValue();
      ClusterOptions options =
          new ClusterOptions(sizeOption.getValue(), horizon == 0 ? 0 : Math.max(2, horizon));
      encoded = new EncodedLearner(instance, new ClusterLearner(options));
    }
    encoded.learn(instance, Double.NaN);
  }

  /** 1 for the cluster of the instance and 0 for the others, in the order of their numbers. */
  @Override
  public double[] getVotesForInstance(Instance instance) {
    if (encoded == null) {
      return new double[0];
    }
    int number = (int) encoded.learner().predict(encoded.features(instance));
    return encoded.learner().clusters().stream()
        .flatMap(found -> found.clusters().stream())
        .mapToInt(ClusterSummary.Cluster::number)
        .sorted()
        .mapToDouble(one -> one == number ? 1 : 0)
        .toArray();
  }

  /** The current clusters. */
  @Override
  public Clustering getClusteringResult() {
    Clustering result = new Clustering();
    if (encoded != null) {
      Model model = encoded.learner().settled();
      ModelForm.Cells cells = cells(model);
      model.clusters().stream()
          .flatMap(found -> found.clusters().stream())
          .forEach(one -> result.add(cluster(one, model, cells)));
    }
    return result;
  }

  private Cluster cluster(ClusterSummary.Cluster one, Model model, ModelForm.Cells cells) {
    double[] centre = dense(one.centre(), cells.dimension());
    double radius =
        IntStream.range(0, cells.centres().size())
            .filter(j -> cells.numbers().get(j) == one.number())
            .mapToDouble(j -> distance(centre, original(cells, j)) + reach(cells, j))
            .max()
            .orElse(0);
    SphereCluster around = new SphereCluster(centre, radius, one.size());
    return new AvmCluster(around, one.number(), encoded.encoder(), model);
  }

  @Override
  public boolean implementsMicroClusterer() {
    return true;
  }

  /** The cells that belong to clusters. */
  @Override
  public Clustering getMicroClusteringResult() {
    Clustering result = new Clustering();
    if (encoded != null) {
      ModelForm.Cells cells = cells(encoded.learner().settled());
      IntStream.range(0, cells.centres().size())
          .filter(j -> cells.numbers().get(j) != ClusterSummary.Cluster.NOISE)
          .mapToObj(
              j -> new SphereCluster(original(cells, j), reach(cells, j), cells.weights().get(j)))
          .forEach(result::add);
    }
    return result;
  }

  private static ModelForm.Cells cells(Model model) {
    return (ModelForm.Cells) model.inspect(OpenModel.class).orElseThrow().form();
  }

  /** The centre of a cell in the units of the attributes. */
  private static double[] original(ModelForm.Cells cells, int j) {
    List<ModelForm.FeatureScale> scales = cells.scales();
    Features z = cells.centres().get(j);
    return each(scales, i -> scales.get(i).original(z.get(i)));
  }

  /** The reach of a cell, scaled by the root mean square of the units of the attributes. */
  private static double reach(ModelForm.Cells cells, int j) {
    double[] units = each(cells.scales(), i -> unit(cells.scales().get(i)));
    double length = distance(units, new double[units.length]) / Math.sqrt(units.length);
    return cells.reaches().get(j) * length;
  }

  private static double unit(ModelForm.FeatureScale scale) {
    return scale.factor() > 0 ? 1 / scale.factor() : 0;
  }

  private static double[] each(List<?> features, IntToDoubleFunction value) {
    return IntStream.range(0, features.size()).mapToDouble(value).toArray();
  }

  private static double[] dense(Features x, int dimension) {
    return IntStream.range(0, dimension).mapToDouble(x::get).toArray();
  }

  private static double distance(double[] a, double[] b) {
    return Math.sqrt(
        IntStream.range(0, a.length).mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i])).sum());
  }

  @Override
  protected Measurement[] getModelMeasurementsImpl() {
    return new Measurement[] {
      new Measurement("cells", encoded == null ? 0 : encoded.learner().size())
    };
  }

  @Override
  public void getModelDescription(StringBuilder out, int indent) {
    String text = encoded == null ? "Nothing was learned yet." : encoded.learner().toString();
    StringUtils.appendIndented(out, indent, text);
  }

  @Override
  public boolean isRandomizable() {
    return false;
  }
}
