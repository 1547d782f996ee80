package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.Consumer;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Loss;
import org.avm4j.Streams;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

class TreeRegionTest {
  private static final TreeOptions OPTIONS = TreeContractTest.small(AvmOptions.regression());
  private static final Columns NUMBERS = Columns.single();

  private static Correction correction(double before, double after) {
    Correction correction = new Correction(Loss.squared(), NUMBERS);
    correction.before = before;
    correction.after = after;
    correction.num = 1;
    correction.den = 2;
    return correction;
  }

  private static Region root() {
    Region root = new Region(null, 4, 10);
    Avm machine = new Avm(OPTIONS.machine());
    Streams.regression(20, 2, 1).forEach(row -> machine.learn(row.features(), row.label()));
    root.frozen = machine.parts().frozen();
    return root;
  }

  private static Region leaf(Region parent) {
    Region leaf = new Region(parent, 2, 30);
    leaf.learner = new Avm(OPTIONS.below(OPTIONS.machine().kernel()));
    leaf.learner.learn(Features.dense(1, 2), 3);
    leaf.kept = new RecentRows(2 * OPTIONS.size());
    leaf.kept.add(Features.dense(1, 2), 3, 1);
    return leaf;
  }

  @Test
  void theWindowGrowsUpToItsHorizon() {
    Region region = new Region(null, 1, 0);
    assertThat(region.keep()).isZero();
    region.seen = 1;
    assertThat(region.keep()).isZero();
    region.seen = 4;
    assertThat(region.keep()).isEqualTo(0.75);
    region.seen = 100_000;
    assertThat(region.keep()).isEqualTo(1 - 1 / 500.0);
  }

  @Test
  void itJudgesItselfByWhatItsCorrectionSaves() {
    Region region = new Region(null, 1, 100);
    region.judge(correction(8, 3), 0.5);
    region.judge(correction(2, 1), 0.5);
    assertThat(region.lossBefore).isEqualTo(6);
    assertThat(region.lossAfter).isEqualTo(2.5);
    assertThat(region.gate.num()).isEqualTo(1.5);
    assertThat(region.gate.den()).isEqualTo(3);
    region.seen = 50;
    region.replayed = 30;
    assertThat(region.share(180)).isEqualTo(20 / 80.0);
    assertThat(region.savings(180)).isCloseTo(3.5 * 0.25 / 50, within(1e-15));
    assertThat(region.lossLeft(180)).isCloseTo(2.5 * 0.25 / 50, within(1e-15));
    assertThat(region.share(100)).as("born now").isEqualTo(20);
    region.seen = 1030;
    assertThat(region.lossLeft(2100)).isCloseTo(2.5 * 0.5 / 500, within(1e-15));
  }

  @Test
  void itNeverSavesLessThanNothing() {
    Region region = new Region(null, 1, 0);
    region.judge(correction(1, 5), 0.5);
    region.seen = 10;
    assertThat(region.savings(20)).isZero();
    assertThat(region.lossLeft(20)).isPositive();
    assertThat(new Region(null, 1, 0).lossLeft(0)).as("nothing was seen").isZero();
  }

  @Test
  void whatTheSameRegionOfAnotherTreeSawCountsByItsInstances() {
    Region mine = new Region(null, 1, 0);
    mine.judge(correction(8, 4), 1);
    mine.seen = 10;
    mine.replayed = 2;
    mine.refusals = 3;
    Region its = new Region(null, 1, 0);
    its.judge(correction(4, 0), 1);
    its.mix.add(1, 5, 1);
    its.seen = 30;
    its.replayed = 5;
    its.refusals = 1;
    mine.take(its);
    assertThat(mine.lossBefore).isEqualTo(5);
    assertThat(mine.lossAfter).isEqualTo(1);
    assertThat(mine.seen).isEqualTo(40);
    assertThat(mine.replayed).isEqualTo(7);
    assertThat(mine.refusals).isEqualTo(3);
    assertThat(mine.gate.den()).isEqualTo(4);
    assertThat(mine.mix.den()).isEqualTo(5);
    Region fresh = new Region(null, 1, 0);
    fresh.take(new Region(null, 1, 0));
    assertThat(fresh.lossBefore).isZero();
  }

