package org.avm4j.flink;

import java.io.IOException;
import java.util.Objects;
import org.apache.flink.api.common.state.BroadcastState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ReadOnlyBroadcastState;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.util.Collector;
import org.avm4j.codec.ModelFile;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.PreparedModel;
import org.avm4j.table.RefusedRowException;

/**
 * Scores rows with a frozen model, which updates replace while the job runs. Updates and rows are
 * not ordered, so an answer carries the version of its model. An update that is not a model becomes
 * a dead letter, and the former model stays in use.
 */
public final class ScoreFunction extends BroadcastProcessFunction<AvmRow, ModelUpdate, AvmAnswer> {
  private static final long serialVersionUID = 2L;
  private static final String ONLY = "model";

  /** The broadcast state that holds the current model. */
  static final MapStateDescriptor<String, ModelUpdate> MODEL =
      new MapStateDescriptor<>("model", Types.STRING, new ValueType<>(ModelUpdate.class));

  private final ModelUpdate first;
  private transient Scorer scorer;

  /** Scores with this model until the first update; null to refuse rows until then. */
  public ScoreFunction(ModelUpdate first) {
    this.first = first;
  }

  @Override
  public void processElement(AvmRow row, ReadOnlyContext context, Collector<AvmAnswer> out)
      throws Exception {
    ModelUpdate now = present(context.getBroadcastState(MODEL));
    if (now == null) {
      refuse(row.text(), DeadLetter.MODEL, "no model has arrived yet", context::output);
      return;
    }
    Scorer present = scorer(now);
    AvmAnswer answer;
    try {
      answer = present.answer(row);
    } catch (RefusedRowException refused) {
      String kind = refused.reason().word();
      refuse(row.text(), kind, refused.getMessage(), context::output);
      return;
    }
    out.collect(answer);
  }

  @Override
  public void processBroadcastElement(ModelUpdate update, Context context, Collector<AvmAnswer> out)
      throws Exception {
    Scorer next;
    try {
      next = Scorer.of(update);
    } catch (IOException | RuntimeException damaged) {
      String what = "model " + update.key() + " version " + update.version();
      refuse(what, DeadLetter.MODEL, message(damaged), context::output);
      return;
    }
    scorer = next;
    BroadcastState<String, ModelUpdate> state = context.getBroadcastState(MODEL);
    state.put(ONLY, update);
  }

  private ModelUpdate present(ReadOnlyBroadcastState<String, ModelUpdate> state) throws Exception {
    ModelUpdate update = state.get(ONLY);
    return update == null ? first : update;
  }

  private Scorer scorer(ModelUpdate now) throws IOException {
    if (scorer == null) {
      scorer = Scorer.of(now);
    }
    return scorer;
  }

  private static void refuse(String what, String kind, String reason, SideOutput side) {
    side.send(AvmStreams.DEAD_LETTERS, new DeadLetter(what, kind, reason));
  }

  private static String message(Exception damaged) {
    return Objects.requireNonNullElse(damaged.getMessage(), damaged.toString());
  }

  private record Scorer(PreparedModel model, String version) {
    /** Detaches the model, because scored rows do not continue the stream that it learned. */
    static Scorer of(ModelUpdate update) throws IOException {
      PreparedModel model = PreparedModel.of(ModelFile.parse(update.bytes()));
      return new Scorer(model.detached(), update.version());
    }

    AvmAnswer answer(AvmRow row) {
      Schema schema = model.preparation().schema();
      return AvmAnswer.of(row, model.answer(row.row()), model.task(), schema, version);
    }
  }
}
