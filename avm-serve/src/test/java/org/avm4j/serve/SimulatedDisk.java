package org.avm4j.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A disk that is made of what a run really wrote and synced, as {@code strace} saw it. A crash
 * keeps what was synced. Of each later write it keeps all, nothing or some sectors, drawn from a
 * seed, so that writes are lost, torn and reordered.
 */
final class SimulatedDisk {
  private static final int SECTOR = 512;

  /** Bytes of the head of a write-ahead log; the heads of its frames are shorter. */
  private static final int LOG_HEAD = 32;

  /** Bytes of the head of a frame before the salts. */
  private static final int FRAME_NUMBERS = 8;

  private static final Pattern CALL =
      Pattern.compile("^\\d+ +(\\w+)\\(\\d+<([^>]*)>(.*)$", Pattern.DOTALL);

  /** What happened to a file. */
  sealed interface Event {
    record Write(String file, long at, byte[] bytes) implements Event {}

    record Truncate(String file, long size) implements Event {}

    record Sync(String file) implements Event {}

    /** The writer was told that an operation is done. */
    record Acknowledged(int operation) implements Event {}
  }

  final List<Event> events = new ArrayList<>();
  private final Map<String, Long> offsets = new HashMap<>();

  /** The disks of all folders in a folder, by the trace of the process that wrote there. */
  static Map<String, SimulatedDisk> of(Path trace, Path folder) throws IOException {
    Map<String, SimulatedDisk> disks = new HashMap<>();
    try (BufferedReader in = Files.newBufferedReader(trace, StandardCharsets.ISO_8859_1)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        Matcher call = CALL.matcher(line);
        if (call.matches() && call.group(2).startsWith("\\x")) {
          Path file = Path.of(new String(hex(call.group(2)), StandardCharsets.UTF_8));
          if (file.startsWith(folder) && file.getNameCount() == folder.getNameCount() + 2) {
            disks
                .computeIfAbsent(
                    file.getParent().getFileName().toString(), n -> new SimulatedDisk())
                .take(call.group(1), file.getFileName().toString(), call.group(3));
          }
        }
      }
    }
    return disks;
  }

  private void take(String name, String file, String rest) {
    switch (name) {
      case "pwrite64" -> {
        byte[] bytes = bytes(rest);
        String[] numbers = rest.substring(rest.lastIndexOf('"') + 1).split("[ ,)]+");
        write(file, Long.parseLong(numbers[2]), bytes);
      }
      case "write" -> {
        byte[] bytes = bytes(rest);
        long at = offsets.getOrDefault(file, 0L);
        write(file, at, bytes);
        offsets.put(file, at + bytes.length);
      }
      case "lseek" -> offsets.put(file, Long.parseLong(rest.split("[ ,)]+")[1]));
      case "ftruncate" ->
          events.add(new Event.Truncate(file, Long.parseLong(rest.split("[ ,)]+")[1])));
      case "fsync", "fdatasync" -> events.add(new Event.Sync(file));
      default -> throw new AssertionError("an unexpected call: " + name);
    }
  }

  private void write(String file, long at, byte[] bytes) {
    if (file.equals(SimulatedService.ACKNOWLEDGED)) {
      String text = new String(bytes, StandardCharsets.UTF_8).strip();
      events.add(new Event.Acknowledged(Integer.parseInt(text)));
    } else {
      events.add(new Event.Write(file, at, bytes));
    }
  }

  /** The bytes of a text that strace printed as hexadecimal numbers. */
  private static byte[] bytes(String rest) {
    int from = rest.indexOf('"') + 1;
    return hex(rest.substring(from, rest.indexOf('"', from)));
  }

  private static byte[] hex(String text) {
    byte[] bytes = new byte[text.length() / 4];
    for (int i = 0; i < bytes.length; i++) {
      int at = 4 * i + 2;
      bytes[i] =
          (byte)
              (16 * Character.digit(text.charAt(at), 16)
                  + Character.digit(text.charAt(at + 1), 16));
    }
    return bytes;
  }

  /**
   * A number that stands for all events. The logs of SQLite have random salts, and checksums that
   * follow from them; they are left out, and so is the journal, which is used before there is a
   * store.
   */
  long fingerprint() {
    CRC32C sum = new CRC32C();
    for (Event event : events) {
      if (event instanceof Event.Write write && !write.file().endsWith("-journal")) {
        sum.update((write.file() + write.at()).getBytes(StandardCharsets.UTF_8));
        boolean isHead = write.file().endsWith("-wal") && write.bytes().length <= LOG_HEAD;
        sum.update(write.bytes(), 0, isHead ? FRAME_NUMBERS : write.bytes().length);
      } else if (!(event instanceof Event.Write)) {
        sum.update(event.toString().getBytes(StandardCharsets.UTF_8));
      }
    }
    return sum.getValue();
  }

  /** The writes and changes of size that no sync has made safe before a moment. */
  Set<Integer> unsynced(int after) {
    Map<String, Integer> synced = new HashMap<>();
    for (int i = 0; i < after; i++) {
      if (events.get(i) instanceof Event.Sync sync) {
        synced.put(sync.file(), i);
      }
    }
    Set<Integer> unsynced = new TreeSet<>();
    for (int i = 0; i < after; i++) {
      String file = changed(events.get(i));
      if (file != null && i > synced.getOrDefault(file, -1)) {
        unsynced.add(i);
      }
    }
    return unsynced;
  }

  /** The file that an event changes, null for none. */
  private static String changed(Event event) {
    if (event instanceof Event.Write write) {
      return write.file();
    }
    return event instanceof Event.Truncate truncate ? truncate.file() : null;
  }

  /**
   * The files that are left when the power fails after some events.
   *
   * @param unsafe the events that a seed may undo, each on its own
   */
  void crash(int after, long seed, Set<Integer> unsafe, Path into) throws IOException {
    Map<String, Content> files = new HashMap<>();
    for (int i = 0; i < after; i++) {
      SplittableRandom random = new SplittableRandom(seed * events.size() + i);
      Event event = events.get(i);
      if (event instanceof Event.Write write) {
        apply(write, unsafe.contains(i) ? Fate.of(random) : Fate.KEPT, random, files);
      } else if (event instanceof Event.Truncate truncate) {
        if (!unsafe.contains(i) || random.nextBoolean()) {
          content(files, truncate.file()).resize((int) truncate.size());
        }
      }
    }
    Files.createDirectories(into);
    for (Map.Entry<String, Content> file : files.entrySet()) {
      if (!file.getKey().endsWith("-shm") && !file.getKey().endsWith("-journal")) {
        Content content = file.getValue();
        Files.write(into.resolve(file.getKey()), Arrays.copyOf(content.bytes, content.size));
      }
    }
  }

  private static Content content(Map<String, Content> files, String file) {
    return files.computeIfAbsent(file, none -> new Content());
  }

  /** The bytes of a file; those beyond its size are 0. */
  private static final class Content {
    private byte[] bytes = new byte[1 << 16];
    private int size;

    void resize(int other) {
      if (other > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(other, 2 * bytes.length));
      } else if (other < size) {
        Arrays.fill(bytes, other, size, (byte) 0);
      }
      size = other;
    }
  }

  /** What becomes of a write that was not synced. */
  private enum Fate {
    KEPT,
    LOST,
    TORN;

    static Fate of(SplittableRandom random) {
      return values()[random.nextInt(values().length)];
    }
  }

  private static void apply(
      Event.Write write, Fate fate, SplittableRandom random, Map<String, Content> files) {
    Content content = content(files, write.file());
    int end = (int) write.at() + write.bytes().length;
    if (content.size < end && fate != Fate.LOST) {
      content.resize(end);
    }
    for (int at = 0; at < write.bytes().length && fate != Fate.LOST; at += SECTOR) {
      if (fate == Fate.KEPT || random.nextBoolean()) {
        int n = Math.min(SECTOR, write.bytes().length - at);
        System.arraycopy(write.bytes(), at, content.bytes, (int) write.at() + at, n);
      }
    }
  }
}
