package org.avm4j.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/**
 * Small tables on which promises are checked: public ones in {@code AVM_DATA}, and generated ones.
 */
final class PromiseTables {
  /** The usual number of rows of a table, to learn and to check together. */
  static final int USUAL_ROWS = 1000;

  private PromiseTables() {}

  /**
   * A table of text.
   *
   * @param label the column of labels; null if the format defines it
   * @param isTimed whether rows are in the order of time
   * @param most the maximum number of rows, to learn and to check together
   * @param header the first line; null if there is none
   */
  record Table(
      String name,
      String label,
      boolean isTimed,
      int most,
      String header,
      List<String> rows,
      String ending) {
    /**
     * Rows to learn, and rows to check the promise on: of rows in the order of time the last sixth
     * of a random stretch, of others three eighths, drawn at random.
     */
    Split split(long seed) {
      Random random = new Random(seed);
      int count = Math.min(most, rows.size());
      if (isTimed) {
        int first = random.nextInt(rows.size() - count + 1);
        int learned = count * 5 / 6;
        List<String> some = rows.subList(first, first + count);
        return new Split(some.subList(0, learned), some.subList(learned, count));
      }
      List<String> shuffled = new ArrayList<>(rows);
      Collections.shuffle(shuffled, random);
      int learned = count * 5 / 8;
      return new Split(shuffled.subList(0, learned), shuffled.subList(learned, count));
    }

    Path write(Path folder, String file, List<String> some) throws IOException {
      List<String> lines = new ArrayList<>(header == null ? List.of() : List.of(header));
      lines.addAll(some);
      return Files.write(folder.resolve(file + ending), lines);
    }
  }

  /** Rows to learn, and rows to check. */
  record Split(List<String> learned, List<String> tried) {}

  /** All tables, or those of the given names. */
  static List<Table> tables(List<String> names, int most) throws IOException {
    List<Table> all = new ArrayList<>();
    for (String generated : List.of("classes", "numbers", "wide")) {
      if (names.isEmpty() || names.contains(generated)) {
        all.add(generated(generated, most));
      }
    }
    for (String series : List.of("growing", "seasons")) {
      if (names.isEmpty() || names.contains(series)) {
        all.add(series(series, most));
      }
    }
    String data = System.getenv("AVM_DATA");
    for (String line : PUBLIC) {
      String[] words = line.split("\\|");
      if (data != null && (names.isEmpty() || names.contains(words[0]))) {
        all.add(stored(Path.of(data), words, most));
      }
    }
    return all;
  }

  /** Name, file, label, whether rows are in the order of time, and a label that means none. */
  private static final List<String> PUBLIC =
      List.of(
          "titanic|raw/titanic.csv|survived|",
          "prostate|raw/prostate.csv|CAPSULE|",
          "cars|raw/cars.csv|economy (mpg)|",
          "bank|raw/bank-full.csv|y|",
          "adult|a9a.libsvm||",
          "housing|cal_housing.libsvm||",
          "magic|magic.libsvm||",
          "pollution|raw/pollution.csv|pm2.5|timed",
          "temperature|raw/pollution.csv|TEMP|timed",
          "airquality|raw/AirQualityUCI.csv|CO(GT)|timed|-200",
          "nox|raw/AirQualityUCI.csv|NOx(GT)|timed|-200",
          "etth1|etth1.libsvm||timed",
          "elec|elec.libsvm||timed",
          "metrotraffic|metrotraffic.libsvm||timed");

  private static Table stored(Path folder, String[] words, int most) throws IOException {
    Path file = folder.resolve(words[1] + ".gz");
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      List<String> all = lines.lines().toList();
      boolean isCsv = words[1].endsWith(".csv");
      return new Table(
          words[0],
          isCsv ? words[2] : null,
          words.length > 3 && words[3].equals("timed"),
          most,
          isCsv ? all.get(0) : null,
          isCsv ? labelled(all, words) : all,
          isCsv ? ".csv" : ".libsvm");
    }
  }

  private static List<String> labelled(List<String> all, String[] words) {
    List<String> rows = all.subList(1, all.size());
    if (words.length < 5) {
      return rows;
    }
    int place = List.of(all.get(0).split(",", -1)).indexOf(words[2]);
    return rows.stream()
        .map(row -> row.split(",", -1))
        .filter(fields -> fields.length > place && !fields[place].startsWith(words[4]))
        .map(fields -> String.join(",", fields))
        .toList();
  }

  /**
   * A smooth surface: a fifth of the labels of classes is wrong, a third of the variance of numbers
   * is noise; twelve columns of the wide one mean nothing.
   */
  private static Table generated(String name, int most) {
    Random random = new Random(11);
    int columns = name.equals("wide") ? 16 : 4;
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < most; i++) {
      double[] x = random.doubles(columns).map(u -> 2 * u - 1).toArray();
      double truth = Math.sin(3 * x[0]) + x[1] * x[2];
      boolean isHigh = truth > 0 ^ random.nextInt(5) == 0;
      double number = truth + 0.5 * random.nextGaussian();
      StringBuilder row = new StringBuilder();
      for (double value : x) {
        row.append(value).append(',');
      }
      rows.add(row.append(name.equals("classes") ? isHigh ? "high" : "low" : number).toString());
    }
    StringBuilder header = new StringBuilder();
    for (int c = 0; c < columns; c++) {
      header.append('x').append(c).append(',');
    }
    return new Table(name, "y", false, most, header + "y", rows, ".csv");
  }

  /**
   * Days on which a number follows a column and the season of the year: growing sales, whose noise
   * grows with them, or a level that wanders around the season.
   */
  private static Table series(String name, int most) {
    Random random = new Random(12);
    List<String> rows = new ArrayList<>();
    double level = 0;
    for (int i = 0; i < 3 * most; i++) {
      double x = 2 * random.nextDouble() - 1;
      level = 0.98 * level + 0.1 * random.nextGaussian();
      double season = Math.sin(2 * Math.PI * i / 365) + Math.sin(3 * x);
      double noise = 0.3 * random.nextGaussian();
      double y =
          name.equals("growing")
              ? (100 + 0.2 * i) * (1 + 0.2 * season + 0.3 * noise)
              : season + level + noise;
      rows.add(LocalDate.EPOCH.plusDays(i) + "," + x + "," + y);
    }
    return new Table(name, "y", true, most, "day,x,y", rows, ".csv");
  }
}
