package org.avm4j.serve;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.avm4j.data.Row;
import org.avm4j.data.RowBytes;
import org.avm4j.serve.ServedRow.PastAnswer;
import org.avm4j.serve.ServedRow.Purpose;

/**
 * The bytes of a batch of rows in the store: a checksum (CRC-32C, 4), the format (1), the number of
 * rows and each of them. A row: the tag of its {@link Purpose}, plus 16 if weight, id or answer
 * follow the label (1); its label; the weight (8), the id and the answer; its values. An answer: 0
 * for none, 1 for an answer of the model's first learner, 2 for one of a later learner, plus 4 if
 * the row was far, which earlier versions did not tell (1); label (8), scores, sequence (8) and in
 * the last case the learner (8). Labels, ids and values are those of {@link RowBytes}, so that
 * column names are written once a batch.
 */
final class RowCodec {
  private static final int FORMAT = 1;
  private static final int HAS_MORE = 16;
  private static final int NO_ANSWER = 0;
  private static final int BY_THE_FIRST = 1;
  private static final int BY_ANOTHER = 2;
  private static final int FAR = 4;

  private RowCodec() {}

  static byte[] encode(List<ServedRow> rows) {
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

  /** Decodes rows; throws an exception if the checksum or the format is wrong. */
  static List<ServedRow> decode(byte[] bytes) throws DamageException {
    if (bytes == null || bytes.length < 5) {
      throw new DamageException("rows are truncated");
    }
    try {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
      if (in.readInt() != checksum(bytes)) {
        throw new DamageException("the checksum of the rows does not match");
      }
      return new Reader(in).read();
    } catch (DamageException damage) {
      throw damage;
    } catch (IOException wrong) {
      throw new DamageException("rows cannot be read: " + wrong.getMessage());
    }
  }

  private static int checksum(byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(bytes, 4, bytes.length - 4);
    return (int) sum.getValue();
  }

  private static final class Writer {
    private final DataOutputStream out;
    private final RowBytes.Writer format;

    Writer(DataOutputStream out) {
      this.out = out;
      format = new RowBytes.Writer(out);
    }

    void write(List<ServedRow> rows) throws IOException {
      out.writeByte(FORMAT);
      format.size(rows.size());
      for (ServedRow row : rows) {
        write(row);
      }
    }

    private void write(ServedRow served) throws IOException {
      Row row = served.row();
      boolean isPlain = row.weight() == 1 && served.id() == null && served.pastAnswer() == null;
      out.writeByte(served.purpose().tag | (isPlain ? 0 : HAS_MORE));
      format.value(row.label());
      if (!isPlain) {
        out.writeDouble(row.weight());
        format.value(served.id());
        write(served.pastAnswer());
      }
      format.values(row.values());
    }

    private void write(PastAnswer given) throws IOException {
      if (given == null) {
        out.writeByte(NO_ANSWER);
        return;
      }
      out.writeByte((given.learner() == 0 ? BY_THE_FIRST : BY_ANOTHER) | (given.isFar() ? FAR : 0));
      out.writeDouble(given.label());
      format.size(given.scores().length);
      for (double score : given.scores()) {
        out.writeDouble(score);
      }
      out.writeLong(given.sequence());
      if (given.learner() != 0) {
        out.writeLong(given.learner());
      }
    }
  }

  private static final class Reader {
    private final DataInputStream in;
    private final RowBytes.Reader format;

    Reader(DataInputStream in) {
      this.in = in;
      format = new RowBytes.Reader(in);
    }

    List<ServedRow> read() throws IOException {
      int found = in.readByte();
      if (found != FORMAT) {
        throw new DamageException("rows have the unknown format " + found);
      }
      List<ServedRow> rows = new ArrayList<>();
      for (int n = format.size(); n > 0; n--) {
        rows.add(row());
      }
      return rows;
    }

    private ServedRow row() throws IOException {
      int head = in.readByte();
      Object label = format.value();
      boolean isPlain = (head & HAS_MORE) == 0;
      double weight = isPlain ? 1 : in.readDouble();
      String id = isPlain ? null : id();
      PastAnswer given = isPlain ? null : given();
      return new ServedRow(new Row(format.values(), label, weight), id, purpose(head & 15), given);
    }

    private String id() throws IOException {
      return format.value() instanceof String text ? text : null;
    }

    private static Purpose purpose(int tag) throws IOException {
      for (Purpose purpose : Purpose.values()) {
        if (purpose.tag == tag) {
          return purpose;
        }
      }
      throw new IOException("a row has the unknown purpose " + tag);
    }

    private PastAnswer given() throws IOException {
      int tag = in.readByte();
      if (tag == NO_ANSWER) {
        return null;
      }
      int learner = tag & ~FAR;
      if (learner != BY_THE_FIRST && learner != BY_ANOTHER) {
        throw new IOException("an answer has the unknown tag " + tag);
      }
      double label = in.readDouble();
      int n = format.size();
      if (n > in.available() / Double.BYTES) {
        throw new IOException("an answer with " + n + " scores is truncated");
      }
      double[] scores = new double[n];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = in.readDouble();
      }
      return new PastAnswer(
          label, scores, in.readLong(), learner == BY_ANOTHER ? in.readLong() : 0, learner != tag);
    }
  }
}
