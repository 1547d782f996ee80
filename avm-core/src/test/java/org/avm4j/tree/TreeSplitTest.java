package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

/** The regions of a tree, split and folded by hand. */
class TreeSplitTest {
  private static final int T = 64;

  /** Room for the root, six leaves, and three more where one of them was split. */
  private static final int REGIONS = 10;

  private final Columns columns = Columns.single();

  private static TreeOptions options(AvmOptions.Builder builder) {
    TreeOptions small = TreeContractTest.small(builder);
    return new TreeOptions(small.machine(), 8, 3, 32 + 8 * (REGIONS - 1));
  }

  private TreeGrowth planted(AvmOptions.Builder builder, int kept) {
    TreeOptions options = options(builder);
    TreeGrowth growth = new TreeGrowth(options, columns, new AgeGates(8));
    Avm machine = new Avm(options.machine());
    RecentRows recent = new RecentRows(kept);
    for (Instance row : TreeGrowthTest.detail(Task.regression(), T, 1)) {
      machine.learn(row.features(), row.label());
      recent.add(row.features(), row.label(), 1);
    }
    growth.plant(machine.parts().frozen(), recent, T);
    return growth;
  }

  private TreeGrowth planted() {
    return planted(AvmOptions.regression(), 32);
  }

  private void learn(TreeGrowth growth, int n, long seed) {
    TreePath path = new TreePath();
    for (Instance row : TreeGrowthTest.detail(Task.regression(), n, seed)) {
      path.walk(growth.root(), row.features(), 1, new AgeGates(8));
      path.leaf().seen++;
      growth.learn(path, row.features(), row.label(), 1, 0);
    }
  }

  @Test
  void theFirstChildrenLearnTheLatestRows() {
    TreeGrowth growth = planted();
    Region root = growth.root();
    assertThat(growth.regions()).hasSize(4);
    assertThat(root.kept).isNull();
    assertThat(root.size()).isEqualTo(16);
    assertThat(Arrays.asList(root.children)).isEqualTo(growth.regions().subList(1, 4));
    int kept = 0;
    for (Region child : root.children) {
      kept += child.kept.size();
      assertThat(child.depth).isEqualTo(1);
      assertThat(child.born).isEqualTo(T);
      assertThat(child.seen).isEqualTo(child.replayed);
      assertThat(child.learner.instances()).isEqualTo(child.seen);
      assertThat(child.lossBefore).isZero();
      for (int i = 0; i < child.kept.size(); i++) {
        assertThat(root.child(child.kept.get(i).x())).isSameAs(child);
      }
      assertThat(child.meanSquare).isBetween(root.meanSquare / 16, root.meanSquare);
    }
    long seen = Arrays.stream(root.children).mapToLong(child -> child.seen).sum();
    assertThat(seen).isEqualTo(32);
    assertThat(kept).isBetween(16, 32);
  }

  /** As the region is smaller; or a Laplacian whose scale is the region's. */
  @Test
  void theKernelIsNarrowerBelow() {
    for (Kernel kernel : List.of(Kernel.gaussian(0.5), Kernel.matern32(0.5))) {
      TreeGrowth growth = planted(AvmOptions.regression().kernel(kernel), 32);
      for (Region child : growth.root().children) {
        double ratio = growth.root().meanSquare / child.meanSquare;
        double factor = kernel.isOfSquare() ? ratio : Math.sqrt(ratio);
        Kernel same = kernel.withGamma(0.5 * factor);
        Kernel laplacian = Kernel.laplacian(1 / Math.sqrt(child.meanSquare));
        Kernel found = child.learner.options().kernel();
        assertThat(kernel.isOfSquare() ? List.of(same, laplacian) : List.of(same)).contains(found);
      }
    }
  }

  @Test
  void onlyALearnerThatDoesNotForgetRemembersExactly() {
    Region exact = planted(AvmOptions.regression(), 6).root().children[0];
    assertThat(exact.learner.parts().state().weights.remembersExactly()).isTrue();
    AvmOptions.Builder fades = AvmOptions.regression().forgetting(Forgetting.horizon(500));
    Region faded = planted(fades, 6).root().children[0];
    assertThat(faded.learner.parts().state().weights.remembersExactly()).isFalse();
  }