  @Test
  void itIsWhatItsMachineIs() {
    Region root = root();
    Region leaf = leaf(root);
    assertThat(root.depth).isZero();
    assertThat(leaf.depth).isEqualTo(1);
    assertThat(leaf.size()).isEqualTo(1);
    assertThat(leaf.core().vector(0)).isEqualTo(Features.dense(1, 2));
    assertThat(root.size()).isEqualTo(root.frozen.size()).isPositive();
    assertThat(root.core()).isSameAs(root.frozen.core());
    double[] scores = new double[1];
    leaf.score(Features.dense(1, 2), scores);
    assertThat(scores[0]).isEqualTo(leaf.learner.score(Features.dense(1, 2))[0]).isNotZero();
  }

  private static byte[] bytes(Region region) {
    Encoder out = new Encoder();
    region.encode(out);
    return out.toBytes();
  }

  private static Region decoded(Region region, Region parent) throws ModelFileException {
    return Region.decode(new Decoder(bytes(region)), parent, OPTIONS, NUMBERS);
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    Region root = root();
    root.router = Router.to(List.of(Features.dense(0), Features.dense(9)));
    root.children = new Region[2];
    root.seen = 7;
    root.replayed = 7;
    Region readRoot = decoded(root, null);
    assertThat(readRoot.children).hasSize(2);
    assertThat(readRoot.isLeaf()).isFalse();
    assertThat(bytes(readRoot)).isEqualTo(bytes(root));
    Region leaf = leaf(root);
    leaf.judge(correction(8, 3), 0.5);
    leaf.mix.add(3, 4, 1);
    leaf.seen = 9;
    leaf.replayed = 2;
    leaf.refusals = 40;
    leaf.foldedAt = 9;
    Region read = decoded(leaf, readRoot);
    assertThat(read.isLeaf()).isTrue();
    assertThat(read.foldedAt).isEqualTo(9);
    assertThat(read.meanSquare).isEqualTo(2);
    assertThat(bytes(read)).isEqualTo(bytes(leaf));
  }

  private static void refused(Region region, Region parent, Consumer<Region> change, String why) {
    change.accept(region);
    assertThatThrownBy(() -> decoded(region, parent))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aFileThatNoTreeWroteIsRefused() throws ModelFileException {
    Region root = root();
    refused(leaf(root), root, leaf -> leaf.replayed = 1, "must have seen what it began with");
    refused(leaf(root), root, leaf -> leaf.foldedAt = 1, "must have seen its fold");
    refused(leaf(root), root, leaf -> leaf.refusals = 41, "the refused splits");
    refused(leaf(root), root, leaf -> leaf.learner = new Avm(OPTIONS.machine()), "options of its");
    Region wide = leaf(new Region(null, 1, 0));
    refused(wide, wide.parent, leaf -> leaf.seen = 1, "a spread must be from 0.0625 to 1.0");
    Region narrow = leaf(new Region(null, 33, 0));
    refused(narrow, narrow.parent, leaf -> leaf.seen = 1, "a spread must be from 2.0625 to 33.0");
    Region sixteenth = leaf(new Region(null, 32, 0));
    assertThat(decoded(sixteenth, sixteenth.parent).meanSquare).isEqualTo(2);
    Region same = leaf(new Region(null, 2, 0));
    assertThat(decoded(same, same.parent).meanSquare).isEqualTo(2);
    for (double spread : new double[] {1e-13, 1e61}) {
      Region strange = new Region(null, spread, 0);
      strange.frozen = root.frozen;
      refused(strange, null, region -> region.seen = 1, "a spread must be from 1.0E-12 to 1.0E60");
    }
  }
}
