package org.avm4j.codec;

import java.util.List;

/**
 * Makes kinds of files known. Providers are found by {@link java.util.ServiceLoader}, so that a
 * plug-in on the class path or module path can add learners of its own.
 */
public interface FileKindProvider {
  /** The kinds of files that this provider knows to read. */
  List<FileKind> kinds();
}
