package org.avm4j.run;

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
import org.avm4j.data.BadDataException;

/** A text file with one line for each instance: its scores, blank-separated, with all digits. */
public final class ScoreFile implements Closeable {
  private final FileChannel channel;
  private final boolean isFile;
  private final OutputStream out;

  /** Writes a file from its start, replacing what it held. */
  public ScoreFile(Path file) throws IOException {
    this(file, 0);
  }

  /** Goes on after the first bytes; what a killed run wrote beyond them is cut off. */
  ScoreFile(Path file, long length) throws IOException {
    channel = FileChannel.open(file, CREATE, WRITE);
    isFile = Files.isRegularFile(file);
    if (isFile && channel.size() < length) {
      channel.close();
      throw new BadDataException(
          file.toString(),
          "shorter than when the checkpoint was written, expected " + length + " bytes");
    }
    if (isFile) {
      channel.truncate(length).position(length);
    }
    out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
  }

  /** Appends a line. */
  public void write(double[] scores) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < scores.length; c++) {
      line.append(c == 0 ? "" : " ").append(scores[c]);
    }
    out.write(line.append('\n').toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** Makes all lines durable and returns how many bytes they are; 0 where it is no file. */
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
