package org.avm4j.site;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Makes the site of a project: its README is the first page, all Markdown below {@code docs} and at
 * the root follows, and every link is checked.
 */
public final class Site {
  private static final Map<String, String> FIRST = new LinkedHashMap<>();

  static {
    FIRST.put("README.md", "Start");
    FIRST.put("docs/tables.md", "Tables");
    FIRST.put("docs/streams.md", "Streams");
    FIRST.put("docs/serve.md", "Service");
    FIRST.put("docs/operations.md", "Operations");
    FIRST.put("docs/monitoring.md", "Monitoring");
    FIRST.put("docs/flink.md", "Flink");
    FIRST.put("docs/embedding.md", "Embedding");
    FIRST.put("docs/exports.md", "Exports");
    FIRST.put("docs/commands.md", "Commands");
  }

  private final Path root;
  private final Map<Path, PageFile> pages = new TreeMap<>();

  private Site(Path root) {
    this.root = root;
  }

  /** The site of the project at this root. */
  public static Site read(Path root) throws IOException {
    Site site = new Site(root.toAbsolutePath().normalize());
    try (Stream<Path> top = Files.list(site.root);
        Stream<Path> docs = Files.walk(site.root.resolve("docs"))) {
      for (Path file : Stream.concat(top, docs).filter(Site::isMarkdown).toList()) {
        Path path = site.root.relativize(file);
        site.pages.put(path, PageFile.read(site.root, path));
      }
    }
    return site;
  }

  private static boolean isMarkdown(Path file) {
    return file.toString().endsWith(".md") && Files.isRegularFile(file);
  }

  /**
   * Writes all pages, and the files that they show, to a folder.
   *
   * @return what is wrong with the links, a sentence each
   */
  public List<String> write(Path out) throws IOException {
    Links links = new Links(root, pages);
    for (PageFile page : pages.values()) {
      page.relink(links);
      Path file = out.resolve(PageFile.html(page.path()).toString());
      Files.createDirectories(file.getParent());
      Files.write(file, html(page).getBytes(StandardCharsets.UTF_8));
    }
    for (Path file : links.files()) {
      Path copy = out.resolve(file.toString());
      Files.createDirectories(copy.getParent());
      Files.copy(root.resolve(file), copy, StandardCopyOption.REPLACE_EXISTING);
    }
    return links.broken();
  }

  private String html(PageFile page) throws IOException {
    return Template.page(page.title(), navigation(page.path()), page.body());
  }

  /**
   * The guides first, then whatever else there is but decisions, which have a page of their own.
   */
  private String navigation(Path from) throws IOException {
    Links links = new Links(root, pages);
    StringBuilder list = new StringBuilder("<ul>\n");
    for (Map.Entry<String, String> entry : FIRST.entrySet()) {
      if (pages.containsKey(Path.of(entry.getKey()))) {
        list.append(item(links, from, Path.of(entry.getKey()), entry.getValue()));
      }
    }
    list.append("</ul>\n<ul>\n");
    for (PageFile page : pages.values()) {
      boolean isDecision = page.path().startsWith(Path.of("docs", "decisions"));
      if (!isDecision && !FIRST.containsKey(page.path().toString().replace('\\', '/'))) {
        list.append(item(links, from, page.path(), page.title()));
      }
    }
    return list.append("</ul>\n").toString();
  }

  private static String item(Links links, Path from, Path to, String title) throws IOException {
    Path folder = from.getParent() == null ? Path.of("") : from.getParent();
    String link = links.resolve(from, folder.relativize(to).toString());
    String current = from.equals(to) ? " aria-current=\"page\"" : "";
    return "<li><a href=\"" + link + "\"" + current + ">" + Template.escaped(title) + "</a></li>\n";
  }

  /**
   * Makes the site.
   *
   * @param args the root of the project, and the folder to write to
   */
  public static void main(String[] args) throws IOException {
    List<String> broken = read(Path.of(args[0])).write(Path.of(args[1]));
    broken.forEach(System.err::println);
    System.exit(broken.isEmpty() ? 0 : 1);
  }
}
