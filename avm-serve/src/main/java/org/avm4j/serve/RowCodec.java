package org.avm4j.serve;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.avm4j.Features;
import org.avm4j.serve.Row.Given;
import org.avm4j.serve.Row.How;
import org.avm4j.serve.Row.Indexed;
import org.avm4j.serve.Row.Named;
import org.avm4j.serve.Row.Texts;
import org.avm4j.serve.Row.Values;

/**
 * Rows as bytes of the store: a checksum (CRC-32C, 4), then the number of rows and each of them.
 * Column names are written once a batch.
 */
final class RowCodec {
  private static final int FORMAT = 1;
  private static final int NULL = 0;
  private static final int WHOLE = 1;
  private static final int NUMBER = 2;
  private static final int TEXT = 3;
  private static final int TRUE = 4;
  private static final int FALSE = 5;

  private RowCodec() {}

  static byte[] encode(List<Row> rows) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(64 + 64 * rows.size());
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeInt(0);
      new Writer(out).write(rows);
      byte[] all = bytes.toByteArray();
      int sum = checksum(all);
      for (int i = 0; i < 4; i++) {
        all[i] = (byte) (sum >>> (24 - 8 * i));
      }
      return all;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /** The rows, or an exception if the bytes are not what was written. */
  static List<Row> decode(byte[] bytes) throws DamageException {
    if (bytes == null || bytes.length < 5) {
      throw new DamageException("rows are cut short");
    }
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      if (in.readInt() != checksum(bytes)) {
        throw new DamageException("rows do not have the checksum that they were written with");
      }
      return new Reader(in).read();
    } catch (EOFException | IllegalArgumentException | IndexOutOfBoundsException wrong) {
      throw new DamageException("rows cannot be read");
    } catch (DamageException damage) {
      throw damage;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 4, bytes.length - 4);
    return (int) sum.getValue();
  }

  private static final class Writer {
    private final DataOutputStream out;
    private final Map<String, Integer> names = new LinkedHashMap<>();

    Writer(DataOutputStream out) {
      this.out = out;
    }

    void write(List<Row> rows) throws IOException {
      out.writeByte(FORMAT);
      size(rows.size());
      for (Row row : rows) {
        write(row);
      }
    }

    private void write(Row row) throws IOException {
      boolean isPlain = row.weight() == 1 && row.id() == null && row.given() == null;
      out.writeByte(row.how().ordinal() | (isPlain ? 0 : 16));
      value(row.label());
      if (!isPlain) {
        out.writeDouble(row.weight());
        value(row.id());
        given(row.given());
      }
      values(row.values());
    }

    private void given(Given given) throws IOException {
      out.writeBoolean(given != null);
      if (given != null) {
        out.writeDouble(given.label());
        size(given.scores().length);
        for (double score : given.scores()) {
          out.writeDouble(score);
        }
        out.writeLong(given.sequence());
      }
    }

    private void values(Values values) throws IOException {
      if (values instanceof Indexed indexed) {
        out.writeByte(0);
        features(indexed.features());
      } else if (values instanceof Named named) {
        out.writeByte(1);
        size(named.values().size());
        for (Map.Entry<String, Object> entry : named.values().entrySet()) {
          name(entry.getKey());
          value(entry.getValue());
        }
      } else if (values instanceof Texts texts) {
        out.writeByte(2);
        size(texts.values().size());
        for (Map.Entry<String, String> entry : texts.values().entrySet()) {
          name(entry.getKey());
          value(entry.getValue());
        }
      }
    }

    private void features(Features x) throws IOException {
      size(x.dimension());
      size(x.count());
      for (int i = 0; i < x.count(); i++) {
        size(x.index(i));
        out.writeDouble(x.value(i));
      }
    }

    private void name(String name) throws IOException {
      Integer known = names.putIfAbsent(name, names.size());
      size(known == null ? names.size() - 1 : known);
      if (known == null) {
        text(name);
      }
    }

    private void value(Object value) throws IOException {
      if (value == null) {
        out.writeByte(NULL);
      } else if (value instanceof Boolean bit) {
        out.writeByte(bit ? TRUE : FALSE);
      } else if (value instanceof Long || value instanceof Integer) {
        out.writeByte(WHOLE);
        out.writeLong(((Number) value).longValue());
      } else if (value instanceof Number number) {
        out.writeByte(NUMBER);
        out.writeDouble(number.doubleValue());
      } else {
        out.writeByte(TEXT);
        text(value.toString());
      }
    }

    private void text(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      size(bytes.length);
      out.write(bytes);
    }

    private void size(int size) throws IOException {
      int rest = size;
      while ((rest & ~0x7f) != 0) {
        out.writeByte(rest & 0x7f | 0x80);
        rest >>>= 7;
      }
      out.writeByte(rest);
    }
  }

  private static final class Reader {
    private final DataInputStream in;
    private final List<String> names = new ArrayList<>();

    Reader(DataInputStream in) {
      this.in = in;
    }

    List<Row> read() throws IOException {
      int format = in.readByte();
      if (format != FORMAT) {
        throw new DamageException("rows have the unknown format " + format);
      }
      int n = size();
      List<Row> rows = new ArrayList<>(n);
      for (int i = 0; i < n; i++) {
        rows.add(row());
      }
      return rows;
    }

    private Row row() throws IOException {
      int head = in.readByte();
      How how = How.values()[head & 15];
      Object label = value();
      if ((head & 16) == 0) {
        return new Row(values(), label, 1, null, how, null);
      }
      double weight = in.readDouble();
      String id = (String) value();
      Given given = given();
      return new Row(values(), label, weight, id, how, given);
    }

    private Given given() throws IOException {
      if (!in.readBoolean()) {
        return null;
      }
      double label = in.readDouble();
      double[] scores = new double[size()];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = in.readDouble();
      }
      return new Given(label, scores, in.readLong());
    }

    private Values values() throws IOException {
      switch (in.readByte()) {
        case 0:
          return new Indexed(features());
        case 1:
          Map<String, Object> named = new LinkedHashMap<>();
          for (int n = size(); n > 0; n--) {
            named.put(name(), value());
          }
          return new Named(named);
        default:
          Map<String, String> texts = new LinkedHashMap<>();
          for (int n = size(); n > 0; n--) {
            texts.put(name(), (String) value());
          }
          return new Texts(texts);
      }
    }

    private Features features() throws IOException {
      int dimension = size();
      int count = size();
      Features.Buffer buffer = new Features.Buffer();
      int last = -1;
      for (int i = 0; i < count; i++) {
        last = size();
        buffer.add(last, in.readDouble());
      }
      if (dimension > last + 1) {
        buffer.add(dimension - 1, 0);
      }
      return buffer.features();
    }

    private String name() throws IOException {
      int at = size();
      if (at == names.size()) {
        names.add(text());
      }
      return names.get(at);
    }

    private Object value() throws IOException {
      return switch (in.readByte()) {
        case NULL -> null;
        case WHOLE -> in.readLong();
        case NUMBER -> in.readDouble();
        case TEXT -> text();
        case TRUE -> true;
        case FALSE -> false;
        default -> throw new DamageException("rows hold an unknown kind of value");
      };
    }

    private String text() throws IOException {
      return new String(in.readNBytes(size()), StandardCharsets.UTF_8);
    }

    private int size() throws IOException {
      int size = 0;
      for (int shift = 0; ; shift += 7) {
        int next = in.readByte();
        size |= (next & 0x7f) << shift;
        if (next >= 0) {
          return size;
        }
      }
    }
  }
}
