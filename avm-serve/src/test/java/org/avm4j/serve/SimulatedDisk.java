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

/**
 * A disk that is made of what a process really wrote and synced, as {@code strace} saw it. A crash
 * keeps what was synced. Of each later write it keeps all, nothing or some sectors, drawn from a
 * seed, so that writes are lost, torn and reordered.
 */
final class SimulatedDisk {
  private static final int SECTOR = 512;
  private static final Pattern CALL =
      Pattern.compile("^(\\d+) +(\\w+)\\((\\d+)<([^>]*)>(.*)$", Pattern.DOTALL);
  private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. (\\w+) resumed>.*");

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
  private final Map<String, String> syncing = new HashMap<>();
  private final Path folder;

  private SimulatedDisk(Path folder) {
    this.folder = folder;
  }

  /** The disk of a folder by the trace of the process that wrote there. */
  static SimulatedDisk of(Path trace, Path folder) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(folder);
    try (BufferedReader in = Files.newBufferedReader(trace, StandardCharsets.ISO_8859_1)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        disk.take(line);
      }
    }
    return disk;
  }

  private void take(String line) {
    Matcher resumed = RESUMED.matcher(line);
    if (resumed.matches()) {
      String file = syncing.remove(resumed.group(1));
      if (file != null) {
        events.add(new Event.Sync(file));
      }
      return;
    }
    Matcher call = CALL.matcher(line);
    if (call.matches() && call.group(4).startsWith("\\x")) {
      Path file = Path.of(new String(hex(call.group(4)), StandardCharsets.UTF_8));
      if (file.startsWith(folder)) {
        take(call.group(1), call.group(2), file.getFileName().toString(), call.group(5));
      }
    }
  }

  private void take(String thread, String name, String file, String rest) {
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
      case "fsync", "fdatasync" -> {
        if (rest.contains("unfinished")) {
          syncing.put(thread, file);
        } else {
          events.add(new Event.Sync(file));
        }
      }
      default -> throw new AssertionError("an unexpected call: " + name);
    }
  }

  private void write(String file, long at, byte[] bytes) {
    if (file.equals(StoreWriter.ACKNOWLEDGED)) {
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
