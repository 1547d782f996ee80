package org.avm4j.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The file of all results, to which lines are only ever appended. Of several lines of one cell the
 * last counts; a last line that was torn when a run was killed is left out.
 */
final class ResultFile implements AutoCloseable {
  private final FileChannel channel;
  private final Map<Cell, Result> results;

  /** Opens a file to append to it; only one process may do so at a time. */
  ResultFile(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    results = read(file);
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      throw new IOException(file + " is in use by another run");
    }
    int whole = whole(file).getBytes(StandardCharsets.UTF_8).length;
    channel.truncate(whole).position(whole);
    if (whole == 0) {
      write(Result.HEADER);
    }
  }

  /** All lines that have an end. */
  private static String whole(Path file) throws IOException {
    String text = Files.exists(file) ? Files.readString(file) : "";
    return text.substring(0, text.lastIndexOf('\n') + 1);
  }

  /** The results in a file, in the order of their cells' first lines; none if it is not there. */
  static Map<Cell, Result> read(Path file) throws IOException {
    Map<Cell, Result> results = new LinkedHashMap<>();
    for (String line : whole(file).lines().skip(1).toList()) {
      Result result = Result.parse(line);
      results.put(result.cell(), result);
    }
    return results;
  }

  synchronized void add(Result result) throws IOException {
    write(result.line());
    results.put(result.cell(), result);
  }

  private void write(String line) throws IOException {
    channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    channel.force(true);
  }

  synchronized Result get(Cell cell) {
    return results.get(cell);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
