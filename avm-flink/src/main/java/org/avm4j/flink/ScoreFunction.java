package org.avm4j.flink;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.PreparedModel;

/**
 * Scores rows with a frozen model that updates replace while rows flow. There is no order between
 * updates and rows: an answer carries the version that gave it. An update that is no model is a
 * dead letter, and the model before it goes on.
 */
public final class ScoreFunction extends BroadcastProcessFunction<AvmRow, ModelUpdate, AvmAnswer> {
  private static final long serialVersionUID = 1L;
  private static final String ONLY = "model";

  /** Where the present model is kept. */
  static final MapStateDescriptor<String, ModelUpdate> MODEL =
      new MapStateDescriptor<>("model", Types.STRING, new ValueType<>(ModelUpdate.class));

  private final String firstKey;
  private final String firstVersion;
  private final byte[] firstBytes;
  private transient Scorer scorer;

  /** Scores with a model until the first update; null for none. */
  public ScoreFunction(ModelUpdate first) {
    firstKey = first == null ? null : first.key();
    firstVersion = first == null ? null : first.version();
    firstBytes = first == null ? null : first.bytes();
  }

  private ModelUpdate first() {
    return firstBytes == null ? null : new ModelUpdate(firstKey, firstVersion, firstBytes);
  }

  @Override
  public void processElement(AvmRow row, ReadOnlyContext context, Collector<AvmAnswer> out)
      throws Exception {
    ModelUpdate now = present(context.getBroadcastState(MODEL));
    if (now == null) {
      refuse(RefusedRow.of(row), "no model has come yet", context::output);
      return;
    }
    try {
      out.collect(scorer(now).answer(row));
    } catch (RuntimeException refused) {
      refuse(RefusedRow.of(row), message(refused), context::output);
    }
  }

  @Override
  public void processBroadcastElement(ModelUpdate update, Context context, Collector<AvmAnswer> out)
      throws Exception {
    try {
      scorer = Scorer.of(update);
      BroadcastState<String, ModelUpdate> state = context.getBroadcastState(MODEL);
      state.put(ONLY, update);
    } catch (IOException | RuntimeException refused) {
      String what = "model " + update.key() + " version " + update.version();
      refuse(what, message(refused), context::output);
    }
  }

  private ModelUpdate present(ReadOnlyBroadcastState<String, ModelUpdate> state) throws Exception {
    ModelUpdate update = state.get(ONLY);
    return update == null ? first() : update;
  }

  private Scorer scorer(ModelUpdate now) throws IOException {
    if (scorer == null) {
      scorer = Scorer.of(now);
    }
    return scorer;
  }

  private static void refuse(String what, String reason, SideOutput side) {
    side.send(AvmStreams.DEAD_LETTERS, new DeadLetter(what, reason));
  }

  private static String message(Exception refused) {
    return Objects.requireNonNullElse(refused.getMessage(), refused.toString());
  }

  /** The decoded model, with what makes features of rows for it. */
  private record Scorer(Model model, Schema schema, RowEncoder rows, String version) {
    static Scorer of(ModelUpdate update) throws IOException {
      PreparedModel model = PreparedModel.of(ModelFile.parse(update.bytes()));
      Schema schema = model.preparation().schema();
      return new Scorer(
          model, schema, new RowEncoder(schema.frozen(), Missing.MEAN), update.version());
    }

    AvmAnswer answer(AvmRow row) {
      Features x = row.values().encode(rows);
      return Answers.of(row, model.answer(x), model.task(), schema, version);
    }
  }
}
