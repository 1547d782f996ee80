package org.avm4j.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.avm4j.data.BadDataException;
import org.avm4j.data.TextLines;

/**
 * The access tokens. A file has one line per token: its role, the SHA-256 of the token in
 * hexadecimal digits, optionally {@code models=A,B}, {@code pending=N} and {@code rate=N}, and
 * optionally a name for the log. The tokens themselves are not stored anywhere. A service reads the
 * file again when it changes.
 */
public final class Tokens {
  private static final int BYTES = 32;
  private static final int OWNER_DIGITS = 16;
  private static final int MAX_RATE = 1_000_000;

  private final Path file;
  private volatile List<Holder> holders;
  private Stamp stamp;

  private record Holder(byte[] hash, Caller caller) {}

  /** When the file was last changed, and its size then. */
  private record Stamp(FileTime time, long size) {
    static Stamp of(Path file) throws IOException {
      return new Stamp(Files.getLastModifiedTime(file), Files.size(file));
    }
  }

  private Tokens(Path file) throws IOException {
    this.file = file;
    stamp = Stamp.of(file);
    holders = read(file, List.of());
  }

  /** The tokens of a file. */
  public static Tokens load(Path file) throws IOException {
    return new Tokens(file);
  }

  /**
   * Reads the file again if it was changed. If it cannot be read or is malformed, the former tokens
   * stay valid.
   *
   * @return whether the file was read again
   * @throws IOException if the changed file cannot be read; once for each change
   */
  synchronized boolean reload() throws IOException {
    Stamp now;
    try {
      now = Stamp.of(file);
    } catch (IOException gone) {
      now = null;
    }
    if (now == null ? stamp == null : now.equals(stamp)) {
      return false;
    }
    stamp = now;
    if (now == null) {
      throw new IOException(file + ": is missing; its tokens remain valid");
    }
    holders = read(file, holders);
    return true;
  }

  private static List<Holder> read(Path file, List<Holder> before) throws IOException {
    List<Holder> holders = new ArrayList<>();
    int number = 0;
    for (String line : TextLines.read(file)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        Holder holder = holder(file, number, text.split("\\s+"), before);
        if (caller(holder.hash, holders) != null) {
          throw new BadDataException(file.toString(), number, "this token has a line already");
        }
        holders.add(holder);
      }
    }
    if (holders.isEmpty()) {
      throw new BadDataException(file.toString(), "expected at least one token");
    }
    return List.copyOf(holders);
  }

  private static Holder holder(Path file, int line, String[] words, List<Holder> before)
      throws BadDataException {
    try {
      byte[] hash = HexFormat.of().parseHex(words[1]);
      if (hash.length == BYTES) {
        Caller caller = caller(words, line, rateBefore(hash, before));
        checkMetrics(file, line, caller);
        return new Holder(hash, caller);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException | Problem wrong) {
      // reported below
    }
    throw new BadDataException(
        file.toString(),
        line,
        "expected a role (metrics, predict, learn or admin) and the SHA-256 of a token,"
            + " optionally followed by models=A,B, pending=N and rate=N, and by a name");
  }

  private static void checkMetrics(Path file, int line, Caller caller) throws BadDataException {
    if (caller.role() == Role.METRICS && !caller.models().isEmpty()) {
      throw new BadDataException(
          file.toString(), line, "the role metrics covers the whole service: remove models=");
    }
  }

  private static RateLimit rateBefore(byte[] hash, List<Holder> before) {
    return before.stream()
        .filter(holder -> MessageDigest.isEqual(holder.hash, hash))
        .map(holder -> holder.caller.rate())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static Caller caller(String[] words, int line, RateLimit before) {
    Set<String> models = Set.of();
    int pending = -1;
    RateLimit rate = null;
    int at = 2;
    for (; at < words.length && words[at].contains("="); at++) {
      String[] option = words[at].split("=", 2);
      switch (option[0]) {
        case "models" -> models = Set.of(option[1].split(","));
        case "pending" -> pending = number(option[1], 0, Integer.MAX_VALUE);
        case "rate" -> rate = rate(number(option[1], 1, MAX_RATE), before);
        default -> throw new IllegalArgumentException(option[0]);
      }
    }
    models.forEach(ModelSpec::checkedName);
    String name = String.join(" ", List.of(words).subList(at, words.length));
    String owner = name.isEmpty() ? words[1].substring(0, OWNER_DIGITS) : name;
    return new Caller(
        Role.of(words[0]), name.isEmpty() ? "line " + line : name, owner, models, pending, rate);
  }

  private static int number(String text, int least, int most) {
    int number = Integer.parseInt(text);
    if (number < least || number > most) {
      throw new IllegalArgumentException(text);
    }
    return number;
  }

  /** The rate limit of a token; a reload of the file does not refill an unchanged bucket. */
  private static RateLimit rate(int perSecond, RateLimit before) {
    return before != null && before.perSecond() == perSecond ? before : new RateLimit(perSecond);
  }

  /** A new random token. */
  public static String generate() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return "avm_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The line of the file for a token. */
  public static String line(Role role, String token) {
    return role + " " + HexFormat.of().formatHex(hash(token));
  }

  /** The caller with a token; null if there is none. Compares all tokens in constant time. */
  Caller caller(String token) {
    return caller(hash(token), holders);
  }

  private static Caller caller(byte[] hash, List<Holder> holders) {
    Caller found = null;
    for (Holder holder : holders) {
      if (MessageDigest.isEqual(holder.hash, hash)) {
        found = holder.caller;
      }
    }
    return found;
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
