package org.avm4j.flink.job;

import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.avm4j.Features;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFile;
import org.avm4j.codec.Savable;
import org.avm4j.data.Missing;
import org.avm4j.data.RowEncoder;
import org.avm4j.data.Schema;
import org.avm4j.flink.AvmRow;
import org.avm4j.pipeline.Preparation;

/** Prepares each row for learning; rows of unknown classes are left out and counted. */
final class RowPreparing extends ProcessFunction<AvmRow, AvmRow> {
  private static final String KIND = "avm-preparation";
  private static final long serialVersionUID = 1L;

  private final byte[] bytes;
  private transient Preparation preparation;
  private transient RowEncoder rows;
  private transient Counter refused;

  RowPreparing(Preparation preparation) {
    bytes = ModelFile.toBytes(new Whole(preparation));
  }

  @Override
  public void open(OpenContext context) throws Exception {
    preparation = ModelFile.parse(bytes).read(Map.of(KIND, Preparation::decode));
    Schema frozen = preparation.schema().frozen();
    rows = new RowEncoder(frozen, Missing.MEAN);
    refused = getRuntimeContext().getMetricGroup().addGroup("avm").counter("refused");
  }

  @Override
  public void processElement(AvmRow row, Context context, Collector<AvmRow> out) {
    AvmRow learned;
    try {
      Features x = row.values().encode(rows);
      double y = preparation.labels().transform(rows.label(row.label()));
      learned = AvmRow.of(row.key(), preparation.transform(x, new Features.Buffer()), y);
    } catch (IllegalArgumentException unknown) {
      refused.inc();
      return;
    }
    out.collect(learned);
  }

  private record Whole(Preparation preparation) implements Savable {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public void encode(Encoder out) {
      preparation.encode(out);
    }
  }
}
