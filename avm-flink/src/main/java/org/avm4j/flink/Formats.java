package org.avm4j.flink;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.avm4j.Features;

/** The formats of all values of this package. */
final class Formats {
  private static final int NONE = -1;

  static final List<ValueFormat<?>> ALL =
      List.of(
          new OfRow(),
          new OfLateLabel(),
          new OfAnswer(),
          new OfDeadLetter(),
          new OfModelUpdate(),
          new OfLearner(),
          new OfWaitingRow(),
          new OfWaitingLabel());

  private Formats() {}

  private static final class OfRow extends ValueFormat<AvmRow> {
    OfRow() {
      super("row", 1, AvmRow.class);
    }

    @Override
    void write(AvmRow row, DataOutputView out) throws IOException {
      text(row.key(), out);
      text(row.id(), out);
      values(row.values(), out);
      scalar(row.label(), out);
      out.writeDouble(row.weight());
    }

    @Override
    AvmRow read(DataInputView in, int version) throws IOException {
      return new AvmRow(text(in), text(in), values(in), scalar(in), in.readDouble());
    }
  }

  private static final class OfLateLabel extends ValueFormat<LateLabel> {
    OfLateLabel() {
      super("late-label", 1, LateLabel.class);
    }

    @Override
    void write(LateLabel label, DataOutputView out) throws IOException {
      text(label.key(), out);
      text(label.id(), out);
      scalar(label.label(), out);
      out.writeDouble(label.weight());
    }

    @Override
    LateLabel read(DataInputView in, int version) throws IOException {
      return new LateLabel(text(in), text(in), scalar(in), in.readDouble());
    }
  }

  private static final class OfAnswer extends ValueFormat<AvmAnswer> {
    OfAnswer() {
      super("answer", 1, AvmAnswer.class);
    }

    @Override
    void write(AvmAnswer answer, DataOutputView out) throws IOException {
      text(answer.key(), out);
      text(answer.id(), out);
      scalar(answer.label(), out);
      doubles(answer.scores(), out);
      doubles(answer.probabilities(), out);
      scalar(answer.truth(), out);
      text(answer.version(), out);
    }

    @Override
    AvmAnswer read(DataInputView in, int version) throws IOException {
      return new AvmAnswer(
          text(in), text(in), scalar(in), doubles(in), doubles(in), scalar(in), text(in));
    }
  }

  private static final class OfDeadLetter extends ValueFormat<DeadLetter> {
    OfDeadLetter() {
      super("dead-letter", 1, DeadLetter.class);
    }

    @Override
    void write(DeadLetter letter, DataOutputView out) throws IOException {
      text(letter.row(), out);
      text(letter.reason(), out);
    }

    @Override
    DeadLetter read(DataInputView in, int version) throws IOException {
      return new DeadLetter(text(in), text(in));
    }
  }

  private static final class OfModelUpdate extends ValueFormat<ModelUpdate> {
    OfModelUpdate() {
      super("model", 1, ModelUpdate.class);
    }

    @Override
    void write(ModelUpdate model, DataOutputView out) throws IOException {
      text(model.key(), out);
      text(model.version(), out);
      bytes(model.bytes(), out);
    }

    @Override
    ModelUpdate read(DataInputView in, int version) throws IOException {
      return new ModelUpdate(text(in), text(in), bytes(in));
    }
  }

  /** The learner's own bytes, which carry a version of their own. */
  private static final class OfLearner extends ValueFormat<LearnerState> {
    OfLearner() {
      super("learner", 1, LearnerState.class);
    }

    @Override
    void write(LearnerState learner, DataOutputView out) throws IOException {
      out.writeLong(learner.instances());
      bytes(learner.toBytes(), out);
    }

    @Override
    LearnerState read(DataInputView in, int version) throws IOException {
      long instances = in.readLong();
      return LearnerState.ofBytes(bytes(in), instances);
    }

    @Override
    boolean isImmutable() {
      return false;
    }

    @Override
    LearnerState copy(LearnerState from) {
      return from.takeOver();
    }
  }

  private static final class OfWaitingRow extends ValueFormat<WaitingRow> {
    private final OfRow rows = new OfRow();

    OfWaitingRow() {
      super("waiting-row", 1, WaitingRow.class);
    }

    @Override
    void write(WaitingRow waiting, DataOutputView out) throws IOException {
      rows.write(waiting.row(), out);
      out.writeLong(waiting.until());
      scalar(waiting.given(), out);
    }

