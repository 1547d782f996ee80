package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Writes the results of the arena: as CSV, Markdown, one page with all pictures, and docs. */
final class ArenaReport {
  private static final Pattern BLOCK =
      Pattern.compile("(<!-- arena:([a-z0-9-]+) -->\n).*?(<!-- /arena -->)", Pattern.DOTALL);

  private final Map<String, PeerTable> tables;
  private final Map<String, String> pictures = new LinkedHashMap<>();

  ArenaReport(Collection<Result> results, int most) {
    ArenaTables arena = new ArenaTables(results, most);
    tables = arena.all();
    tables.putAll(new FurtherTables(results).all());
    draw("classes", arena.contest(false));
    draw("numbers", arena.contest(true));
  }

  private void draw(String task, Standings standings) {
    List<String> present = standings.present(Contestant.names("yardstick", "core"));
    if (present.size() > 1) {
      double critical = standings.criticalDifference(present);
      pictures.put("ranks-" + task, Drawing.ranks(standings.ranks(present), critical));
      PeerTable table = tables.get("ranks-" + task);
      List<Drawing.Point> points = new ArrayList<>();
      for (int i = 0; i < present.size(); i++) {
        String name = (String) table.column("learner").get(i);
        double micros = Math.max(0.1, (Double) table.column("µs a row").get(i));
        double error = (Double) table.column("error to the best").get(i);
        points.add(new Drawing.Point(name, micros, error, Contestant.named(name).isOurs()));
      }
      pictures.put("time-" + task, Drawing.chart("µs a row", "error to the best", points));
    }
  }

  /** Writes tables and page into a folder, and prints the summary. */
  void write(Path folder) throws IOException {
    StringBuilder markdown = new StringBuilder("# Arena\n");
    Files.createDirectories(folder);
    for (String name : tables.keySet()) {
      String table = tables.get(name).markdown();
      markdown.append("\n## ").append(title(name)).append("\n\n").append(table);
      Files.writeString(folder.resolve(name + ".csv"), tables.get(name).csv());
    }
    Files.writeString(folder.resolve("arena.md"), markdown);
    Files.writeString(folder.resolve("arena.html"), html());
    for (String name : List.of("what-was-run", "duels-classes", "duels-numbers")) {
      System.out.println(tables.get(name).markdown());
    }
    System.out.println("written: " + folder.resolve("arena.html") + ", arena.md and CSV files");
  }

  private static String title(String name) {
    return Character.toUpperCase(name.charAt(0)) + name.substring(1).replace('-', ' ');
  }

  private String html() {
    StringBuilder page = new StringBuilder(Resource.text("head.html"));
    tables.forEach(
        (name, table) -> {
          page.append("<h2>").append(title(name)).append("</h2>\n");
          page.append(pictures.getOrDefault(name, ""));
          page.append(pictures.getOrDefault(name.replace("ranks", "time"), ""));
          page.append(table.html());
        });
    return page.append("</body></html>\n").toString();
  }

  /** All pictures, and the page that has them all. */
  Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>(Map.of("arena.html", html()));
    pictures.forEach((name, picture) -> files.put(name + ".svg", picture));
    return files;
  }

  /** Regenerates the tables of all pages that have any, the pictures and the HTML page. */
  void publish(Path docs) throws IOException {
    for (Map.Entry<String, String> file : files().entrySet()) {
      Files.writeString(docs.resolve("arena").resolve(file.getKey()), file.getValue());
    }
    for (Path page : pages(docs)) {
      Files.writeString(page, renewed(Files.readString(page)));
    }
  }

  /** The pages with tables of results: those of research, and of the decisions beside them. */
  static List<Path> pages(Path docs) throws IOException {
    List<Path> pages = new ArrayList<>();
    for (Path folder : List.of(docs, docs.resolveSibling("decisions"))) {
      try (Stream<Path> files = Files.list(folder)) {
        for (Path page : files.filter(file -> file.toString().endsWith(".md")).sorted().toList()) {
          if (BLOCK.matcher(Files.readString(page)).find()) {
            pages.add(page);
          }
        }
      }
    }
    return pages;
  }

  /** The text with the tables between its markers regenerated. */
  String renewed(String text) {
    return BLOCK
        .matcher(text)
        .replaceAll(
            found -> {
              String table = tables.get(found.group(2)).markdown();
              String block = found.group(1) + "\n" + table + "\n" + found.group(3);
              return Matcher.quoteReplacement(block);
            });
  }
}
