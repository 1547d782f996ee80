package org.avm4j.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Options written as {@code --name value}, and flags written as {@code --name}. */
final class Arguments {
  private final Map<String, String> values = new TreeMap<>();

  Arguments(String[] words, List<String> known) {
    this(words, known, List.of());
  }

  Arguments(String[] words, List<String> known, List<String> flags) {
    for (int i = 0; i < words.length; i++) {
      String name = words[i].startsWith("--") ? words[i].substring(2) : "";
      boolean isFlag = flags.contains(name);
      if (!isFlag && (!known.contains(name) || i + 1 == words.length)) {
        String expected = "expected --NAME VALUE with a NAME of " + known + ", or a flag of ";
        throw new IllegalArgumentException(expected + flags + ": " + words[i]);
      }
      values.put(name, isFlag ? "" : words[++i]);
    }
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /** The words of a list with commas. */
  List<String> list(String name, List<String> otherwise) {
    return has(name) ? List.of(values.get(name).split(",")) : otherwise;
  }

  int number(String name, int otherwise) {
    return has(name) ? number(name, values.get(name), 1) : otherwise;
  }

  /** Whole numbers in a list with commas. */
  List<Integer> numbers(String name, int otherwise) {
    List<String> words = list(name, List.of(Integer.toString(otherwise)));
    return words.stream().map(word -> number(name, word, 0)).toList();
  }

  private static int number(String name, String word, int least) {
    boolean isNumber = word.matches("\\d{1,9}") && Integer.parseInt(word) >= least;
    if (!isNumber) {
      String expected = " must be a whole number, at least " + least;
      throw new IllegalArgumentException("--" + name + expected + ": " + word);
    }
    return Integer.parseInt(word);
  }
}
