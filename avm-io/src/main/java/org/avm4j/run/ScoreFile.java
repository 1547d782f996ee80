package org.avm4j.run;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.avm4j.data.BadDataException;

/**
 * A text file with one line for each instance: its scores, separated by blanks, with all digits, or
 * its answer. A line is flushed within milliseconds.
 */
public final class ScoreFile implements Closeable {
  private final Path file;
  private final FileChannel channel;
  private final boolean isFile;
  private final OutputStream out;

  /** Writes a file from its start, replacing what it held. */
  public ScoreFile(Path file) throws IOException {
    this(file, 0);
  }

  /** Writes to a stream, which is closed with this one. */
  public ScoreFile(OutputStream stream) {
    file = null;
    channel = null;
    isFile = false;
    out = new LiveOutput(stream);
  }

  /** Continues after the first {@code length} bytes; what a killed run wrote after them is cut. */
  ScoreFile(Path file, long length) throws IOException {
    this.file = file;
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
    out = new LiveOutput(Channels.newOutputStream(channel));
  }

  /** Appends a line with scores. */
  public void write(double[] scores) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = 0; c < scores.length; c++) {
      line.append(c == 0 ? "" : " ").append(scores[c]);
    }
    write(line.toString());
  }

  /** Appends a line. */
  public void write(String line) throws IOException {
    try {
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException failed) {
      throw named(failed);
    }
  }

  /** Syncs all lines to disk and returns the length of the file; 0 if it is not a regular file. */
  long sync() throws IOException {
    try {
      out.flush();
      if (!isFile) {
        return 0;
      }
      channel.force(true);
      return channel.position();
    } catch (IOException failed) {
      throw named(failed);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      out.close();
    } catch (IOException failed) {
      throw named(failed);
    }
  }

  /** Adds the name of the file to an exception, which for instance a full disk leaves out. */
  private IOException named(IOException failed) {
    boolean isNamed = channel == null || failed instanceof FileSystemException;
    return isNamed ? failed : new FileSystemException(file.toString(), null, failed.getMessage());
  }
}
