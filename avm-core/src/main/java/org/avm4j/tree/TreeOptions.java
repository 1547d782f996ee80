package org.avm4j.tree;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Columns;
import org.avm4j.internal.Rules;

/**
 * The options of an {@link AvmTree}.
 *
 * <p>A tree of d features and C classes holds at most about maxPoints · (16 size + 20 d + 48 C +
 * 1,300) bytes, and the same again for each point of its root and of its live machine, with the
 * root's size in place of the others'.
 *
 * @param machine the options of the machine at the root: the second-order step, with the kernel and
 *     the prior that all others are derived from; its size cap is that of the root
 * @param size the most core points of a machine below the root
 * @param ways the number of regions that a region is split into
 * @param maxPoints the most core points of all machines together
 */
public record TreeOptions(AvmOptions machine, int size, int ways, int maxPoints) {
  /** The size of the machine at the root if none is given. */
  public static final int DEFAULT_ROOT = 256;

  /** The size of a machine below the root if none is given. */
  public static final int DEFAULT_SIZE = 128;

  /** The number of ways of a split if none is given. */
  public static final int DEFAULT_WAYS = 8;

  /** The most core points of all machines together if none is given. */
  public static final int DEFAULT_POINTS = 100_000;

  public TreeOptions {
    Update update = machine.update();
    Rules.require(
        update.isSecondOrder(), "the machines of a tree must have the second-order update", update);
    Rules.check(machine.maxSize() >= 4, "the root must have at least 4 points", machine.maxSize());
    Limit limit = machine.limit();
    Rules.require(limit == Limit.MERGE, "at the size cap of the root, cells must merge", limit);
    Rules.check(size >= 4 && size <= 1 << 12, "a machine must have 4 to 4096 points", size);
    Rules.check(ways >= 2 && ways <= 64, "a split must have 2 to 64 ways", ways);
    Rules.check(
        maxPoints >= machine.maxSize(),
        "the limit on all points must be at least the size of the root",
        maxPoints);
  }

  /** A tree of the default shape whose root has these options but for its size. */
  public static TreeOptions of(AvmOptions machine) {
    AvmOptions root = machine.change().maxSize(DEFAULT_ROOT, Limit.MERGE).build();
    return new TreeOptions(root, DEFAULT_SIZE, DEFAULT_WAYS, DEFAULT_POINTS);
  }

  /** The most regions that may exist at a time, beside the live machine. */
  int maxRegions() {
    return 1 + Math.max(0, maxPoints - 2 * machine.maxSize()) / size;
  }

  /** Whether old instances lose weight. */
  boolean forgets() {
    return machine.forgetting().forgets();
  }

  /** Whether the root can be split at all; if not, the tree remains one machine. */
  boolean hasRoomForATree() {
    return 1 + ways <= maxRegions() && !Ablation.lacks(Ablation.Part.TREE);
  }

  /**
   * The options of a machine below the root. They have no class weights, because the tree applies
   * these.
   */
  AvmOptions below(Kernel kernel) {
    return machine
        .change()
        .kernel(kernel)
        .update(Update.newton(machine.update().prior()))
        .maxSize(size, Limit.MERGE)
        .classWeights(ClassWeights.none())
        .build();
  }

  /** Throws an exception if the machine of a file cannot be the root of this tree. */
  void checkRoot(Avm found, Columns columns) throws ModelFileException {
    check(found, machine, columns);
  }

  /** Throws an exception if the machine of a file cannot be below the root of this tree. */
  void checkBelowRoot(Avm found, Columns columns) throws ModelFileException {
    check(found, below(found.options().kernel()), columns);
  }

  private static void check(Avm found, AvmOptions expected, Columns columns)
      throws ModelFileException {
    boolean isOfTree = found.options().equals(expected);
    Decoder.check(isOfTree, "a machine must have the options of its tree", found.options());
    double[] classes = found.parts().state().columns.appeared();
    boolean hasClasses = Arrays.equals(classes, columns.appeared());
    Decoder.check(hasClasses, "a machine must have the classes of its tree", classes.length);
    int most = expected.maxSize();
    Decoder.check(found.size() <= most, "a machine must have at most " + most, found.size());
  }

  Map<String, Object> settings() {
    Map<String, Object> all = new LinkedHashMap<>(machine.settings());
    all.put("name", "tree");
    all.put("tree-size", size);
    all.put("tree-ways", ways);
    all.put("tree-points", maxPoints);
    return all;
  }

  void encode(Encoder out) {
    out.section("machine", machine::encode);
    out.int32(size);
    out.int32(ways);
    out.int32(maxPoints);
  }

  static TreeOptions decode(Decoder in) throws ModelFileException {
    AvmOptions machine = in.section("machine", AvmOptions::decode);
    return in.valid(from -> new TreeOptions(machine, from.int32(), from.int32(), from.int32()));
  }
}
