package org.avm4j.export;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Decimal;

/** Parses a LIBSVM model file: header lines of a key and words, then «SV» and the vectors. */
final class LibsvmFile {
  private static final double LARGEST = 1e100;

  private final String name;
  private final BufferedReader in;
  private final Map<String, String[]> header = new HashMap<>();
  private final Map<String, Long> lineOf = new HashMap<>();
  private final List<Features> vectors = new ArrayList<>();
  private final List<double[]> coefficients = new ArrayList<>();
  private long line;

  LibsvmFile(String name, InputStream in) {
    this.name = name;
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1));
  }

  List<Features> vectors() {
    return vectors;
  }

  /** Column {@code c} of the coefficients of all vectors, times a sign. */
  double[] column(int c, double sign) {
    return coefficients.stream().mapToDouble(ofVector -> sign * ofVector[c]).toArray();
  }

  /** Whether the first word after a key is one of these. */
  boolean isOneOf(String key, Set<String> words) throws BadDataException {
    return words.contains(value(key));
  }

  /** The whole number at a place after a key, the first at 1; throws if it is out of range. */
  int count(String key, int place, int least, int most) throws BadDataException {
    double number = number(key, place);
    if (number != Math.rint(number) || number < least || number > most) {
      throw wrong(key, "a whole number from " + least + " to " + most);
    }
    return (int) number;
  }

  /** Reads the lines up to «SV». */
  void readHeader() throws IOException {
    for (String text = next(); !text.strip().equals("SV"); text = next()) {
      String[] words = text.strip().split("[ \t]+");
      header.put(words[0], words);
      lineOf.put(words[0], line);
    }
  }

  private String next() throws IOException {
    String text = in.readLine();
    if (text == null) {
      throw new BadDataException(name, line + 1, "the file ends before its line 'SV'");
    }
    line++;
    return text;
  }

  double number(String key) throws BadDataException {
    return number(key, 1);
  }

  /** The number at a place after a key, the first at 1. */
  double number(String key, int place) throws BadDataException {
    String[] words = words(key);
    double number = words.length > place ? Decimal.parse(words[place]) : Double.NaN;
    if (!(Math.abs(number) <= LARGEST)) {
      throw wrong(key, "a number within ±1e100");
    }
    return number;
  }

  private String value(String key) throws BadDataException {
    String[] words = words(key);
    return words.length > 1 ? words[1] : "";
  }

  private String[] words(String key) throws BadDataException {
    String[] words = header.get(key);
    if (words == null) {
      throw new BadDataException(name, line, "expected a line '" + key + "' before 'SV'");
    }
    return words;
  }

  /** An exception about a line of the header. */
  BadDataException wrong(String key, String expected) {
    String[] words = header.get(key);
    String found = words.length > 1 ? words[1] : "";
    return new BadDataException(
        name,
        lineOf.get(key),
        key + " must be " + expected + ", found " + BadDataException.quote(found));
  }

  /** Reads the vectors, each after its coefficients. */
  void readVectors(int columns) throws IOException {
    for (String text = in.readLine(); text != null; text = in.readLine()) {
      line++;
      if (!text.isBlank()) {
        addVector(text.strip().split("[ \t]+"), columns);
      }
    }
    double announced = number("total_sv");
    if (announced != vectors.size() || vectors.isEmpty()) {
      throw wrong("total_sv", "the number of lines after 'SV', which is " + vectors.size());
    }
  }

  private void addVector(String[] words, int columns) throws BadDataException {
    double[] ofVector = new double[columns];
    for (int c = 0; c < columns; c++) {
      String word = c < words.length ? words[c] : "";
      ofVector[c] = Decimal.parse(word);
      if (!(Math.abs(ofVector[c]) <= LARGEST)) {
        throw bad("a coefficient", word);
      }
    }
    Features.Buffer row = new Features.Buffer();
    for (int i = columns; i < words.length; i++) {
      addEntry(words[i], row);
    }
    coefficients.add(ofVector);
    vectors.add(row.features().copy());
  }

  private void addEntry(String word, Features.Buffer row) throws BadDataException {
    int colon = word.indexOf(':');
    double index = colon < 0 ? Double.NaN : Decimal.parse(word.substring(0, colon));
    double value = colon < 0 ? Double.NaN : Decimal.parse(word.substring(colon + 1));
    boolean isIndex = index == Math.rint(index) && index > row.features().dimension();
    if (!isIndex || index > Features.MAX_DIMENSION || !(Math.abs(value) <= 1e15)) {
      throw bad("index:value with ascending indices from 1 and values within ±1e15", word);
    }
    row.add((int) index - 1, value);
  }

  private BadDataException bad(String expected, String found) {
    return new BadDataException(
        name, line, "expected " + expected + ", found " + BadDataException.quote(found));
  }
}
