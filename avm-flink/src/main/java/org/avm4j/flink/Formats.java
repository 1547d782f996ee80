package org.avm4j.flink;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.avm4j.Certainty.Interval;
import org.avm4j.data.RowBytes;

/** The formats of all values of this package; rows and scalars use the format of the core. */
final class Formats {
  private static final int NONE = -1;

  private static final ValueFormat<AvmRow> ROW =
      new ValueFormat<>("row", 2, AvmRow.class, Formats::writeRow, Formats::readRow);
  private static final ValueFormat<LateLabel> LATE_LABEL =
      new ValueFormat<>(
          "late-label", 2, LateLabel.class, Formats::writeLateLabel, Formats::readLateLabel);

  static final List<ValueFormat<?>> ALL =
      List.of(
          ROW,
          LATE_LABEL,
          new ValueFormat<>(
              "answer", 4, AvmAnswer.class, Formats::writeAnswer, Formats::readAnswer),
          new ValueFormat<>(
              "dead-letter",
              2,
              DeadLetter.class,
              Formats::writeDeadLetter,
              Formats::readDeadLetter),
          new ValueFormat<>("model", 1, ModelUpdate.class, Formats::writeModel, Formats::readModel),
          new ValueFormat<>(
              "learner",
              1,
              LearnerState.class,
              Formats::writeLearner,
              Formats::readLearner,
              LearnerState::takeOver),
          new ValueFormat<>(
              "waiting-row",
              2,
              WaitingRow.class,
              Formats::writeWaitingRow,
              Formats::readWaitingRow),
          new ValueFormat<>(
              "waiting-label",
              2,
              WaitingLabel.class,
              Formats::writeWaitingLabel,
              Formats::readWaitingLabel));

  private Formats() {}

  private static void writeRow(AvmRow row, DataOutputView out) throws IOException {
    RowBytes.Writer rows = RowBytes.Writer.ofOneRow(out);
    rows.value(row.key());
    rows.value(row.id());
    rows.values(row.values());
    rows.value(row.label());
    out.writeDouble(row.weight());
  }

  private static AvmRow readRow(DataInputView in, int version) throws IOException {
    if (version == 1) {
      return FirstFormat.row(in);
    }
    RowBytes.Reader rows = new RowBytes.Reader(in);
    return new AvmRow(text(rows), text(rows), rows.values(), rows.value(), in.readDouble());
  }

  private static void writeLateLabel(LateLabel label, DataOutputView out) throws IOException {
    RowBytes.Writer values = RowBytes.Writer.ofOneRow(out);
    values.value(label.key());
    values.value(label.id());
    values.value(label.label());
    out.writeDouble(label.weight());
  }

  private static LateLabel readLateLabel(DataInputView in, int version) throws IOException {
    if (version == 1) {
      return FirstFormat.lateLabel(in);
    }
    RowBytes.Reader values = new RowBytes.Reader(in);
    return new LateLabel(text(values), text(values), values.value(), in.readDouble());
  }

  private static void writeAnswer(AvmAnswer answer, DataOutputView out) throws IOException {
    RowBytes.Writer values = RowBytes.Writer.ofOneRow(out);
    values.value(answer.key());
    values.value(answer.id());
    values.value(answer.label());
    doubles(answer.scores(), out);
    doubles(answer.probabilities(), out);
    values.value(answer.truth());
    values.value(answer.version());
    doubles(ends(answer.interval()), out);
    out.writeInt(answer.labels() == null ? NONE : answer.labels().size());
    if (answer.labels() != null) {
      for (Object label : answer.labels()) {
        values.value(label);
      }
    }
    out.writeBoolean(answer.isFar());
  }

  private static double[] ends(Interval interval) {
    return interval == null ? new double[0] : new double[] {interval.low(), interval.high()};
  }

  /** Version 2 has no interval and no set of labels, and version 3 does not say what is far. */
  private static AvmAnswer readAnswer(DataInputView in, int version) throws IOException {
    if (version == 1) {
      return FirstFormat.answer(in);
    }
    RowBytes.Reader values = new RowBytes.Reader(in);
    AvmAnswer plain =
        new AvmAnswer(
            text(values),
            text(values),
            values.value(),
            doubles(in),
            doubles(in),
            values.value(),
            text(values));
    return version == 2
        ? plain
        : plain.with(interval(in), labels(in, values), version > 3 && in.readBoolean());
  }

