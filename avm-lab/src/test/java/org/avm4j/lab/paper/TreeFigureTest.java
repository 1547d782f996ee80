package org.avm4j.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.avm4j.AvmOptions;
import org.avm4j.Coverage;
import org.avm4j.Kernel;
import org.avm4j.Limit;
import org.avm4j.Update;
import org.avm4j.auto.AutoOptions;
import org.avm4j.data.Instance;
import org.avm4j.lab.Generator;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeFigureTest {
  @TempDir Path folder;

  private static AvmTree tree(AvmOptions.Builder builder) {
    AvmOptions machine =
        builder
            .kernel(Kernel.gaussian(4))
            .coverage(Coverage.sphere(AutoOptions.NO_DIAMETER))
            .update(Update.newton())
            .maxSize(16, Limit.MERGE)
            .build();
    return new AvmTree(new TreeOptions(machine, 8, 4, 1000));
  }

  private Path drawn(AvmTree tree) throws IOException {
    Path png = folder.resolve("tree.png");
    TreeFigure.writeIfFlat(tree, png);
    return png;
  }

  @Test
  void aTreeOverTwoFeaturesIsDrawnWithAllItsCorePoints() throws IOException {
    assumeTrue(Chart.canDraw(), "this machine has no font to draw with");
    AvmTree tree = tree(AvmOptions.binary());
    Generator.Stream board = Generator.CHECKERBOARD.stream(1);
    for (int t = 0; t < 2000; t++) {
      Instance row = board.next();
      tree.learn(row.features(), row.label());
    }
    Path png = drawn(tree);
    BufferedImage image = ImageIO.read(png.toFile());
    assertThat(image.getWidth()).isGreaterThan(600);
    int points = tree.shape().leaves().stream().mapToInt(leaf -> leaf.points()).sum();
    assertThat(Files.readAllLines(Chart.numbers(png))).hasSize(1 + points);
  }

  @Test
  void numbersAreDrawnToo() throws IOException {
    assumeTrue(Chart.canDraw(), "this machine has no font to draw with");
    AvmTree tree = tree(AvmOptions.regression());
    Generator.Stream board = Generator.CHECKERBOARD.stream(1);
    for (int t = 0; t < 500; t++) {
      Instance row = board.next();
      tree.learn(row.features(), row.features().get(0) * row.features().get(1));
    }
    assertThat(drawn(tree)).exists();
  }

  @Test
  void moreFeaturesAreNotDrawn() throws IOException {
    AvmTree tree = tree(AvmOptions.regression());
    Generator.Stream surface = Generator.SURFACE.stream(1);
    for (int t = 0; t < 500; t++) {
      Instance row = surface.next();
      tree.learn(row.features(), row.label());
    }
    assertThat(drawn(tree)).doesNotExist();
  }

  @Test
  void aTreeThatIsNotPlantedIsNotDrawn() throws IOException {
    assertThat(drawn(tree(AvmOptions.binary()))).doesNotExist();
  }
}
