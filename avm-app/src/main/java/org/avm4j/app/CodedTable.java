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
import org.avm4j.io.Compression;

/**
 * Numbers the texts of a table without header: in each column in the order of the alphabet, from 1
 * on, in the last column, the label, from 0 on. Columns of numbers stay as they are.
 */
final class CodedTable {
  private final Path from;
  private final List<SortedSet<String>> texts = new ArrayList<>();

  private CodedTable(Path from) {
    this.from = from;
  }

  /**
   * Writes the table again with numbers only.
   *
   * @param more texts to be numbered though they do not occur, as COLUMN:TEXT, columns from 1
   */
  static void write(Path from, String more, Path to) throws IOException {
    CodedTable table = new CodedTable(from);
    table.collect();
    for (String text : more.isBlank() ? new String[0] : more.strip().split(" ")) {
      int colon = text.indexOf(':');
      int column = Integer.parseInt(text.substring(0, colon));
      table.texts.get(column - 1).add(text.substring(colon + 1));
    }
    table.writeTo(to);
  }

  private BufferedReader open() throws IOException {
    return new BufferedReader(
        new InputStreamReader(
            Compression.unpack(from.toString(), Files.newInputStream(from)),
            StandardCharsets.UTF_8));
  }

  private void collect() throws IOException {
    try (BufferedReader reader = open()) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",");
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
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] cells = line.split(",");
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
