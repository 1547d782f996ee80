package org.avm4j;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.avm4j.FixtureFolder.Fixture;
import org.avm4j.codec.Savable;
import org.avm4j.data.Instance;
import org.avm4j.math.SplitMix;
import org.avm4j.pipeline.PreparedModel;

/**
 * Makes a folder that {@link FixtureContract} reads. Files of a released version are never made
 * again: a new version of the format gets a folder of its own.
 */
public final class FixtureWriter {
  private final Path path;
  private final FixtureFolder folder;
  private final List<String> manifest = new ArrayList<>(List.of(Fixture.HEADER));

  /** Starts a folder, which must not have a manifest yet, with probes and streams. */
  public FixtureWriter(Path path) throws IOException {
    if (Files.exists(path.resolve("manifest.csv"))) {
      throw new IOException("fixtures are never rewritten: " + path);
    }
    this.path = Files.createDirectories(path);
    writeProbes();
    writeStream("more-binary.csv", Streams.binary(50, 3, 1001));
    writeStream("more-binary01.csv", zeroOne(Streams.binary(50, 3, 1002)));
    writeStream("more-multiclass.csv", Streams.multiclass(50, 3, 1003));
    writeStream("more-regression.csv", Streams.regression(50, 3, 1004));
    folder = new FixtureFolder(path);
  }

  /** The stream of a task to go on with. */
  public static String stream(Task task) {
    return "more-" + task.word() + ".csv";
  }

  /** The same with labels 0 and 1 instead of -1 and +1. */
  public static List<Instance> zeroOne(List<Instance> stream) {
    return stream.stream().map(i -> new Instance(i.features(), i.label() > 0 ? 1 : 0)).toList();
  }

  /** Saves a learner, and what it says now and after it has learned the stream. */
  public void learner(String name, OnlineLearner learner, String stream) throws IOException {
    learner(name, learner, FixtureFolder.NONE, stream);
  }

  /** The same for a pipeline with a learner of that kind inside. */
  public void learner(String name, OnlineLearner learner, String inside, String stream)
      throws IOException {
    Path file = save(name, learner);
    List<String> says = table(name + ".scores.csv", folder.says(OnlineLearner.load(file)));
    same(name, says, folder.says(learner));
    List<String> model = folder.says(Model.load(file));
    if (!model.equals(says)) {
      table(name + ".frozen.csv", model);
    }
    String frozen = model.equals(says) ? FixtureFolder.EXACT : FixtureFolder.OWN;
    note(name, learner, inside, FixtureFolder.EXACT, frozen, stream);
    OnlineLearner loaded = OnlineLearner.load(file);
    for (Instance instance : folder.stream(stream)) {
      loaded.learn(instance.features(), instance.label());
      learner.learn(instance.features(), instance.label());
    }
    same(name, table(name + ".continued.csv", folder.says(loaded)), folder.says(learner));
  }

  /** Saves a model and what it says. */
  public void model(String name, Model model) throws IOException {
    model(name, model, FixtureFolder.NONE);
  }

  /** The same for a prepared model with a model of that kind inside. */
  public void model(String name, Model model, String inside) throws IOException {
    Path file = save(name, model);
    same(name, table(name + ".scores.csv", folder.says(Model.load(file))), folder.says(model));
    note(name, model, inside, FixtureFolder.NONE, FixtureFolder.EXACT, FixtureFolder.NONE);
  }

  /** Writes the manifest. */
  public void finish() throws IOException {
    Files.write(path.resolve("manifest.csv"), manifest);
  }

  private Path save(String name, Savable saved) throws IOException {
    Path file = path.resolve(name + ".avm");
    saved.save(file);
    return file;
  }

  private <P extends Predictor & Savable> void note(
      String name, P saved, String inside, String continued, String frozen, String stream)
      throws IOException {
    String file = name + ".avm";
    Fixture fixture =
        new Fixture(
            file,
            saved.kind(),
            inside,
            FixtureFolder.EXACT,
            continued,
            frozen,
            stream,
            saved.columns(),
            saved.answer(Features.dense(0.5)).probabilities().length,
            saved.status().size(),
            Long.toString(saved.status().instances()),
            DoubleStream.of(saved.classes())
                .mapToObj(Double::toString)
                .collect(Collectors.joining(" ")),
            folder.sha256(file));
    manifest.add(fixture.line());
    if (fixture.isPrepared()) {
      PreparedModel prepared = PreparedModel.load(path.resolve(file));
      table(name + ".names.txt", FixtureFolder.names(prepared.preparation()));
    }
  }

  private List<String> table(String file, List<String> lines) throws IOException {
    Files.write(path.resolve(file), lines, UTF_8);
    return lines;
  }

  private static void same(String name, List<String> loaded, List<String> saved) {
    if (!loaded.equals(saved)) {
      throw new IllegalStateException(name + " must say the same after it is loaded");
    }
  }

  private void writeProbes() throws IOException {
    SplitMix random = new SplitMix(20240);
    List<String> lines = new ArrayList<>(List.of("0.0,0.0,0.0", "64.0,-48.5,100.25"));
    while (lines.size() < 25) {
      lines.add(probe(random) + "," + probe(random) + "," + probe(random));
    }
    Files.write(path.resolve("probes.csv"), lines);
  }

  private static double probe(SplitMix random) {
    return (random.nextInt(81) - 40) / 32.0;
  }

  private void writeStream(String file, List<Instance> rows) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Instance row : rows) {
      Features x = row.features();
      lines.add(row.label() + "," + x.get(0) + "," + x.get(1) + "," + x.get(2));
    }
    Files.write(path.resolve(file), lines);
  }
}
