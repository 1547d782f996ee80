package org.avm4j.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Options written as {@code --name value}. */
final class Arguments {
  private final Map<String, String> values = new TreeMap<>();

  Arguments(String[] words, List<String> known) {
    for (int i = 0; i < words.length; i += 2) {
      String name = words[i].startsWith("--") ? words[i].substring(2) : "";
      if (!known.contains(name) || i + 1 == words.length) {
        throw new IllegalArgumentException(
            "expected --NAME VALUE with a NAME of " + known + ": " + words[i]);
      }
      values.put(name, words[i + 1]);
    }
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  int number(String name, int otherwise) {
    int value = Integer.parseInt(text(name, Integer.toString(otherwise)));
    if (value < 1) {
      throw new IllegalArgumentException("--" + name + " must be at least 1: " + value);
    }
    return value;
  }
}
