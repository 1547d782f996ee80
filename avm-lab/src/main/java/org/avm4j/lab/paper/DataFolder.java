package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.avm4j.Features;
import org.avm4j.data.BadDataException;
import org.avm4j.data.Instance;
import org.avm4j.data.LibsvmReader;
import org.avm4j.data.Scaler;
import org.avm4j.data.ScalerFit;

/** The folder with copies of the data sets: {@code NAME.libsvm.gz} or {@code NAME.libsvm}. */
public final class DataFolder {
  private final Path folder;
  private String loadedName = "";
  private Samples loaded;

  /** A folder; null for none. */
  public DataFolder(Path folder) {
    this.folder = folder;
  }

  /** The file of this name, if it exists. */
  public Optional<Path> find(String name) {
    return folder == null
        ? Optional.empty()
        : List.of(name + ".libsvm.gz", name + ".libsvm").stream()
            .map(folder::resolve)
            .filter(Files::isRegularFile)
            .findFirst();
  }

  /** The files of a data set that do not exist. */
  public List<String> missing(DataSet set) {
    return set.files().stream().filter(name -> find(name).isEmpty()).toList();
  }

  /** The rows of a data set, scaled by the ranges of all rows; the last data set is cached. */
  public synchronized Samples load(DataSet set) throws IOException {
    if (!loadedName.equals(set.name())) {
      loaded = null;
      loaded = read(set);
      loadedName = set.name();
    }
    return loaded;
  }

  private Samples read(DataSet set) throws IOException {
    List<Instance> train = read(set, set.train());
    List<Instance> test = read(set, set.test());
    ScalerFit fit = new ScalerFit(set.scaling());
    train.forEach(row -> fit.observe(row.features()));
    test.forEach(row -> fit.observe(row.features()));
    Scaler scaler = fit.scaler();
    scale(train, scaler);
    scale(test, scaler);
    return set.test().isEmpty() && set.testShare() > 0
        ? Samples.split(train, set.testShare())
        : new Samples(List.copyOf(train), List.copyOf(test));
  }

  private List<Instance> read(DataSet set, List<String> names) throws IOException {
    List<Instance> rows = new ArrayList<>();
    for (String name : names) {
      Path file =
          find(name).orElseThrow(() -> new IOException(name + ".libsvm.gz: no such data file"));
      try (LibsvmReader reader = LibsvmReader.open(file)) {
        while (reader.next()) {
          rows.add(instance(set, reader));
        }
      }
    }
    return rows;
  }

  private static Instance instance(DataSet set, LibsvmReader reader) throws IOException {
    double label = (reader.label() - set.labelShift()) / set.labelRange();
    try {
      set.task().check(label);
    } catch (IllegalArgumentException wrong) {
      throw new BadDataException(set.name(), reader.line(), wrong.getMessage());
    }
    return new Instance(reader.features().copy(), label);
  }

  private static void scale(List<Instance> rows, Scaler scaler) {
    Features.Buffer buffer = new Features.Buffer();
    rows.replaceAll(row -> new Instance(scaler.apply(row.features(), buffer).copy(), row.label()));
  }
}
