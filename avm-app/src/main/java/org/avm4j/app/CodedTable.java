package org.avm4j.app;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.io.Compression;

/**
 * Replaces the texts of a table without header by numbers: in each column in alphabetical order
 * from 1, in the last column, the label, from 0. Numbers are not changed.
 */
final class CodedTable {
  private static final Pattern MORE = Pattern.compile("(\\d{1,6}):(.+)");

  private final Path from;
  private final List<SortedSet<String>> texts = new ArrayList<>();

  private CodedTable(Path from) {
    this.from = from;
  }

  /**
   * Writes the table with numbers only.
   *
   * @param more texts that count although they do not occur, as COLUMN:TEXT, columns from 1
   */
  static void write(Path from, String more, Path to) throws IOException {
    CodedTable table = new CodedTable(from);
    table.collect();
    for (String text : more.isBlank() ? new String[0] : more.strip().split(" ")) {
      table.add(text);
    }
    table.writeTo(to);
  }

  private void add(String columnAndText) {
    Matcher parts = MORE.matcher(columnAndText);
    int column = parts.matches() ? Integer.parseInt(parts.group(1)) : 0;
    if (column < 1 || column > texts.size()) {
      throw new Failure(
          Failure.BAD_DATA,
          "coded: expected COLUMN:TEXT with a column from 1 to "
              + texts.size()
              + ": "
              + columnAndText);
    }
    texts.get(column - 1).add(parts.group(2));
  }

  private BufferedReader open() throws IOException {
    return new BufferedReader(
        new InputStreamReader(
            Compression.unpack(from.toString(), Files.newInputStream(from)),
            StandardCharsets.UTF_8));
  }

  /** The next line that is not blank; null at the end. */
  private static String next(BufferedReader reader) throws IOException {
    String line = reader.readLine();
    while (line != null && line.isBlank()) {
      line = reader.readLine();
    }
    return line;
  }

  private void collect() throws IOException {
    try (BufferedReader reader = open()) {
      for (String line = next(reader); line != null; line = next(reader)) {
        String[] cells = line.split(",", -1);
        while (texts.size() < cells.length) {
          texts.add(new TreeSet<>());
        }
        for (int i = 0; i < cells.length; i++) {
          if (!isNumber(cells[i])) {
            texts.get(i).add(cells[i]);
          }
        }
      }
    }
  }

  private static boolean isNumber(String cell) {
    return !cell.isEmpty() && (Character.isDigit(cell.charAt(0)) || cell.charAt(0) == '-');
  }

  private void writeTo(Path to) throws IOException {
    List<List<String>> ordered = texts.stream().map(List::copyOf).toList();
    try (BufferedReader reader = open();
        BufferedWriter writer = Files.newBufferedWriter(to)) {
      for (String line = next(reader); line != null; line = next(reader)) {
        String[] cells = line.split(",", -1);
        for (int i = 0; i < cells.length; i++) {
          int place = ordered.get(i).indexOf(cells[i]);
          boolean isLabel = i == texts.size() - 1;
          cells[i] = place < 0 ? cells[i] : Integer.toString(isLabel ? place : place + 1);
        }
        writer.write(String.join(",", cells));
        writer.newLine();
      }
    }
  }
}
