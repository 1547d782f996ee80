package org.avm4j.eval;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleFunction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** RMSE, MAE and R² of numbers. */
public final class RegressionMetrics implements Metrics {
  private long n;
  private double squaredErrors;
  private double absoluteErrors;
  private double mean;
  private double squaredDeviations;

  /** Metrics without answers. */
  public RegressionMetrics() {}

  @Override
  public void add(double label, double answer, double[] scores) {
    n++;
    double error = answer - label;
    squaredErrors += error * error;
    absoluteErrors += Math.abs(error);
    double before = label - mean;
    mean += before / n;
    squaredDeviations += before * (label - mean);
  }

  @Override
  public long instances() {
    return n;
  }

  @Override
  public String name() {
    return "rmse";
  }

  @Override
  public double value() {
    return n == 0 ? 0 : Math.sqrt(squaredErrors / n);
  }

  /** RMSE, MAE, and R² = 1 - Σ error² / Σ (y - ȳ)² where the labels differ at all. */
  @Override
  public Map<String, Object> all(DoubleFunction<String> names) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rmse", value());
    all.put("mae", n == 0 ? 0.0 : absoluteErrors / n);
    if (squaredDeviations > 0) {
      all.put("r2", 1 - squaredErrors / squaredDeviations);
    }
    return all;
  }

  @Override
  public Metrics fresh() {
    return new RegressionMetrics();
  }

  @Override
  public void encode(Encoder out) {
    out.int32(1);
    out.int64(n);
    out.float64(squaredErrors);
    out.float64(absoluteErrors);
    out.float64(mean);
    out.float64(squaredDeviations);
  }

  static RegressionMetrics decodeContent(Decoder in) throws ModelFileException {
    RegressionMetrics metrics = new RegressionMetrics();
    metrics.n = in.count("the answers");
    metrics.squaredErrors = in.float64();
    metrics.absoluteErrors = in.float64();
    metrics.mean = in.float64();
    metrics.squaredDeviations = in.float64();
    return metrics;
  }
}
