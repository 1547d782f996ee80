package org.avm4j.auto.expert;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.FeatureException;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.internal.Rules;

/**
 * The file format of stored rows: their number (4), then the features, label and weight of each.
 */
public final class InstanceCodec {
  /** The most rows that a file may hold. */
  private static final int MOST = 1 << 20;

  private InstanceCodec() {}

  /** Appends some rows. */
  public static void encode(List<Instance> rows, Encoder out) {
    out.int32(rows.size());
    for (Instance row : rows) {
      out.unchanging(row, InstanceCodec::encode);
    }
  }

  private static void encode(Instance row, Encoder out) {
    row.features().encode(out);
    out.float64(row.label());
    out.float64(row.weight());
  }

  /** Reads what {@link #encode} wrote; rejects rows that no learner could learn. */
  public static List<Instance> decode(Decoder in) throws ModelFileException {
    List<Instance> rows = decodePrepared(in);
    for (Instance row : rows) {
      check(row.features(), row.label());
    }
    return rows;
  }

  /** Reads rows as experts see them; their scaled values and labels may have any magnitude. */
  static List<Instance> decodePrepared(Decoder in) throws ModelFileException {
    int count = in.int32("the instances kept", MOST);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(in.unchanging(InstanceCodec::decodeRow));
    }
    return rows;
  }

  private static Instance decodeRow(Decoder in) throws ModelFileException {
    Features x = Features.decode(in);
    double label = in.finite("a label");
    double weight = in.version() == 1 ? 1 : in.finite("a weight");
    boolean isWeight = weight > 0 && weight <= Rules.LARGEST_WEIGHT;
    Decoder.check(isWeight, "a weight must be > 0 and not too large", weight);
    return new Instance(x, label, weight);
  }

  /** Throws an exception if no learner could learn these features and this label. */
  public static void check(Features x, double y) {
    Task.regression().check(y);
    FeatureException.check(x);
  }
}
