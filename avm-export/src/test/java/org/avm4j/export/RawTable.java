package org.avm4j.export;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import org.avm4j.data.Missing;

/**
 * A table with a column of every kind and with missing values, as text and as other programs take
 * it. Dates and words are encoded here as docs/encoding.md describes it, without the library.
 */
final class RawTable {
  private static final DateTimeFormatter SEEN = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final DateTimeFormatter DAY_FIRST = DateTimeFormatter.ofPattern("dd/MM/yyyy");
  private static final DateTimeFormatter MONTH_FIRST = DateTimeFormatter.ofPattern("MM/dd/yyyy");
  private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");
  private static final String[] WORDS = {
    "Good", "bad", "Größe", "the", "very", "cheap", "no", "42", "naïve", "été", "𝔘nit"
  };

  private final List<Map<String, String>> rows = new ArrayList<>();

  /**
   * A table whose label depends on all columns.
   *
   * @param isNumber whether the label is a number and not one of three texts
   */
  RawTable(int count, boolean isNumber, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < count; i++) {
      rows.add(row(random, isNumber));
    }
  }

  private static Map<String, String> row(SplittableRandom random, boolean isNumber) {
    Map<String, String> row = new LinkedHashMap<>();
    LocalDateTime seen =
        LocalDateTime.of(2018, 1, 1, 0, 0).plusSeconds(random.nextLong(100_000_000));
    LocalDate born = LocalDate.of(1960, 1, 1).plusDays(random.nextInt(15_000));
    LocalDate paid = LocalDate.of(2015, 1, 1).plusDays(random.nextInt(2_000));
    int city = (int) (500 * Math.pow(random.nextDouble(), 2));
    double age = 20 + 40 * random.nextDouble();
    int price = random.nextInt(1_000_000);
    int colour = random.nextInt(4);
    StringBuilder note = new StringBuilder();
    for (int w = random.nextInt(6); w >= 0; w--) {
      note.append(WORDS[random.nextInt(WORDS.length)]).append(w % 2 == 0 ? " " : "! ");
    }
    row.put("seen", seen.format(SEEN) + "+02:00");
    row.put("born", born.format(DAY_FIRST));
    row.put("paid", paid.format(MONTH_FIRST));
    row.put("clock", "%02d:%02d".formatted(random.nextInt(24), random.nextInt(60)));
    row.put("city", "c" + city);
    row.put("age", String.format(Locale.ROOT, "%.3f", age));
    row.put("price", String.format(Locale.GERMANY, "%,.2f", price / 100.0));
    row.put("cost", String.format(Locale.US, "$%,d", price / 7));
    row.put("area", String.format(Locale.GERMANY, "%,.1f m²", 2000 * random.nextDouble()));
    row.put("took", "%dh %dm".formatted(random.nextInt(40), random.nextInt(60)));
    row.put("colour", new String[] {"red", "blue", "green", "grey"}[colour]);
    row.put("note", note.toString().strip());
    String[] marks = {"", "NA", "?", "null"};
    row.replaceAll((name, text) -> random.nextInt(12) == 0 ? marks[random.nextInt(4)] : text);
    double score =
        (age - 40) / 20
            + Math.cos(seen.getHour() * Math.PI / 12)
            + (born.getYear() - 1980) / 20.0
            + (city < 60 ? 1 : 0)
            + (note.indexOf("bad") >= 0 ? 1 : 0)
            + colour / 3.0
            + price / 1e6
            + Math.sin(paid.getDayOfYear() / 58.0);
    String label = score < 1.4 ? "low" : score < 2.6 ? "middle" : "high";
    row.put("label", isNumber ? String.format(Locale.ROOT, "%.4f", score) : label);
    return row;
  }

  /** Replaces the values of a column by these texts in turn. */
  RawTable with(String column, String... texts) {
    for (int r = 0; r < rows.size(); r++) {
      rows.get(r).put(column, texts[r % texts.length]);
    }
    return this;
  }

  int size() {
    return rows.size();
  }

  /** Writes the table as CSV. */
  Path csv(Path file) throws IOException {
    List<String> lines = new ArrayList<>(List.of(String.join(",", rows.get(0).keySet())));
    for (Map<String, String> row : rows) {
      lines.add(String.join(",", row.values().stream().map(cell -> '"' + cell + '"').toList()));
    }
    return Files.write(file, lines);
  }

  /** Writes the rows as JSON; a missing value is null or left out. */
  Path json(Path file) throws IOException {
    List<Map<String, String>> all = new ArrayList<>();
    for (Map<String, String> row : rows) {
      Map<String, String> one = new LinkedHashMap<>(row);
      one.replaceAll((name, text) -> Missing.isMissing(text) ? null : text);
      if (all.size() % 2 == 0) {
        one.values().removeIf(text -> text == null);
      }
      all.add(one);
    }
    new ObjectMapper().writeValue(file.toFile(), all);
    return file;
  }

  /** The inputs of an exported graph. */
  Map<String, Object> inputs() {
    Map<String, Object> inputs = new HashMap<>();
    inputs.put("age", numbers("age", 1, text -> new double[] {Double.parseDouble(text)}));
    inputs.put("price", numbers("price", 1, text -> new double[] {comma(text)}));
    inputs.put("cost", numbers("cost", 1, text -> new double[] {grouped(text)}));
    inputs.put("area", numbers("area", 1, text -> new double[] {comma(text.replace(" m²", ""))}));
    inputs.put("took", numbers("took", 1, text -> new double[] {seconds(text)}));
    inputs.put("city", texts("city"));
    inputs.put("colour", texts("colour"));
    inputs.put("note", buckets("note"));
    addDate(inputs, "seen", text -> LocalDateTime.parse(text.substring(0, 19), SEEN), true);
    addDate(inputs, "born", text -> LocalDate.parse(text, DAY_FIRST).atStartOfDay(), false);
    addDate(inputs, "paid", text -> LocalDate.parse(text, MONTH_FIRST).atStartOfDay(), false);
    addHour(inputs, "clock", text -> LocalDateTime.parse("2020-01-01 " + text + ":00", SEEN));
    return inputs;
  }

  private static double comma(String text) {
    return Double.parseDouble(text.replace(".", "").replace(',', '.'));
  }

  private static double grouped(String text) {
    return Double.parseDouble(text.replace("$", "").replace(",", ""));
  }

  private static double seconds(String text) {
    String[] parts = text.split("h |m");
    return 3600 * Double.parseDouble(parts[0]) + 60 * Double.parseDouble(parts[1]);
  }

  private interface Encoding {
    double[] of(String text);
  }

  private interface Time {
    LocalDateTime of(String text);
  }

  private interface Part {
    double of(LocalDateTime time);
  }

  private double[][] numbers(String column, int width, Encoding encoding) {
    double[][] all = new double[rows.size()][];
    for (int r = 0; r < all.length; r++) {
      String text = rows.get(r).get(column);
      boolean isMissing = Missing.isMissing(text);
      all[r] = isMissing ? new double[width] : encoding.of(text);
      if (isMissing && width == 1) {
        all[r][0] = Double.NaN;
      }
    }
    return all;
  }

  private String[][] texts(String column) {
    return rows.stream()
        .map(row -> row.get(column))
        .map(text -> new String[] {Missing.isMissing(text) ? "" : text})
        .toArray(String[][]::new);
  }

  private void addPart(Map<String, Object> to, String column, String part, Time time, Part value) {
    Encoding encoding = text -> new double[] {value.of(time.of(text))};
    to.put(column + " " + part, numbers(column, 1, encoding));
  }

  private void addCircle(Map<String, Object> to, String column, String part, Time time, Part turn) {
    addPart(to, column, part + " sin", time, at -> Math.sin(2 * Math.PI * turn.of(at)));
    addPart(to, column, part + " cos", time, at -> Math.cos(2 * Math.PI * turn.of(at)));
  }

  private void addDate(Map<String, Object> to, String column, Time time, boolean hasHour) {
    addPart(to, column, "year", time, at -> at.getYear() + season(at));
    addCircle(to, column, "season", time, RawTable::season);
    addCircle(to, column, "weekday", time, at -> (at.getDayOfWeek().getValue() - 1) / 7.0);
    if (hasHour) {
      addHour(to, column, time);
    }
  }

  private void addHour(Map<String, Object> to, String column, Time time) {
    addCircle(to, column, "hour", time, at -> hour(at) / 24);
  }

  private static double season(LocalDateTime at) {
    return (at.getDayOfYear() - 1 + hour(at) / 24) / at.toLocalDate().lengthOfYear();
  }

  private static double hour(LocalDateTime at) {
    return at.getHour() + at.getMinute() / 60.0 + at.getSecond() / 3600.0;
  }

  private double[][] buckets(String column) {
    return numbers(column, 1024, RawTable::encodedWords);
  }

  private static double[] encodedWords(String text) {
    double[] counts = new double[1024];
    String before = null;
    for (String word : BETWEEN_WORDS.split(text.toLowerCase(Locale.ROOT))) {
      counts[bucket(word)]++;
      if (before != null) {
        counts[bucket(before + " " + word)]++;
      }
      before = word;
    }
    double squares = 0;
    for (double count : counts) {
      squares += count * count;
    }
    for (int b = 0; b < counts.length; b++) {
      counts[b] /= Math.sqrt(squares);
    }
    return counts;
  }

  private static int bucket(String word) {
    int hash = 0x811c9dc5;
    for (char c : word.toCharArray()) {
      hash = (hash ^ c) * 0x01000193;
    }
    return (hash ^ hash >>> 15) & 1023;
  }
}
