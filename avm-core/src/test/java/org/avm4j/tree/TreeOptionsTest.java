package org.avm4j.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.ClassWeights;
import org.avm4j.Coverage;
import org.avm4j.Features;
import org.avm4j.Forgetting;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;
import org.avm4j.internal.Ablation;
import org.avm4j.internal.Columns;
import org.junit.jupiter.api.Test;

class TreeOptionsTest {
  private static AvmOptions.Builder machine(int size) {
    return AvmOptions.binary().update(Update.newton(0.1)).maxSize(size, Limit.MERGE);
  }

  private static TreeOptions of(int root, int size, int ways, int points) {
    return new TreeOptions(machine(root).build(), size, ways, points);
  }

  private static void refused(ThrowingCallable call, String why) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
  }

  @Test
  void sizesAreWithinLimits() {
    assertThat(of(4, 4, 2, 4).size()).isEqualTo(4);
    assertThat(of(4, 4096, 64, 4).ways()).isEqualTo(64);
    refused(() -> of(3, 4, 2, 9), "at least 4 points: 3");
    refused(() -> of(4, 3, 2, 9), "4 to 4096 points: 3");
    refused(() -> of(4, 4097, 2, 9), "4 to 4096 points: 4097");
    refused(() -> of(4, 4, 1, 9), "2 to 64 ways: 1");
    refused(() -> of(4, 4, 65, 9), "2 to 64 ways: 65");
    refused(() -> of(4, 4, 2, 3), "at least the size of the root: 3");
    AvmOptions drops = machine(9).maxSize(9, Limit.DROP).build();
    refused(() -> new TreeOptions(drops, 4, 2, 9), "cells must merge");
    AvmOptions sgd = machine(9).update(Update.sgd()).build();
    refused(() -> new TreeOptions(sgd, 4, 2, 9), "must have the second-order update");
  }

  /** Room for the root and the live machine is taken first. */
  @Test
  void theRegionsShareWhatTheRootLeaves() {
    assertThat(of(16, 8, 3, 32).maxRegions()).isEqualTo(1);
    assertThat(of(16, 8, 3, 39).maxRegions()).isEqualTo(1);
    assertThat(of(16, 8, 3, 40).maxRegions()).isEqualTo(2);
    assertThat(of(16, 8, 3, 16).maxRegions()).isEqualTo(1);
    assertThat(of(16, 8, 3, 55).hasRoomForATree()).isFalse();
    assertThat(of(16, 8, 3, 56).hasRoomForATree()).isTrue();
    Ablation.leaveOut(Set.of(Ablation.Part.TREE));
    boolean hasRoom = of(16, 8, 3, 56).hasRoomForATree();
    Ablation.leaveOut(Set.of());
    assertThat(hasRoom).isFalse();
  }

  @Test
  void theDefaultShapeHasARootOf256() {
    TreeOptions options = TreeOptions.of(machine(9).build());
    assertThat(options.machine().maxSize()).isEqualTo(256);
    assertThat(options.machine().limit()).isEqualTo(Limit.MERGE);
    assertThat(options.settings())
        .containsEntry("name", "tree")
        .containsEntry("tree-size", 128)
        .containsEntry("tree-ways", 8)
        .containsEntry("tree-points", 100_000);
    assertThat(options.forgets()).isFalse();
    AvmOptions fades = machine(9).forgetting(Forgetting.horizon(50)).build();
    assertThat(TreeOptions.of(fades).forgets()).isTrue();
  }

  @Test
  void belowTheRootThereIsNoLinearPartAndNoClassWeight() {
    AvmOptions root =
        machine(16).update(Update.newton(0.3, 2)).classWeights(ClassWeights.balanced()).build();
    AvmOptions below = new TreeOptions(root, 8, 3, 100).below(Kernel.laplacian(3));
    assertThat(below.kernel()).isEqualTo(Kernel.laplacian(3));
    assertThat(below.update()).isEqualTo(Update.newton(0.3));
    assertThat(below.maxSize()).isEqualTo(8);
    assertThat(below.classWeights()).isEqualTo(ClassWeights.none());
  }

  @Test
  void aMachineOfAFileMustFit() throws ModelFileException {
    AvmOptions root =
        AvmOptions.multiclass()
            .update(Update.newton(0.1))
            .coverage(Coverage.sphere(1e-9))
            .maxSize(16, Limit.MERGE)
            .build();
    TreeOptions options = new TreeOptions(root, 8, 3, 100);
    Columns known = Columns.perClass(List.of(4.0));
    Avm fits = new Avm(root);
    fits.learn(Features.dense(1), 4);
    options.checkRoot(fits, known);
    assertThatThrownBy(() -> options.checkBelowRoot(fits, known))
        .hasMessageContaining("the options of its tree");
    Avm below = new Avm(options.below(Kernel.laplacian(7)));
    below.learn(Features.dense(1), 4);
    options.checkBelowRoot(below, known);
    assertThatThrownBy(() -> options.checkRoot(below, known))
        .hasMessageContaining("the options of its tree");
    assertThatThrownBy(() -> options.checkRoot(fits, Columns.perClass(List.of(5.0))))
        .hasMessageContaining("the classes of its tree");
  }

  @Test
  void theyAreReadAsTheyWereWritten() throws ModelFileException {
    TreeOptions options = of(16, 8, 3, 100);
    Encoder out = new Encoder();
    options.encode(out);
    assertThat(TreeOptions.decode(new Decoder(out.toBytes()))).isEqualTo(options);
    Encoder wrong = new Encoder();
    wrong.section("machine", options.machine()::encode);
    wrong.int32(8);
    wrong.int32(1);
    wrong.int32(100);
    assertThatThrownBy(() -> TreeOptions.decode(new Decoder(wrong.toBytes())))
        .isInstanceOf(ModelFileException.class)
        .hasMessageContaining("2 to 64 ways");
  }
}
