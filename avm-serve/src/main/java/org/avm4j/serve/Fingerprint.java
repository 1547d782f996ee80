package org.avm4j.serve;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.data.Decimal;
import org.avm4j.data.Row;

/**
 * A digest of a request with an {@code Idempotency-Key}: the first 16 bytes of a SHA-256. The order
 * of rows matters, that of columns within a row does not.
 */
final class Fingerprint {
  private static final int BYTES = 16;

  private final MessageDigest digest;

  private Fingerprint(String kind) {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
    add(kind);
  }

  static byte[] ofRows(List<ServedRow> rows) {
    Fingerprint fingerprint = new Fingerprint("rows");
    rows.forEach(fingerprint::add);
    return fingerprint.bytes();
  }

  static byte[] ofLabels(List<RowStore.Labelled> labels) {
    Fingerprint fingerprint = new Fingerprint("labels");
    for (RowStore.Labelled label : labels) {
      fingerprint.add(label.id());
      fingerprint.add(label.label());
      fingerprint.add(label.weight());
    }
    return fingerprint.bytes();
  }

  private void add(ServedRow row) {
    add(row.purpose().tag);
    add(row.id());
    add(row.row().label());
    add(row.row().weight());
    Row.Values values = row.row().values();
    if (values.areNamed()) {
      add(values.columns());
    } else {
      add(values.toString());
    }
  }

  private void add(Map<String, ?> columns) {
    add(columns.size());
    new TreeMap<>(columns)
        .forEach(
            (name, value) -> {
              add(name);
              add(value);
            });
  }

  /** Adds a number as a double, so that 1, 1.0 and 1e0 are equal, or a text with its length. */
  private void add(Object value) {
    if (value instanceof Number number) {
      digest.update((byte) 'n');
      digest.update(ByteBuffer.allocate(Double.BYTES).putDouble(0, Decimal.value(number)));
    } else {
      byte[] bytes = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
      digest.update((byte) (value instanceof String ? 't' : 'o'));
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
  }

  private byte[] bytes() {
    return Arrays.copyOf(digest.digest(), BYTES);
  }
}
