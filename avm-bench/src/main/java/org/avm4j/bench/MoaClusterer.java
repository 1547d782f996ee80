package org.avm4j.bench;

import com.yahoo.labs.samoa.instances.Instance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import moa.cluster.Cluster;
import moa.cluster.Clustering;
import moa.clusterers.AbstractClusterer;
import moa.clusterers.clustream.WithKmeans;
import moa.clusterers.macro.NonConvexCluster;
import moa.options.ClassOption;

/**
 * A clusterer of MOA 2024.07.0. Features are scaled to [0, 1] by ranges known beforehand, which its
 * distances need. A row belongs to the cluster with the nearest centre.
 */
final class MoaClusterer implements Learner {
  private final Instance[] instances;
  private final AbstractClusterer clusterer;
  private final int k;
  private List<double[]> centres;
  private List<Integer> numbers;

  /**
   * The clusterer of MOA's words after a number k, such as "5 clustree.ClusTree": its
   * micro-clusters are joined by k-means; with 0 it joins them itself.
   */
  MoaClusterer(Rows rows, String words) {
    instances = new Moa(rows, "functions.NoChange").instances;
    Arrays.stream(instances).forEach(one -> one.deleteAttributeAt(rows.dimension()));
    scale(rows.dimension());
    k = Integer.parseInt(words.substring(0, words.indexOf(' ')));
    String own = words.substring(words.indexOf(' ') + 1);
    clusterer =
        (AbstractClusterer)
            new ClassOption("learner", 'l', "learner", AbstractClusterer.class, own)
                .materializeObject(null, null);
    clusterer.prepareForUse();
  }

  private void scale(int dimension) {
    for (int i = 0; i < dimension; i++) {
      int at = i;
      double least = Arrays.stream(instances).mapToDouble(x -> x.value(at)).min().orElse(0);
      double most = Arrays.stream(instances).mapToDouble(x -> x.value(at)).max().orElse(0);
      double range = most > least ? most - least : 1;
      Arrays.stream(instances).forEach(x -> x.setValue(at, (x.value(at) - least) / range));
    }
  }

  @Override
  public void learn(int t) {
    clusterer.trainOnInstance(instances[t]);
    centres = null;
  }

  @Override
  public double predict(int t) {
    if (centres == null) {
      find();
    }
    double[] x = instances[t].toDoubleArray();
    double least = Double.POSITIVE_INFINITY;
    int nearest = 0;
    for (int c = 0; c < centres.size(); c++) {
      double distance = 0;
      for (int i = 0; i < x.length; i++) {
        double off = x[i] - centres.get(c)[i];
        distance += off * off;
      }
      nearest = distance < least ? numbers.get(c) : nearest;
      least = Math.min(least, distance);
    }
    return nearest;
  }

  private void find() {
    centres = new ArrayList<>();
    numbers = new ArrayList<>();
    Clustering micro = clusterer.getMicroClusteringResult();
    boolean isJoined = k > 0 && micro != null && micro.size() > k;
    Clustering found =
        isJoined
            ? WithKmeans.kMeans_rand(k, micro)
            : k > 0 ? micro : clusterer.getClusteringResult();
    for (int c = 0; found != null && c < found.size(); c++) {
      List<? extends Cluster> parts =
          found.get(c) instanceof NonConvexCluster shape
              ? shape.getMicroClusters()
              : List.of(found.get(c));
      for (Cluster part : parts) {
        centres.add(part.getCenter());
        numbers.add(c + 1);
      }
    }
  }
}
