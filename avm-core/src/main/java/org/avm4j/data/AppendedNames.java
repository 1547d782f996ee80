package org.avm4j.data;

import java.util.List;

/**
 * Names of features behind those of the columns, for people to read; no reader fills them.
 *
 * @param first the first of these features
 * @param names one for each
 */
record AppendedNames(int first, List<String> names) {
  static final AppendedNames NONE = new AppendedNames(0, List.of());

  /** The name of a feature that no column owns: x7 for the seventh if it has none here either. */
  String name(int index) {
    boolean isNamed = index >= first && index - first < names.size();
    return isNamed ? names.get(index - first) : "x" + (index + 1);
  }
}