  @Test
  void aRootOfOnePointIsNotSplit() {
    TreeOptions options = options(AvmOptions.regression());
    TreeGrowth growth = new TreeGrowth(options, columns, new AgeGates(8));
    assertThat(growth.isPlanted()).isFalse();
    Avm machine = new Avm(options.machine());
    machine.learn(Features.dense(1, 2), 3);
    RecentRows recent = new RecentRows(32);
    recent.add(Features.dense(1, 2), 3, 1);
    growth.plant(machine.parts().frozen(), recent, 1);
    assertThat(growth.isPlanted()).isTrue();
    assertThat(growth.regions()).hasSize(1);
    assertThat(growth.root().refusals).isEqualTo(1);
    assertThat(growth.root().meanSquare).isEqualTo(1e-12);
  }

  /** A leaf with all that it needs to be split. */
  private Region ready(TreeGrowth growth) {
    learn(growth, 200, 2);
    Region leaf = growth.root().children[1];
    leaf.lossBefore = 2;
    leaf.lossAfter = 1;
    assertThat(leaf.size()).isEqualTo(8);
    assertThat(growth.isReady(leaf)).isTrue();
    return leaf;
  }

  @Test
  void aLeafIsReadyWhenItIsFullHasSeenEnoughAndSavesLoss() {
    TreeGrowth growth = planted();
    Region leaf = ready(growth);
    leaf.lossAfter = 2;
    assertThat(growth.isReady(leaf)).isFalse();
    leaf.lossAfter = 1;
    leaf.seen = 15;
    assertThat(growth.isReady(leaf)).isFalse();
    leaf.seen = 16;
    assertThat(growth.isReady(leaf)).isTrue();
    leaf.refusals = 2;
    leaf.seen = 63;
    assertThat(growth.isReady(leaf)).isFalse();
    leaf.seen = 64;
    assertThat(growth.isReady(leaf)).isTrue();
    leaf.foldedAt = 1;
    assertThat(growth.isReady(leaf)).isFalse();
    leaf.foldedAt = 0;
    RecentRows kept = leaf.kept;
    leaf.kept = null;
    assertThat(growth.isReady(leaf)).isFalse();
    leaf.kept = kept;
    leaf.learner = new Avm(leaf.learner.options());
    assertThat(growth.isReady(leaf)).isFalse();
  }

  @Test
  void aLeafThatIsSplitStandsStill() {
    TreeGrowth growth = planted();
    Region leaf = ready(growth);
    growth.grow(leaf, 300);
    assertThat(leaf.isLeaf()).isFalse();
    assertThat(leaf.kept).isNull();
    assertThat(growth.regions()).hasSize(4 + leaf.children.length);
    assertThat(leaf.children[0].depth).isEqualTo(2);
    assertThat(leaf.children[0].born).isEqualTo(300);
    long known = leaf.learner.instances();
    learn(growth, 100, 3);
    assertThat(leaf.learner.instances()).isEqualTo(known);
  }

  /** All rows that were kept are at one of the core points. */
  @Test
  void aLeafIsNotSplitWhereOneChildWouldGetNearlyAll() {
    TreeGrowth growth = planted();
    Region leaf = ready(growth);
    RecentRows rows = new RecentRows(16);
    for (int i = 0; i < 16; i++) {
      rows.add(leaf.core().vector(0), 1, 1);
    }
    leaf.kept = rows;
    growth.grow(leaf, 300);
    assertThat(leaf.isLeaf()).isTrue();
    assertThat(leaf.refusals).isEqualTo(1);
    assertThat(leaf.kept).isSameAs(rows);
  }

  /** All leaves but the last are split by hand, so that there is no room for it. */
  private TreeGrowth full(double saved) {
    TreeGrowth growth = planted();
    ready(growth);
    for (int i = 0; i < 2; i++) {
      Region region = growth.root().children[i];
      growth.grow(region, 300);
      assertThat(region.isLeaf()).isFalse();
      for (Region child : region.children) {
        child.lossBefore = (2 - i) * saved;
        child.seen = 100;
        child.replayed = 0;
      }
    }
    assertThat(growth.regions()).hasSize(REGIONS);
    Region last = growth.root().children[2];
    last.lossAfter = 300;
    last.seen = 100;
    last.replayed = 0;
    return growth;
  }

  @Test
  void atTheCapTheRegionThatSavesLeastIsFolded() {
    TreeGrowth growth = full(1);
    Region[] children = growth.root().children;
    Region least = children[1];
    List<Region> folded = List.of(least.children);
    int kept = folded.stream().mapToInt(child -> Math.min(16 / 3, child.kept.size())).sum();
    least.refusals = 3;
    long known = least.learner.instances();
    growth.grow(children[2], 400);
    assertThat(least.isLeaf()).isTrue();
    assertThat(least.router).isNull();
    assertThat(least.refusals).isZero();
    assertThat(least.foldedAt).isEqualTo(least.seen).isPositive();
    assertThat(least.kept.size()).as("the latest of each").isEqualTo(kept);
    assertThat(least.learner.instances()).isEqualTo(known + kept);
    assertThat(children[0].isLeaf()).isFalse();
    assertThat(children[2].isLeaf()).isFalse();
    assertThat(growth.regions()).doesNotContainAnyElementsOf(folded).hasSize(REGIONS);
  }

