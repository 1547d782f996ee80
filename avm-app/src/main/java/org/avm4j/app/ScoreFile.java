package org.avm4j.app;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** One line an instance: its scores, blank-separated, with all their digits. */
final class ScoreFile implements Closeable {
  private final FileChannel channel;
  private final boolean isFile;
  private final OutputStream out;

  /**
   * Goes on after the first {@code length} bytes; what a killed run wrote beyond them is cut off.
   */
  ScoreFile(Path file, long length) throws IOException {
    channel = FileChannel.open(file, CREATE, WRITE);
    isFile = Files.isRegularFile(file);
    if (isFile && channel.size() < length) {
      throw new Failure(
          Failure.BAD_DATA,
          file + ": shorter than when the checkpoint was written, expected " + length + " bytes");
    }
    if (isFile) {
      channel.truncate(length).position(length);
    }
    out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
  }

  void write(double[] scores) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < scores.length; c++) {
      line.append(c == 0 ? "" : " ").append(scores[c]);
    }
    out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** Makes all lines durable and returns how many bytes they are. */
  long sync() throws IOException {
    out.flush();
    if (!isFile) {
      return 0;
    }
    channel.force(true);
    return channel.position();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
