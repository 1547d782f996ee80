package org.avm4j.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Where the links of all pages lead to: pages of the site, places in them, or files to copy. */
final class Links {
  private final Path root;
  private final Map<Path, PageFile> pages;
  private final List<String> broken = new ArrayList<>();
  private final Set<Path> files = new TreeSet<>();

  /** Links between these pages, by their paths from the root. */
  Links(Path root, Map<Path, PageFile> pages) {
    this.root = root;
    this.pages = pages;
  }

  /**
   * Where a link of a page leads to on the site; one that leads nowhere is remembered as broken.
   */
  String resolve(Path from, String link) throws IOException {
    if (link.matches("[a-z]+:.*")) {
      return link;
    }
    String[] parts = link.split("#", 2);
    Path target = parts[0].isEmpty() ? from : beside(from, parts[0]);
    Path page = Files.isDirectory(root.resolve(target)) ? target.resolve("README.md") : target;
    if (pages.containsKey(page)) {
      return parts.length < 2 ? relative(from, page) : anchored(from, page, parts[1]);
    }
    return file(from, link, target);
  }

  private static Path beside(Path from, String link) {
    Path folder = from.getParent();
    return (folder == null ? Path.of(link) : folder.resolve(link)).normalize();
  }

  private String anchored(Path from, Path page, String anchor) {
    if (!pages.get(page).anchors().contains(anchor)) {
      broken.add(from + ": " + page + " has no heading #" + anchor);
    }
    return (from.equals(page) ? "" : relative(from, page)) + "#" + anchor;
  }

  /** A file that is no page is copied beside the pages; a folder without a page is only named. */
  private String file(Path from, String link, Path target) {
    Path found = root.resolve(target);
    if (!Files.exists(found) || !found.normalize().startsWith(root)) {
      broken.add(from + ": there is no " + link);
    } else if (Files.isRegularFile(found)) {
      files.add(target);
    }
    return link;
  }

  private static String relative(Path from, Path page) {
    Path folder = from.getParent() == null ? Path.of("") : from.getParent();
    return folder.relativize(PageFile.html(page)).toString().replace('\\', '/');
  }

  /** What is wrong, a sentence each. */
  List<String> broken() {
    return List.copyOf(broken);
  }

  /** The files that pages show or offer. */
  Set<Path> files() {
    return Set.copyOf(files);
  }
}
