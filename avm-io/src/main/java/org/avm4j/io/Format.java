package org.avm4j.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;

/** The text formats of data. */
public enum Format {
  /** A label and {@code index:value} pairs. */
  LIBSVM,
  /** Fields separated by comma, semicolon or tab. */
  CSV,
  /** The format of Weka. */
  ARFF,
  /** One JSON object a line. */
  JSON;

  private static final int HEAD = 1 << 13;
  private static final Pattern PACKED = Pattern.compile("\\.(gz|bz2|zst|xz|zip)$");
  private static final Pattern UNDECIDED = Pattern.compile("[-+.\\deE]*\\s*(#.*)?");
  private static final Pattern PAIRS =
      Pattern.compile(
          "([^\\s,;:]+[ \\t]+)?(qid:\\S+[ \\t]+)?\\d+:[-+.\\d][^\\s,;:]*([ \\t\\r#].*)?");

  /** The format by the extension of a file name; null if it is not known. */
  public static Format ofName(String fileName) {
    String name = PACKED.matcher(fileName.toLowerCase(Locale.ROOT)).replaceFirst("");
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "libsvm", "svm", "svmlight" -> LIBSVM;
      case "csv", "tsv", "xlsx", "xlsm" -> CSV;
      case "arff" -> ARFF;
      case "json", "jsonl", "ndjson" -> JSON;
      default -> null;
    };
  }

  /**
   * Guesses the format from the first lines. The stream must support mark; its position does not
   * change.
   */
  static Format ofContent(InputStream in) throws IOException {
    byte[] head = new byte[HEAD];
    in.mark(HEAD);
    Format found;
    int length = 0;
    int count;
    do {
      count = in.read(head, length, HEAD - length);
      length += Math.max(count, 0);
      found = ofHead(new String(head, 0, length, StandardCharsets.ISO_8859_1), count <= 0);
    } while (found == null && count > 0);
    in.reset();
    return found;
  }

  /** The format of the first line that shows one; null if more text is needed. */
  private static Format ofHead(String head, boolean complete) {
    int from = 0;
    for (int to = head.indexOf('\n'); to >= 0; to = head.indexOf('\n', from)) {
      String line = head.substring(from, to).strip();
      if (!UNDECIDED.matcher(line).matches()) {
        return ofLine(line);
      }
      from = to + 1;
    }
    return complete ? ofLine(head.substring(from).strip()) : null;
  }

  private static Format ofLine(String line) {
    if (line.startsWith("%") || line.regionMatches(true, 0, "@relation", 0, 9)) {
      return ARFF;
    }
    if (line.startsWith("{") || line.startsWith("[")) {
      return JSON;
    }
    return PAIRS.matcher(line).matches() ? LIBSVM : CSV;
  }
}