  /** A loss of 3 · 2 is saved against 5 % of a loss of 300 in a third of the stream. */
  @Test
  void atTheCapNothingIsFoldedThatSavesMoreThanIsToBeGained() {
    TreeGrowth growth = full(2);
    Region last = growth.root().children[2];
    growth.grow(last, 400);
    assertThat(last.isLeaf()).isTrue();
    assertThat(last.refusals).isEqualTo(1);
    last.refusals = Region.MOST_REFUSALS;
    growth.grow(last, 400);
    assertThat(last.refusals).isEqualTo(Region.MOST_REFUSALS);
  }

  /** The parent of the leaf that needs room is not folded for it. */
  @Test
  void aLeafIsNotFoldedAwayForItself() {
    TreeGrowth growth = full(1);
    Region own = growth.root().children[1];
    Region leaf = own.children[0];
    leaf.lossAfter = 1000;
    growth.grow(leaf, 400);
    assertThat(own.isLeaf()).isFalse();
    assertThat(growth.root().children[0].isLeaf()).isTrue();
  }

  private static byte[] bytes(TreeGrowth growth) {
    Encoder out = new Encoder();
    growth.encode(out);
    return out.toBytes();
  }

  private TreeGrowth read(byte[] bytes) throws ModelFileException {
    TreeGrowth read = new TreeGrowth(options(AvmOptions.regression()), columns, new AgeGates(8));
    read.decode(new Decoder(bytes));
    return read;
  }

  @Test
  void itGoesOnFromAFile() throws ModelFileException {
    TreeGrowth growth = full(1);
    TreeGrowth read = read(bytes(growth));
    assertThat(bytes(read)).isEqualTo(bytes(growth));
    learn(growth, 100, 4);
    learn(read, 100, 4);
    growth.grow(growth.root().children[2], 500);
    read.grow(read.root().children[2], 500);
    assertThat(bytes(read)).isEqualTo(bytes(growth));
  }

  /** The root of a planted tree and then its first child again and again, under these parents. */
  private byte[] withParents(int... parents) {
    TreeGrowth growth = planted();
    Encoder out = new Encoder();
    out.float64(0);
    out.int64(1);
    out.int32(parents.length);
    for (int i = 0; i < parents.length; i++) {
      Region region = growth.regions().get(Math.min(i, 1));
      out.int32(parents[i]);
      out.section("region", region::encode);
    }
    return out.toBytes();
  }

  private void refused(String why, int... parents) {
    assertThatThrownBy(() -> read(withParents(parents))).hasMessageContaining(why);
  }

