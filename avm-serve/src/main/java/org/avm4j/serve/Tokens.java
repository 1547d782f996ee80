package org.avm4j.serve;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.avm4j.data.BadDataException;

/**
 * Who may do what. A file has one line a token: its role, the SHA-256 of the token in hexadecimal
 * digits, and optionally a name for the log. The tokens themselves are nowhere stored.
 */
public final class Tokens {
  private static final int BYTES = 32;

  private final List<Holder> holders;

  private record Holder(Role role, byte[] hash, String name) {}

  /**
   * Who sent a request.
   *
   * @param role what they may do
   * @param name what the log calls them
   */
  record Caller(Role role, String name) {}

  private Tokens(List<Holder> holders) {
    this.holders = holders;
  }

  /** The tokens of a file. */
  public static Tokens load(Path file) throws IOException {
    List<Holder> holders = new ArrayList<>();
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        holders.add(holder(file, number, text.split("\\s+", 3)));
      }
    }
    if (holders.isEmpty()) {
      throw new BadDataException(file.toString(), "expected at least one token");
    }
    return new Tokens(holders);
  }

  private static Holder holder(Path file, int line, String[] words) throws BadDataException {
    try {
      byte[] hash = HexFormat.of().parseHex(words[1]);
      if (hash.length == BYTES) {
        return new Holder(Role.of(words[0]), hash, words.length > 2 ? words[2] : "line " + line);
      }
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
      // told below
    }
    throw new BadDataException(
        file.toString(),
        line,
        "expected a role (predict, learn, admin), the SHA-256 of a token, and optionally a name");
  }

  /** A new token that nobody can guess. */
  public static String generate() {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    return "avm_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The line of the file that lets a token in. */
  public static String line(Role role, String token) {
    return role + " " + HexFormat.of().formatHex(hash(token));
  }

  /** Who holds a token, null if nobody; looks at all tokens, and takes the same time for each. */
  Caller caller(String token) {
    byte[] hash = hash(token);
    Holder found = null;
    for (Holder holder : holders) {
      if (MessageDigest.isEqual(holder.hash, hash)) {
        found = holder;
      }
    }
    return found == null ? null : new Caller(found.role, found.name);
  }

  private static byte[] hash(String token) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
