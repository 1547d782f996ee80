package org.avm4j.lab.paper;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmWriter;
import org.avm4j.lab.Generator;

/** A catalogue of made-up data, small enough to run every study in a moment. */
public final class Tiny {
  private static final String CATALOGUE =
      """
      [board]
      paper = a9a
      title = a board
      studies = online, batch, hyperparameters, budget, coverage
      train = board
      test = board.t
      rows = 400, 200
      features = 2
      classes = 2
      settings = delta=0.4 budget=20 features=40

      [bells]
      paper = covtype
      complete = false
      studies = online, batch
      task = multiclass
      test-share = 0.1
      rows = 400
      features = 5
      classes = 5
      scale = unit
      settings = delta=0.6 budget=20 features=40

      [hills]
      studies = regression
      task = regression
      rows = 400
      features = 3
      settings = delta=0.8 budget=20 features=40
      """;

  private Tiny() {}

  /** The catalogue as text. */
  public static String text() {
    return CATALOGUE;
  }

  static Catalogue catalogue() {
    return Catalogue.read(new StringReader(CATALOGUE));
  }

  /** Settings for all methods. */
  public static String settingsText() {
    StringBuilder text = new StringBuilder("data,learner,settings\n");
    for (String data : List.of("board", "bells", "hills")) {
      for (Contender contender : Contender.values()) {
        text.append(data + "," + contender.id() + ",gamma=4 eta=0.2 cost=2 nlambda=1 prior=0.1\n");
      }
    }
    return text.toString();
  }

  static SettingsTable settings() {
    return SettingsTable.read(new StringReader(settingsText()));
  }

  /** Writes the data files. */
  public static void write(Path folder) throws IOException {
    write(folder, "board", Generator.CHECKERBOARD, 400, 1);
    write(folder, "board.t", Generator.CHECKERBOARD, 200, 2);
    write(folder, "bells", Generator.MIXTURE, 400, 3);
    write(folder, "hills", Generator.SURFACE, 400, 4);
  }

  static void write(Path folder, String name, Generator generator, int rows, long seed)
      throws IOException {
    Generator.Stream stream = generator.stream(seed);
    try (LibsvmWriter writer =
        new LibsvmWriter(Files.newOutputStream(folder.resolve(name + ".libsvm")))) {
      for (int i = 0; i < rows; i++) {
        Instance instance = stream.next();
        writer.write(instance.features(), instance.label());
      }
    }
  }
}
