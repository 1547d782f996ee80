package org.avm4j.data;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.Features;

/**
 * The bytes of rows, for stores and for state that outlives a process.
 *
 * <p>A value: a tag (1) and what it announces: 0 null, 1 a whole number (8), 2 a number (8), 3 a
 * text, 4 true, 5 false. The values of a row: 0 for numbers by index, then dimension, count, and an
 * index and a number (8) for each entry; 1 for values by column name, then their number, and a name
 * and a value for each; 2 for texts by column name, in the same form. A text: its length in bytes
 * and UTF-8. A name: its place among the names that were written so far; a new one is followed by
 * its text. Lengths, counts and places have seven bits a byte, the lowest first; the highest bit
 * says that more follow.
 *
 * <p>Tags and forms that are not listed here are refused with an {@link IOException}.
 */
public final class RowBytes {
  private static final int NULL = 0;
  private static final int WHOLE = 1;
  private static final int NUMBER = 2;
  private static final int TEXT = 3;
  private static final int TRUE = 4;
  private static final int FALSE = 5;

  private static final int INDEXED = 0;
  private static final int NAMED = 1;
  private static final int TEXTS = 2;

  /** Number of bytes or entries allocated at a time, before they are read. */
  private static final int STEP = 1 << 12;

  /** Bits of the largest length. */
  private static final int SIZE_BITS = 31;

  private RowBytes() {}

  /** Writes rows one after the other; column names are written once. */
  public static final class Writer {
    private final DataOutput out;
    private final Map<String, Integer> places;
    private final List<String> names = new ArrayList<>();
    private int next;

    private Writer(DataOutput out, Map<String, Integer> places) {
      this.out = out;
      this.places = places;
    }

    /** A writer at the start, without names. */
    public Writer(DataOutput out) {
      this(out, new HashMap<>());
    }

    /** A writer of one row, which need not remember names: no name comes twice. */
    public static Writer ofOneRow(DataOutput out) {
      return new Writer(out, null);
    }

    /** Writes what a row holds. */
    public void values(Row.Values values) throws IOException {
      values.write(this);
    }

    void named(Map<String, ?> columns) throws IOException {
      out.writeByte(NAMED);
      columns(columns);
    }

    void texts(Map<String, String> columns) throws IOException {
      out.writeByte(TEXTS);
      columns(columns);
    }

    private void columns(Map<String, ?> columns) throws IOException {
      size(columns.size());
      next = 0;
      for (Map.Entry<String, ?> column : columns.entrySet()) {
        name(column.getKey());
        value(column.getValue());
      }
    }

    void indexed(Features x) throws IOException {
      out.writeByte(INDEXED);
      size(x.dimension());
      size(x.count());
      for (int i = 0; i < x.count(); i++) {
        size(x.index(i));
        out.writeDouble(x.value(i));
      }
    }

    private void name(String name) throws IOException {
      int place = place(name);
      size(place);
      if (place == names.size()) {
        names.add(name);
        text(name);
      }
      next = place + 1;
    }

    /** The index of a name, searched first where it was in the row before. */
    private int place(String name) {
      if (next < names.size() && names.get(next).equals(name)) {
        return next;
      }
      Integer known = places == null ? null : places.putIfAbsent(name, names.size());
      return known == null ? names.size() : known;
    }

    /** Writes a number, a text, a boolean or null. */
    public void value(Object value) throws IOException {
      if (value == null) {
        out.writeByte(NULL);
      } else if (value instanceof Boolean bit) {
        out.writeByte(bit ? TRUE : FALSE);
      } else if (isWhole(value)) {
        out.writeByte(WHOLE);
        out.writeLong(((Number) value).longValue());
      } else if (value instanceof Number number) {
        out.writeByte(NUMBER);
        out.writeDouble(Decimal.value(number));
      } else {
        out.writeByte(TEXT);
        text(value.toString());
      }
    }

    private static boolean isWhole(Object value) {
      return value instanceof Long
          || value instanceof Integer
          || value instanceof Short
          || value instanceof Byte;
    }

    private void text(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      size(bytes.length);
      out.write(bytes);
    }

    /** Writes a length or a count. */
    public void size(int size) throws IOException {
      int rest = size;
      while ((rest & ~0x7f) != 0) {
        out.writeByte(rest & 0x7f | 0x80);
        rest >>>= 7;
      }
      out.writeByte(rest);
    }
  }

  /** Reads what a {@link Writer} wrote, in the same order. */
  public static final class Reader {
    private final DataInput in;
    private final List<String> names = new ArrayList<>();

    /** A reader at the start, without names. */
    public Reader(DataInput in) {
      this.in = in;
    }

    /** Reads what a row holds. */
    public Row.Values values() throws IOException {
      int form = in.readByte();
      return switch (form) {
        case INDEXED -> new Row.Indexed(features());
        case NAMED -> new Row.Named(named());
        case TEXTS -> new Row.Texts(texts());
        default -> throw new IOException("a row has the unknown form " + form);
      };
    }

    private Map<String, Object> named() throws IOException {
      int count = size();
      Map<String, Object> columns = new LinkedHashMap<>(2 * Math.min(count, STEP));
      for (int n = count; n > 0; n--) {
        columns.put(name(), value());
      }
      return columns;
    }

    private Map<String, String> texts() throws IOException {
      int count = size();
      Map<String, String> columns = new LinkedHashMap<>(2 * Math.min(count, STEP));
      for (int n = count; n > 0; n--) {
        String name = name();
        if (value() instanceof String text) {
          columns.put(name, text);
        } else {
          columns.put(name, null);
        }
      }
      return columns;
    }

    private Features features() throws IOException {
      int dimension = size();
      int count = size();
      Features.Buffer buffer = new Features.Buffer();
      try {
        for (int i = 0; i < count; i++) {
          buffer.add(size(), in.readDouble());
        }
        if (dimension > buffer.features().dimension()) {
          buffer.add(dimension - 1, 0);
        }
      } catch (IllegalArgumentException refused) {
        throw new IOException("a row by index is damaged: " + refused.getMessage(), refused);
      }
      return buffer.features();
    }

    private String name() throws IOException {
      int at = size();
      if (at == names.size()) {
        names.add(text());
      } else if (at > names.size()) {
        throw new IOException("a row names column " + at + " of " + names.size());
      }
      return names.get(at);
    }

    /** Reads a number, a text, a boolean or null. */
    public Object value() throws IOException {
      int tag = in.readByte();
      return switch (tag) {
        case NULL -> null;
        case WHOLE -> in.readLong();
        case NUMBER -> in.readDouble();
        case TEXT -> text();
        case TRUE -> true;
        case FALSE -> false;
        default -> throw new IOException("a row holds a value of the unknown kind " + tag);
      };
    }

    /** Reads a text; memory grows with the bytes read, whatever length is announced. */
    private String text() throws IOException {
      int length = size();
      byte[] bytes = new byte[Math.min(length, STEP)];
      in.readFully(bytes);
      for (int at = bytes.length; at < length; at = bytes.length) {
        bytes = Arrays.copyOf(bytes, (int) Math.min(length, 2L * at));
        in.readFully(bytes, at, bytes.length - at);
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Reads a length or a count. */
    public int size() throws IOException {
      long size = 0;
      for (int shift = 0; shift < SIZE_BITS + 4; shift += 7) {
        int next = in.readByte();
        size |= (long) (next & 0x7f) << shift;
        if (next >= 0 && size <= Integer.MAX_VALUE) {
          return (int) size;
        }
      }
      throw new IOException("a row has a length of more than " + SIZE_BITS + " bits");
    }
  }
}