  private static Interval interval(DataInputView in) throws IOException {
    double[] ends = doubles(in);
    return ends.length == 0 ? null : new Interval(ends[0], ends[1]);
  }

  private static List<Object> labels(DataInputView in, RowBytes.Reader values) throws IOException {
    int count = in.readInt();
    if (count == NONE) {
      return null;
    }
    List<Object> labels = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      labels.add(values.value());
    }
    return labels;
  }

  private static void writeDeadLetter(DeadLetter letter, DataOutputView out) throws IOException {
    text(letter.row(), out);
    text(letter.kind(), out);
    text(letter.reason(), out);
  }

  private static DeadLetter readDeadLetter(DataInputView in, int version) throws IOException {
    String row = text(in);
    String kind = version == 1 ? DeadLetter.UNKNOWN : text(in);
    return new DeadLetter(row, kind, text(in));
  }

  private static void writeModel(ModelUpdate model, DataOutputView out) throws IOException {
    text(model.key(), out);
    text(model.version(), out);
    bytes(model.bytes(), out);
  }

  private static ModelUpdate readModel(DataInputView in, int version) throws IOException {
    return new ModelUpdate(text(in), text(in), bytes(in));
  }

  private static void writeLearner(LearnerState learner, DataOutputView out) throws IOException {
    out.writeLong(learner.instances());
    bytes(learner.toBytes(), out);
  }

  /** The bytes of the learner have their own version. */
  private static LearnerState readLearner(DataInputView in, int version) throws IOException {
    long instances = in.readLong();
    return LearnerState.ofBytes(bytes(in), instances);
  }

  private static void writeWaitingRow(WaitingRow waiting, DataOutputView out) throws IOException {
    nested(ROW, waiting.row(), out);
    out.writeLong(waiting.until());
    RowBytes.Writer.ofOneRow(out).value(waiting.given());
  }

  private static WaitingRow readWaitingRow(DataInputView in, int version) throws IOException {
    AvmRow row = nested(ROW, in, version);
    long until = in.readLong();
    Object given = version == 1 ? FirstFormat.scalar(in) : new RowBytes.Reader(in).value();
    return new WaitingRow(row, until, given);
  }

  private static void writeWaitingLabel(WaitingLabel waiting, DataOutputView out)
      throws IOException {
    nested(LATE_LABEL, waiting.label(), out);
    out.writeLong(waiting.until());
  }

  private static WaitingLabel readWaitingLabel(DataInputView in, int version) throws IOException {
    return new WaitingLabel(nested(LATE_LABEL, in, version), in.readLong());
  }

  /** Writes a nested value, after the version of its format. */
  private static <T> void nested(ValueFormat<T> format, T value, DataOutputView out)
      throws IOException {
    out.writeByte(format.version());
    format.writer().write(value, out);
  }

  /** Reads a nested value; if the outer version is 1, so is the inner one. */
  private static <T> T nested(ValueFormat<T> format, DataInputView in, int version)
      throws IOException {
    int its = version == 1 ? 1 : in.readByte();
    if (its < 1 || its > format.version()) {
      throw new IOException("there is no version " + its + " of the format " + format.name());
    }
    return format.reader().read(in, its);
  }

  private static String text(RowBytes.Reader in) throws IOException {
    Object value = in.value();
    if (value != null && !(value instanceof String)) {
      throw new IOException("expected a text, found " + value);
    }
    return (String) value;
  }

  private static void text(String text, DataOutputView out) throws IOException {
    bytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8), out);
  }

  static String text(DataInputView in) throws IOException {
    byte[] utf8 = bytes(in);
    return utf8 == null ? null : new String(utf8, StandardCharsets.UTF_8);
  }

  private static void bytes(byte[] bytes, DataOutputView out) throws IOException {
    out.writeInt(bytes == null ? NONE : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  private static byte[] bytes(DataInputView in) throws IOException {
    int length = in.readInt();
    if (length == NONE) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  private static void doubles(double[] values, DataOutputView out) throws IOException {
    out.writeInt(values.length);
    for (double value : values) {
      out.writeDouble(value);
    }
  }

  static double[] doubles(DataInputView in) throws IOException {
    double[] values = new double[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readDouble();
    }
    return values;
  }
}
