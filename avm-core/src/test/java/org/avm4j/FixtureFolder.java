package org.avm4j;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.avm4j.data.Column;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.pipeline.Preparation;

/**
 * A folder of saved learners and models with a record of what they said: {@code manifest.csv}, the
 * probes, streams to go on with, and tables of answers in hexadecimal.
 */
public final class FixtureFolder {
  /** Stands for nothing in the manifest. */
  public static final String NONE = "-";

  /** Bit for bit. */
  public static final String EXACT = "exact";

  /** Bit for bit what the table of the frozen model says. */
  public static final String OWN = "own";

  private final Path folder;
  private final List<Features> probes;

  /** The folder, which holds probes already. */
  public FixtureFolder(Path folder) throws IOException {
    this.folder = folder;
    probes = numbers("probes.csv").map(Features::dense).toList();
  }

  /**
   * A line of the manifest.
   *
   * @param file its name, which ends with {@code .avm}
   * @param kind what it holds
   * @param inside the kind of what is inside a pipeline, or -
   * @param scores how exactly the live learner, or the model where there is none, says the recorded
   * @param continued the same for the learner that has gone on, or -
   * @param frozen the same for what {@link Model#load} makes of the file; {@code own} where that is
   *     recorded in a table of its own
   * @param stream what it goes on with, or -
   * @param columns the number of scores
   * @param probabilities the number of probabilities
   * @param size the number of vectors
   * @param instances the number of instances, or -
   * @param classes the labels, with a space between them
   * @param sha256 of the file
   */
  public record Fixture(
      String file,
      String kind,
      String inside,
      String scores,
      String continued,
      String frozen,
      String stream,
      int columns,
      int probabilities,
      int size,
      String instances,
      String classes,
      String sha256) {
    /** The names of these cells, the first line of the manifest. */
    public static final String HEADER =
        "file,kind,inside,scores,continued,frozen,stream,columns,probabilities,size,instances,"
            + "classes,sha256";

    static Fixture parse(String line) {
      String[] cells = line.split(",", -1);
      if (cells.length != 13) {
        throw new IllegalArgumentException("13 cells expected: " + line);
      }
      return new Fixture(
          cells[0],
          cells[1],
          cells[2],
          cells[3],
          cells[4],
          cells[5],
          cells[6],
          Integer.parseInt(cells[7]),
          Integer.parseInt(cells[8]),
          Integer.parseInt(cells[9]),
          cells[10],
          cells[11],
          cells[12]);
    }

    String line() {
      return Stream.of(
              file,
              kind,
              inside,
              scores,
              continued,
              frozen,
              stream,
              columns,
              probabilities,
              size,
              instances,
              classes,
              sha256)
          .map(Object::toString)
          .collect(Collectors.joining(","));
    }

    /** Whether the file holds a learner, not just a model. */
    public boolean isLearner() {
      return !stream.equals(NONE);
    }

    /** Whether there is a preparation, whose names are recorded. */
    public boolean isPrepared() {
      return !inside.equals(NONE);
    }

    /** The file name without its ending. */
    public String name() {
      return file.replace(".avm", "");
    }

    @Override
    public String toString() {
      return name();
    }
  }

  /** All files of the manifest. */
  public List<Fixture> fixtures() throws IOException {
    List<String> lines = Files.readAllLines(folder.resolve("manifest.csv"));
    if (!lines.get(0).equals(Fixture.HEADER)) {
      throw new IOException("another manifest is expected: " + lines.get(0));
    }
    return lines.stream().skip(1).map(Fixture::parse).toList();
  }

  /** Where a file of the folder is. */
  public Path path(String file) {
    return folder.resolve(file);
  }

  /** A recorded table. */
  public List<String> lines(String file) throws IOException {
    return Files.readAllLines(folder.resolve(file));
  }

  /** The instances of a stream: label, then features. */
  public List<Instance> stream(String file) throws IOException {
    return numbers(file)
        .map(row -> new Instance(Features.dense(Arrays.copyOfRange(row, 1, row.length)), row[0]))
        .toList();
  }

  private Stream<double[]> numbers(String file) throws IOException {
    return lines(file).stream()
        .map(line -> Arrays.stream(line.split(",")).mapToDouble(Double::parseDouble).toArray());
  }

  /** For each probe, in hexadecimal: scores, answer, probabilities if there are any. */
  public List<String> says(Predictor predictor) {
    return probes.stream().map(probe -> says(predictor, probe)).toList();
  }

  private static String says(Predictor predictor, Features probe) {
    double[] answer = {predictor.predict(probe)};
    double[] probabilities = predictor.answer(probe).probabilities();
    return Stream.of(predictor.score(probe), answer, probabilities)
        .flatMapToDouble(DoubleStream::of)
        .mapToObj(Double::toHexString)
        .collect(Collectors.joining(","));
  }

  /** The names that a preparation knows, a line each, its scaling and its labels. */
  public static List<String> names(Preparation preparation) {
    Schema schema = preparation.schema();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < schema.dimension(); i++) {
      lines.add("feature " + schema.featureName(i));
    }
    schema.labels().forEach(label -> lines.add("label " + label));
    for (Column column : schema.columns()) {
      if (column.isNumeric()) {
        lines.add("mean " + column.name() + " " + Double.toHexString(column.mean()));
      }
    }
    lines.add("scaling " + preparation.scaler().scaling());
    lines.add("labels " + preparation.labels());
    return lines;
  }

  /** The SHA-256 of a file, in hexadecimal. */
  public String sha256(String file) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(folder.resolve(file))));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