    @Override
    WaitingRow read(DataInputView in, int version) throws IOException {
      return new WaitingRow(rows.read(in, 1), in.readLong(), scalar(in));
    }
  }

  private static final class OfWaitingLabel extends ValueFormat<WaitingLabel> {
    private final OfLateLabel labels = new OfLateLabel();

    OfWaitingLabel() {
      super("waiting-label", 1, WaitingLabel.class);
    }

    @Override
    void write(WaitingLabel waiting, DataOutputView out) throws IOException {
      labels.write(waiting.label(), out);
      out.writeLong(waiting.until());
    }

    @Override
    WaitingLabel read(DataInputView in, int version) throws IOException {
      return new WaitingLabel(labels.read(in, 1), in.readLong());
    }
  }

  private static void values(RowValues values, DataOutputView out) throws IOException {
    if (values instanceof RowValues.Indexed indexed) {
      out.writeByte(0);
      features(indexed.features(), out);
    } else if (values instanceof RowValues.Named named) {
      out.writeByte(1);
      out.writeInt(named.columns().size());
      for (Map.Entry<String, Object> column : named.columns().entrySet()) {
        text(column.getKey(), out);
        scalar(column.getValue(), out);
      }
    } else {
      Map<String, String> columns = ((RowValues.Texts) values).columns();
      out.writeByte(2);
      out.writeInt(columns.size());
      for (Map.Entry<String, String> column : columns.entrySet()) {
        text(column.getKey(), out);
        text(column.getValue(), out);
      }
    }
  }

  private static RowValues values(DataInputView in) throws IOException {
    return switch (in.readByte()) {
      case 0 -> new RowValues.Indexed(features(in));
      case 1 -> new RowValues.Named(named(in));
      default -> new RowValues.Texts(texts(in));
    };
  }

  private static Map<String, Object> named(DataInputView in) throws IOException {
    int n = in.readInt();
    Map<String, Object> columns = new LinkedHashMap<>(2 * n);
    for (int i = 0; i < n; i++) {
      columns.put(text(in), scalar(in));
    }
    return columns;
  }

  private static Map<String, String> texts(DataInputView in) throws IOException {
    int n = in.readInt();
    Map<String, String> columns = new LinkedHashMap<>(2 * n);
    for (int i = 0; i < n; i++) {
      columns.put(text(in), text(in));
    }
    return columns;
  }

  /** Dimension (4), count (4), and for each entry its index (4) and value (8). */
  private static void features(Features x, DataOutputView out) throws IOException {
    out.writeInt(x.dimension());
    out.writeInt(x.count());
    for (int i = 0; i < x.count(); i++) {
      out.writeInt(x.index(i));
      out.writeDouble(x.value(i));
    }
  }

  private static Features features(DataInputView in) throws IOException {
    int dimension = in.readInt();
    int count = in.readInt();
    Features.Buffer buffer = new Features.Buffer();
    int next = 0;
    for (int i = 0; i < count; i++) {
      int index = in.readInt();
      buffer.add(index, in.readDouble());
      next = index + 1;
    }
    if (dimension > next) {
      buffer.add(dimension - 1, 0);
    }
    return buffer.features();
  }

  /** A number, a text, a boolean or null behind a byte that says which. */
  private static void scalar(Object value, DataOutputView out) throws IOException {
    if (value == null) {
      out.writeByte(0);
    } else if (value instanceof Double number) {
      out.writeByte(1);
      out.writeDouble(number);
    } else if (value instanceof Long number) {
      out.writeByte(2);
      out.writeLong(number);
    } else if (value instanceof Boolean bit) {
      out.writeByte(bit ? 4 : 3);
    } else if (value instanceof Number number) {
      out.writeByte(1);
      out.writeDouble(number.doubleValue());
    } else {
      out.writeByte(5);
      text(value.toString(), out);
    }
  }

  private static Object scalar(DataInputView in) throws IOException {
    byte tag = in.readByte();
    return switch (tag) {
      case 0 -> null;
      case 1 -> in.readDouble();
      case 2 -> in.readLong();
      case 3, 4 -> tag == 4;
      default -> text(in);
    };
  }

  private static void text(String text, DataOutputView out) throws IOException {
    bytes(text == null ? null : text.getBytes(StandardCharsets.UTF_8), out);
  }

  private static String text(DataInputView in) throws IOException {
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

  private static double[] doubles(DataInputView in) throws IOException {
    double[] values = new double[in.readInt()];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.readDouble();
    }
    return values;
  }
}