  @Test
  void aFileWhoseRegionsDoNotHangTogetherIsRefused() throws ModelFileException {
    assertThat(read(withParents(-1, 0, 0, 0)).regions()).hasSize(4);
    refused("must come before it: 0", 0, 0, 0, 0);
    refused("must come before it: -1", -1, -1, 0, 0);
    refused("must come before it: 1", -1, 1, 0, 0);
    refused("must have 3 children: 2", -1, 0, 0);
    refused("must have a place below its parent: 3", -1, 0, 0, 0, 0);
    refused("must have a place below its parent: 0", -1, 0, 1, 0);
    refused("the regions", -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  @Test
  void whatIsSettledIsKeptButNotLearned() {
    Columns classes = Columns.single(-1, 1);
    TreeOptions options = options(AvmOptions.binary());
    TreeGrowth growth = new TreeGrowth(options, classes, new AgeGates(8));
    Avm machine = new Avm(options.machine());
    RecentRows recent = new RecentRows(32);
    for (Instance row : TreeGrowthTest.detail(Task.binary(), T, 1)) {
      machine.learn(row.features(), row.label());
      recent.add(row.features(), row.label(), 1);
    }
    growth.plant(machine.parts().frozen(), recent, T);
    TreePath path = new TreePath();
    Features x = Features.dense(1, 1);
    int learned = 0;
    for (int i = 0; i < 100; i++) {
      path.walk(growth.root(), x, 1, new AgeGates(8));
      boolean isSettled = path.ungated(1)[0] >= 1;
      Region leaf = path.leaf();
      long before = leaf.learner.instances();
      growth.learn(path, x, 1, 1, 0);
      assertThat(leaf.learner.instances()).isEqualTo(isSettled ? before : before + 1);
      assertThat(leaf.kept.get(leaf.kept.size() - 1).x()).isEqualTo(x);
      learned += isSettled ? 0 : 1;
    }
    assertThat(learned).isBetween(1, 99);
    assertThat(path.scores(0)[0]).isCloseTo(path.ungated(0)[0], within(0.0));
  }

  @Test
  void twoThatGrewFromTheSameRootAddUp() {
    TreeGrowth mine = planted();
    TreeGrowth its = planted();
    learn(mine, 50, 2);
    learn(its, 80, 3);
    List<Long> both = new ArrayList<>();
    for (int i = 1; i < 4; i++) {
      both.add(
          mine.regions().get(i).learner.instances() + its.regions().get(i).learner.instances());
    }
    double evidence = evidence(mine);
    mine.merge(its, new int[] {0}, 300);
    assertThat(mine.regions().subList(1, 4))
        .extracting(region -> region.learner.instances())
        .isEqualTo(both);
    assertThat(mine.regions()).hasSize(4);
    assertThat(evidence(mine)).isCloseTo(evidence + evidence(its), within(1e-12)).isNotZero();
    assertThat(splits(mine)).isEqualTo(2);
  }

  private static double evidence(TreeGrowth growth) {
    return ByteBuffer.wrap(bytes(growth)).getDouble(0);
  }

  private static long splits(TreeGrowth growth) {
    return ByteBuffer.wrap(bytes(growth)).getLong(8);
  }

  /** One has split its first two leaves, the other its last two: all of them are too many. */
  @Test
  void twoThatAreTooManyTogetherFoldWhatSavesLeast() {
    TreeGrowth mine = full(1);
    for (Region child : mine.root().children[0].children) {
      child.lossBefore = 0.5;
    }
    TreeGrowth its = planted();
    ready(its);
    for (int i = 1; i < 3; i++) {
      its.grow(its.root().children[i], 300);
      assertThat(its.root().children[i].isLeaf()).isFalse();
      for (Region child : its.root().children[i].children) {
        child.lossBefore = 5;
        child.seen = 100;
        child.replayed = 0;
      }
    }
    mine.merge(its, new int[] {0}, 400);
    Region[] children = mine.root().children;
    assertThat(mine.regions()).hasSizeLessThanOrEqualTo(REGIONS);
    assertThat(children[0].isLeaf()).as("it saved least").isTrue();
    assertThat(children[1].isLeaf()).isFalse();
    assertThat(children[2].isLeaf()).isFalse();
    assertThat(mine.regions()).contains(children[2].children);
    assertThat(mine.regions().get(0)).isSameAs(mine.root());
    learn(mine, 50, 5);
  }

  /** What a leaf had kept that was given up is learned by those that stay. */
  @Test
  void nothingThatWasKeptIsLost() {
    TreeGrowth mine = planted();
    TreeGrowth its = planted();
    ready(mine);
    learn(its, 100, 3);
    Region region = mine.root().children[1];
    mine.grow(region, 300);
    long known = 0;
    for (Region child : region.children) {
      known += child.learner.instances();
    }
    int orphans = its.root().children[1].kept.size();
    mine.merge(its, new int[] {0}, 400);
    long after = 0;
    for (Region child : region.children) {
      after += child.learner.instances();
    }
    assertThat(after).isEqualTo(known + orphans);
  }

  /** A planted tree with the given evidence for the root's kernel, after a number of splits. */
  private TreeGrowth withEvidence(double evidence, long splits) throws ModelFileException {
    TreeGrowth growth = planted();
    ready(growth);
    byte[] bytes = bytes(growth);
    ByteBuffer.wrap(bytes).putDouble(0, evidence).putLong(8, splits);
    TreeGrowth read = read(bytes);
    read.grow(read.root().children[1], 300);
    assertThat(read.root().children[1].isLeaf()).isFalse();
    return read;
  }

  private static boolean hasLaplacian(TreeGrowth growth) {
    Region child = growth.root().children[1].children[0];
    double gamma = 1 / Math.sqrt(child.meanSquare);
    return child.learner.options().kernel().equals(Kernel.laplacian(gamma));
  }

  @Test
  void onceAKernelHasProvedBetterTheOtherIsTriedAtOneSplitOfFour() throws ModelFileException {
    TreeGrowth roots = withEvidence(2, 4);
    assertThat(hasLaplacian(roots)).isFalse();
    assertThat(evidence(roots)).as("nothing was compared").isEqualTo(2);
    TreeGrowth laplacians = withEvidence(-2, 4);
    assertThat(hasLaplacian(laplacians)).isTrue();
    assertThat(evidence(laplacians)).isEqualTo(-2);
    assertThat(evidence(withEvidence(-2, 3))).as("the fourth").isNotEqualTo(-2);
    assertThat(evidence(withEvidence(1, 4))).as("not sure yet").isNotEqualTo(1);
  }

  /** A comparison adds the same to all evidence, of which nine tenths are kept. */
  @Test
  void theBetterKernelIsChosenByAllEvidence() throws ModelFileException {
    double gain = evidence(withEvidence(0, 4));
    assertThat(Math.abs(gain)).isBetween(1e-6, 0.8);
    assertThat(hasLaplacian(withEvidence(0, 4))).isEqualTo(gain < 0);
    for (double before : new double[] {0.9, -0.9}) {
      TreeGrowth growth = withEvidence(before, 4);
      assertThat(evidence(growth)).isCloseTo(0.9 * before + gain, within(1e-9));
      assertThat(hasLaplacian(growth)).isEqualTo(before < 0);
    }
  }

  @Test
  void aTreeThatIsPlantedAgainBeginsAnew() {
    TreeGrowth growth = planted();
    RecentRows recent = new RecentRows(32);
    for (Instance row : TreeGrowthTest.detail(Task.regression(), 32, 4)) {
      recent.add(row.features(), row.label(), 1);
    }
    growth.plant(growth.root().frozen, recent, 200);
    assertThat(growth.regions()).hasSize(4);
    assertThat(growth.root().born).isEqualTo(200);
  }

  @Test
  void twoPointsAreEnoughForTwoRegions() {
    TreeOptions options = options(AvmOptions.regression());
    TreeGrowth growth = new TreeGrowth(options, columns, new AgeGates(8));
    Avm machine = new Avm(options.machine());
    RecentRows recent = new RecentRows(32);
    for (int i = 0; i < 2; i++) {
      machine.learn(Features.dense(i, 2), i);
      recent.add(Features.dense(i, 2), i, 1);
    }
    growth.plant(machine.parts().frozen(), recent, 2);
    assertThat(growth.regions()).hasSize(3);
  }

  @Test
  void aLeafIsNotReadyAtTheDeepest() {
    TreeGrowth growth = planted();
    Region ready = ready(growth);
    Region region = growth.root();
    for (int depth = 1; depth <= TreePath.DEEPEST; depth++) {
      region = new Region(region, 1, 0);
      region.learner = ready.learner;
      region.kept = ready.kept;
      region.seen = 100;
      region.lossBefore = 1;
      assertThat(growth.isReady(region)).isEqualTo(depth < 40);
    }
  }

  /** Twelve of fifteen rows are four fifths, which is not too many. */
  @Test
  void aChildMayGetFourFifths() {
    TreeGrowth growth = planted();
    Region leaf = ready(growth);
    Router router = Router.to(new Clusters(leaf.core(), 3).centres());
    Features often = leaf.core().vector(0);
    Features seldom = often;
    for (int j = 0; j < leaf.size(); j++) {
      Features x = leaf.core().vector(j);
      seldom = router.route(x) == router.route(often) ? seldom : x;
    }
    RecentRows rows = new RecentRows(16);
    for (int i = 0; i < 15; i++) {
      rows.add(i < 12 ? often : seldom, i % 2, 1);
    }
    leaf.kept = rows;
    growth.grow(leaf, 300);
    assertThat(leaf.isLeaf()).isFalse();
  }

  @Test
  void aClassThatIsNewIsKnownToAllRegions() {
    Columns classes = Columns.perClass(List.of(0.0, 1.0));
    TreeOptions options = options(AvmOptions.multiclass());
    TreeGrowth growth = new TreeGrowth(options, classes, new AgeGates(8));
    Avm machine = new Avm(options.machine());
    RecentRows recent = new RecentRows(32);
    for (Instance row : TreeGrowthTest.detail(Task.binary(), T, 1)) {
      double label = Math.max(0, row.label());
      machine.learn(row.features(), label);
      recent.add(row.features(), label, 1);
    }
    growth.plant(machine.parts().frozen(), recent, T);
    Region child = growth.root().children[0];
    assertThat(child.learner.parts().state().columns.appeared()).containsExactly(0, 1);
    double[] before = new double[3];
    growth.root().score(Features.dense(1, 1), before);
    classes.add(7);
    growth.addClass(7);
    assertThat(child.learner.classes()).containsExactly(0, 1, 7);
    double[] after = new double[4];
    growth.root().score(Features.dense(1, 1), after);
    assertThat(after).containsExactly(before[0], before[1], before[2], before[2]);
  }
}
