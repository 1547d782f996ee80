package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.Loss;
import org.avm4j.Prediction;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.data.Instance;
import org.avm4j.form.ModelForm;
import org.avm4j.internal.Columns;
import org.avm4j.points.CoreSet;
import org.avm4j.points.FrozenMachine;
import org.junit.jupiter.api.Test;

class TreeModelTest {
  private static AvmTree learned(AvmOptions.Builder builder, int n) {
    TreeOptions small = TreeContractTest.small(builder);
    AvmTree tree = new AvmTree(new TreeOptions(small.machine(), 8, 3, 2000));
    for (Instance row : TreeGrowthTest.detail(tree.task(), n, 1)) {
      tree.learn(row.features(), row.label());
    }
    return tree;
  }

  private static List<Features> probes() {
    List<Features> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      all.add(Features.dense(0.2 * i, 0.37 * i % 4));
    }
    return all;
  }

  /** Before the tree is planted, beside the live machine, and without it. */
  private static List<AvmTree> ages() {
    AvmTree young = learned(AvmOptions.regression(), 40);
    AvmTree middle = learned(AvmOptions.regression(), 300);
    AvmTree old = middle.copy();
    for (Instance row : TreeGrowthTest.detail(old.task(), 6000, 2)) {
      if (old.hasLiveMachine()) {
        old.learn(row.features(), row.label());
      }
    }
    assertThat(young.growth().isPlanted()).isFalse();
    assertThat(middle.growth().isPlanted() && middle.hasLiveMachine()).isTrue();
    assertThat(old.hasLiveMachine()).isFalse();
    return List.of(young, middle, old);
  }

  @Test
  void itsCorePointsAreThoseOfAllMachines() {
    for (AvmTree tree : ages()) {
      TreeModel model = (TreeModel) tree.snapshot();
      assertThat(model.corePoints(Integer.MAX_VALUE)).hasSize(tree.size());
      assertThat(model.corePoints(5)).hasSize(5);
      assertThat(model.toString()).isEqualTo(model.status().summary()).isNotEmpty();
    }
  }

  /** Points that several machines share count once. */
  @Test
  void theNearestAreThoseOfTheMachinesOnTheWay() {
    for (AvmTree tree : ages()) {
      TreeModel model = (TreeModel) tree.snapshot();
      for (Features x : probes()) {
        Set<Features> onTheWay = new HashSet<>();
        ((ModelForm.Tree) model.form())
            .live()
            .ifPresent(live -> addAll(live.size(), live::vector, onTheWay));
        if (tree.growth().isPlanted()) {
          TreePath path = new TreePath();
          path.walk(tree.growth().root(), x, 1, new AgeGates(8));
          for (int d = 0; d <= path.depth(); d++) {
            CoreSet core = path.region(d).core();
            addAll(core.size(), core::vector, onTheWay);
          }
        }
        assertThat(model.nearest(x, 1000))
            .extracting(neighbour -> neighbour.point().x())
            .containsExactlyInAnyOrderElementsOf(onTheWay);
        assertThat(model.nearest(x, 3)).hasSize(3);
      }
    }
  }

  private static void addAll(int n, IntFunction<Features> vectors, Set<Features> into) {
    IntStream.range(0, n).mapToObj(vectors).forEach(into::add);
  }

  @Test
  void theRegionOfAnInstanceIsThatOfItsLeaf() {
    List<AvmTree> ages = ages();
    assertThat(((TreeModel) ages.get(0).snapshot()).regionOf(probes().get(0))).isZero();
    AvmTree tree = ages.get(2);
    TreeModel model = (TreeModel) tree.snapshot();
    TreeLeaves leaves = tree.leaves();
    for (Features x : probes()) {
      Features other = Features.dense(x.get(1), x.get(0));
      assertThat(model.regionOf(x) == model.regionOf(other))
          .isEqualTo(leaves.of(x) == leaves.of(other));
      assertThat(model.regionOf(x)).isBetween(1, tree.shape().regions() - 1);
    }
  }

  @Test
  void itsFormHasTheLiveMachineAndTheTreeWhereTheyAre() {
    List<ModelForm.Tree> forms =
        ages().stream().map(tree -> (ModelForm.Tree) ((TreeModel) tree.snapshot()).form()).toList();
    assertThat(forms)
        .extracting(form -> form.live().isPresent())
        .containsExactly(true, true, false);
    assertThat(forms)
        .extracting(form -> form.root().isPresent())
        .containsExactly(false, true, true);
    ModelForm.Node root = forms.get(1).root().orElseThrow();
    assertThat(root.gate()).isEqualTo(1);
    assertThat(root.children()).hasSize(3);
    assertThat(root.centres()).hasSize(3);
    assertThat(root.children().get(0).centres()).isEmpty();
    assertThat(root.children().get(0).children()).isEmpty();
  }

  @Test
  void itAnswersWithClassesAndScores() {
    AvmTree tree = learned(AvmOptions.multiclass(), 900);
    TreeModel model = (TreeModel) tree.snapshot();
    assertThat(model.columns()).isEqualTo(3);
    for (Features x : probes()) {
      Prediction answer = model.answer(x);
      assertThat(answer.label()).isEqualTo(model.predict(x));
      assertThat(model.score(x)).containsExactly(tree.score(x), within(1e-9));
    }
    tree.learn(Features.dense(9, 9), -4);
    assertThat(model.classes()).as("it stands still").containsExactly(0, 1, 2);
    TreeModel later = (TreeModel) tree.snapshot();
    assertThat(later.classes()).containsExactly(-4, 0, 1, 2);
    assertThat(later.score(probes().get(3))).hasSize(4);
  }

  private static TreeModel read(TreeModel model) throws ModelFileException {
    Encoder out = new Encoder();
    model.encode(out);
    return TreeModel.decode(new Decoder(out.toBytes()));
  }

  @Test
  void itIsReadAsItWasWritten() throws ModelFileException {
    for (AvmTree tree : ages()) {
      TreeModel model = (TreeModel) tree.snapshot();
      TreeModel read = read(model);
      assertThat(read.toBytes()).isEqualTo(model.toBytes());
      assertThat(read.kind()).isEqualTo("avm-tree-model");
      assertThat(read.hasLogits()).isFalse();
      assertThat(read.status().size()).isEqualTo(tree.size());
      assertThat(read.status().instances()).isEqualTo(tree.instances());
      for (Features x : probes()) {
        assertThat(read.score(x)).isEqualTo(model.score(x));
        assertThat(read.regionOf(x)).isEqualTo(model.regionOf(x));
      }
    }
    TreeModel logits = (TreeModel) learned(AvmOptions.binary().loss(Loss.logistic()), 9).snapshot();
    assertThat(read(logits).hasLogits()).isTrue();
    TreeModel classes = (TreeModel) learned(AvmOptions.multiclass(), 300).snapshot();
    assertThat(read(classes).classes()).containsExactly(0, 1, 2);
    assertThat(read(classes).score(probes().get(1))).isEqualTo(classes.score(probes().get(1)));
  }

  private static TreeModel.Node leaf(double gate, double part) {
    FrozenMachine machine = learned(AvmOptions.regression(), 70).growth().root().frozen;
    return new TreeModel.Node(gate, part, machine, null, new TreeModel.Node[0]);
  }

  private static TreeModel.Node above(TreeModel.Node below, int ways) {
    List<Features> centres = List.of(Features.dense(1), Features.dense(2), Features.dense(3));
    TreeModel.Node[] children = {leaf(1, 1), below};
    Router router = Router.to(centres.subList(0, ways));
    return new TreeModel.Node(1, 1, below.machine(), router, children);
  }

  private static TreeModel alone(TreeModel.Node root) {
    TreeOptions small = TreeContractTest.small(AvmOptions.regression());
    TreeOptions options = new TreeOptions(small.machine(), 8, 3, 2000);
    return new TreeModel(options, Columns.single(), null, root, 70);
  }

  private static void refused(TreeModel model, String why) {
    assertThatThrownBy(() -> read(model))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aFileThatNoTreeWroteIsRefused() throws ModelFileException {
    assertThat(read(alone(leaf(0, 1))).score(probes().get(0))).hasSize(1);
    assertThat(read(alone(leaf(1, 0))).score(probes().get(0))).hasSize(1);
    refused(alone(null), "a machine or a tree must be there");
    refused(alone(leaf(1.01, 0)), "a gate must be from 0 to 1: 1.01");
    refused(alone(leaf(1, -0.01)), "a gate must be from 0 to 1: -0.01");
    assertThat(read(alone(above(leaf(1, 1), 2))).regionOf(Features.dense(2))).isEqualTo(2);
    refused(alone(above(leaf(1, 1), 3)), "a router must have all ways: 2");
  }

  @Test
  void aFileOfATreeThatIsTooDeepIsRefused() throws ModelFileException {
    TreeModel.Node root = leaf(1, 1);
    TreeModel.Node sibling = leaf(1, 1);
    Router router = Router.to(List.of(Features.dense(1), Features.dense(2)));
    for (int depth = 0; depth < TreePath.DEEPEST; depth++) {
      TreeModel.Node[] children = {root, sibling};
      root = new TreeModel.Node(1, 1, sibling.machine(), router, children);
    }
    assertThat(read(alone(root)).regionOf(Features.dense(1))).isEqualTo(40);
    TreeModel.Node[] children = {root, sibling};
    refused(
        alone(new TreeModel.Node(1, 1, sibling.machine(), router, children)),
        "a tree must not be so deep: 41");
  }
}
