package org.avm4j;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * The knots of a module: sets of classes each of which reaches all others by references in class
 * files, as {@code jdeps} finds them. A nested class counts with the one around it.
 */
final class ClassKnots {
  private static final Pattern REFERENCE =
      Pattern.compile("\\s+(org\\.avm4j[\\w.]+)\\S*\\s+->\\s+(org\\.avm4j[\\w.]+).*");

  private final Map<String, Set<String>> references = new TreeMap<>();
  private final Map<String, Set<String>> reached = new HashMap<>();

  /** Of the classes in this folder. */
  ClassKnots(Path classes) {
    StringWriter out = new StringWriter();
    PrintWriter writer = new PrintWriter(out, true);
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    int code = jdeps.run(writer, writer, "-v", "-filter:none", classes.toString());
    if (code != 0) {
      throw new IllegalStateException("jdeps failed: " + out);
    }
    out.toString().lines().map(REFERENCE::matcher).filter(Matcher::matches).forEach(this::add);
  }

  private void add(Matcher line) {
    references.computeIfAbsent(line.group(1), name -> new TreeSet<>()).add(line.group(2));
  }

  /** The number of classes that refer to some class. */
  int classes() {
    return references.size();
  }

  /** All knots of more classes than this. */
  Set<List<String>> largerThan(int classes) {
    return references.keySet().stream()
        .map(this::knot)
        .filter(knot -> knot.size() > classes)
        .collect(Collectors.toSet());
  }

  private List<String> knot(String name) {
    return reach(name).stream().filter(other -> reach(other).contains(name)).toList();
  }

  private Set<String> reach(String name) {
    Set<String> known = reached.get(name);
    if (known == null) {
      known = search(name);
      reached.put(name, known);
    }
    return known;
  }

  private Set<String> search(String from) {
    Set<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(from));
    while (!open.isEmpty()) {
      for (String next : references.getOrDefault(open.pop(), Set.of())) {
        if (found.add(next)) {
          open.push(next);
        }
      }
    }
    return found;
  }
}
