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

/** How rows that are kept stand in files: their number (4), then features, label and weight. */
public final class KeptInstances {
  /** A file with more rows than this is forged. */
  private static final int MOST = 1 << 20;

  private KeptInstances() {}

  /** Appends some rows. */
  public static void encode(List<Instance> rows, Encoder out) {
    out.int32(rows.size());
    for (Instance row : rows) {
      row.features().encode(out);
      out.float64(row.label());
      out.float64(row.weight());
    }
  }

  /** Reads what {@link #encode} wrote; refuses rows that no learner could learn. */
  public static List<Instance> decode(Decoder in) throws ModelFileException {
    List<Instance> rows = decodePrepared(in);
    for (Instance row : rows) {
      check(row.features(), row.label());
    }
    return rows;
  }

  /** Reads rows as experts see them, whose scaled values and labels may be of any size. */
  static List<Instance> decodePrepared(Decoder in) throws ModelFileException {
    int count = in.int32("the instances kept", MOST);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Features x = Features.decode(in);
      double label = in.finite("a label");
      double weight = in.version() == 1 ? 1 : in.finite("a weight");
      boolean isWeight = weight > 0 && weight <= Rules.LARGEST_WEIGHT;
      Decoder.check(isWeight, "a weight must be > 0 and not too large", weight);
      rows.add(new Instance(x, label, weight));
    }
    return rows;
  }

  /** Refuses features and labels that no learner could learn. */
  public static void check(Features x, double y) {
    Task.regression().check(y);
    FeatureException.check(x);
  }
}
