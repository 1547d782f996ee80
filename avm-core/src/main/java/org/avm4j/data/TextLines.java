package org.avm4j.data;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads small text files that people write, such as settings. */
public final class TextLines {
  private static final String BYTE_ORDER_MARK = "\ufeff";

  private TextLines() {}

  /** The lines of a file in UTF-8, without the byte order mark that some editors put first. */
  public static List<String> read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new BadDataException(file.toString(), "is a folder, expected a file");
    }
    try {
      String text = Files.readString(file);
      return text.substring(text.startsWith(BYTE_ORDER_MARK) ? 1 : 0).lines().toList();
    } catch (CharacterCodingException malformed) {
      throw new BadDataException(file.toString(), "expected text in UTF-8");
    }
  }
}
