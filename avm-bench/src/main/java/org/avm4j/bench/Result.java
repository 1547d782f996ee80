package org.avm4j.bench;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a cell.
 *
 * @param cell what was measured
 * @param task binary, multiclass or regression
 * @param rows the rows that were answered
 * @param error the percentage of mistakes, or the RMSE; NaN if the learner failed
 * @param constant the same of the commonest class or the mean, over the same rows
 * @param noChange the same of the last label known
 * @param worst the error of the worst thousand rows, from one multiple of a thousand to the next
 * @param micros processor time of the thread, a row
 * @param bytes the size of the saved learner; 0 if unknown
 * @param joules the energy used by the processors; 0 if unknown
 * @param cut the limit in seconds that ended the cell before its rows did, or 0
 * @param alone whether nothing else ran beside it in this process
 * @param digest CRC-32 over the bits of all answers
 * @param more further measures by name: of labels, intervals or clusters
 */
record Result(
    Cell cell,
    String task,
    int rows,
    double error,
    double constant,
    double noChange,
    double worst,
    double micros,
    long bytes,
    double joules,
    int cut,
    boolean alone,
    String digest,
    Map<String, Double> more) {
  static final String HEADER =
      "stream,order,most,learner,delay,labels,build,task,rows,error,constant,noChange,worst,micros,"
          + "bytes,joules,cut,alone,digest,more";

  boolean isRegression() {
    return task.equals("regression");
  }

  boolean hasFailed() {
    return !Double.isFinite(error);
  }

  /** Whether the cell need not be measured again with this limit of seconds. */
  boolean isEnough(int seconds, boolean isTiming) {
    return (cut == 0 || cut >= seconds) && (alone || !isTiming);
  }

  /** The processor time of all rows; of a split, four in five rows are learned and not answered. */
  double seconds() {
    return micros * rows * (cell.isSplit() ? CellRun.FIFTHS : 1) / 1e6;
  }

  /** The error of the better rule. */
  double rule() {
    return Math.min(constant, noChange);
  }

  /**
   * The fraction of the error of a rule that is avoided: KappaM or KappaT of MOA; NaN for numbers.
   */
  double kappa(double rule) {
    return isRegression() || rule == 0 ? Double.NaN : 1 - error / rule;
  }

  /** A line of the file of results; further measures are written as NAME=VALUE. */
  String line() {
    String further =
        more.entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining(" "));
    Stream<?> own =
        Stream.of(
            task, rows, error, constant, noChange, worst, micros, bytes, joules, cut, alone, digest,
            further);
    return Stream.concat(cell.fields(), own).map(String::valueOf).collect(Collectors.joining(","));
  }

  static Result parse(String line) {
    String[] f = line.split(",", -1);
    int[] of = Stream.of(f[2], f[4], f[5], f[8], f[16]).mapToInt(Integer::parseInt).toArray();
    double[] x = Arrays.stream(f, 9, 16).mapToDouble(Double::parseDouble).toArray();
    Cell cell = new Cell(f[0], f[1], of[0], f[3], of[1], of[2], f[6]);
    boolean alone = Boolean.parseBoolean(f[17]);
    Map<String, Double> more = new TreeMap<>();
    for (String one : f[19].isEmpty() ? new String[0] : f[19].split(" ")) {
      more.put(one.split("=")[0], Double.valueOf(one.split("=")[1]));
    }
    return new Result(
        cell,
        f[7],
        of[3],
        x[0],
        x[1],
        x[2],
        x[3],
        x[4],
        (long) x[5],
        x[6],
        of[4],
        alone,
        f[18],
        more);
  }
}
