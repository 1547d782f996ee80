package org.avm4j.app;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.avm4j.data.LibsvmWriter;
import org.avm4j.data.Schema;
import org.avm4j.io.DataReader;
import org.avm4j.io.ReadOptions;
import org.avm4j.lab.paper.Catalogue;
import org.avm4j.lab.paper.DataFolder;
import org.avm4j.lab.paper.DataSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm data get}: downloads the data sets of the paper from their public sources. */
@Command(
    name = "get",
    description = {
      "Download data sets of the paper, verify them and save them as NAME.libsvm.gz.",
      "Files from --from must have the recorded SHA-256, and so must public files for which one"
          + " is recorded. The numbers of rows, features and classes must match the catalogue."
          + " Files that fail a check are not saved."
    },
    footer = {"", "Examples:", "  avm data get --list"})
final class DataGetCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Names of data sets in the catalogue.")
  List<String> names = List.of();

  @Option(names = "--list", description = "Print the catalogue and exit.")
  boolean list;

  @Option(
      names = "--data-dir",
      paramLabel = "DIR",
      defaultValue = "${env:AVM_DATA}",
      description = "Folder to save them in. Default: the environment variable AVM_DATA.")
  Path folder;

  @Option(
      names = "--from",
      paramLabel = "URL",
      description = "URL of a folder that holds the files as NAME.libsvm.gz.")
  String from;

  @Option(
      names = "--catalogue",
      paramLabel = "FILE",
      hidden = true,
      description = "Use this catalogue of data sets instead of the built-in one.")
  Path catalogueFile;

  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(Duration.ofSeconds(30))
          .followRedirects(HttpClient.Redirect.NORMAL)
          .build();

  @Override
  public Integer call() throws IOException, InterruptedException {
    Catalogue catalogue = catalogue();
    if (list) {
      catalogue.all().forEach(DataGetCommand::show);
      return 0;
    }
    if (names.isEmpty()) {
      throw Failure.usage("expected the names of data sets; --list prints them");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw new Failure(
          Failure.CANNOT_CREATE, "--data-dir or AVM_DATA must name the folder to save the data in");
    }
    for (DataSet set : names.stream().map(catalogue::named).toList()) {
      for (String file : set.files()) {
        get(set, file);
      }
    }
    return 0;
  }

  private static void show(DataSet set) {
    System.out.printf(Locale.ROOT, "%-15s %s%n", set.name(), set.title());
    String sources = String.join(" ", set.sources().values());
    System.out.printf(
        Locale.ROOT,
        "%15s %,d rows, %d features; %s%n",
        "",
        set.rows(),
        set.features(),
        sources.isEmpty() ? "no public source; " + set.origin() : "from " + sources);
  }

  private Catalogue catalogue() throws IOException {
    if (catalogueFile == null) {
      return Catalogue.standard();
    }
    try (Reader reader = Files.newBufferedReader(catalogueFile)) {
      return Catalogue.read(reader);
    }
  }

  private void get(DataSet set, String file) throws IOException, InterruptedException {
    if (new DataFolder(folder).find(file).isPresent()) {
      System.out.println(file + ": exists already");
      return;
    }
    String address = address(set, file);
    Path fetched = folder.resolve("." + file + ".download");
    Path prepared = folder.resolve("." + file + ".prepared");
    try {
      fetch(address, fetched);
      Path whole = fetched;
      if (from == null) {
        compareSource(set, file, fetched);
        decode(set, file, fetched);
        prepare(set, file, fetched, prepared);
        compareRows(set, file, prepared);
        whole = prepared;
      } else {
        compare(set, file, address, sha256(fetched));
      }
      Path kept = folder.resolve(file + ".libsvm.gz");
      Files.move(whole, kept, StandardCopyOption.ATOMIC_MOVE);
      System.out.println(kept + ": " + set.rows(file) + " rows, SHA-256 " + sha256(kept));
    } finally {
      Files.deleteIfExists(fetched);
      Files.deleteIfExists(prepared);
    }
  }

  private String address(DataSet set, String file) {
    String address =
        from == null
            ? set.sources().get(file)
            : from + (from.endsWith("/") ? "" : "/") + file + ".libsvm.gz";
    if (address == null) {
      throw new Failure(
          Failure.NO_INPUT,
          "%s: has no public source (%s); copy the file into the folder, or give --from"
              .formatted(file, set.origin()));
    }
    return address;
  }

  private void fetch(String address, Path to) throws IOException, InterruptedException {
    HttpRequest request;
    try {
      request = HttpRequest.newBuilder(URI.create(address)).build();
    } catch (IllegalArgumentException wrong) {
      throw Failure.usage(address + ": is not a valid URL");
    }
    try {
      HttpResponse<Path> response = client.send(request, HttpResponse.BodyHandlers.ofFile(to));
      if (response.statusCode() != 200) {
        throw new Failure(
            Failure.NO_INPUT,
            address + ": the server replied with status " + response.statusCode());
      }
    } catch (ConnectException unreachable) {
      throw new Failure(Failure.IO, address + ": the server cannot be reached");
    } catch (IOException broken) {
      throw new Failure(Failure.IO, address + ": the download was interrupted: " + broken);
    }
  }

  private static void compareSource(DataSet set, String file, Path fetched) throws IOException {
    String wanted = set.sourceChecksums().get(file);
    if (wanted != null) {
      compare(set.sources().get(file), sha256(fetched), wanted);
    }
  }

  /** Replaces texts by numbers if the catalogue demands it. */
  private static void decode(DataSet set, String file, Path fetched) throws IOException {
    if (set.coded().containsKey(file)) {
      Path numbers = fetched.resolveSibling(fetched.getFileName() + ".numbers");
      try {
        CodedTable.write(fetched, set.coded().get(file), numbers);
        Files.move(numbers, fetched, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(numbers);
      }
    }
  }

  private static void compare(DataSet set, String file, String address, String found) {
    String wanted = set.checksums().get(file);
    if (wanted == null) {
      throw new Failure(Failure.BAD_DATA, file + ": has no recorded SHA-256 to compare with");
    }
    compare(address, found, wanted);
  }

  private static void compare(String address, String found, String wanted) {
    if (!wanted.equals(found)) {
      throw new Failure(
          Failure.BAD_DATA,
          address + ": is altered or damaged: expected SHA-256 " + wanted + ", found " + found);
    }
  }

  /**
   * Compares the checksum of the rows as they are written here, so that the compression and spacing
   * of the source do not matter.
   */
  private static void compareRows(DataSet set, String file, Path prepared) throws IOException {
    String wanted = set.rowChecksums().get(file);
    if (wanted == null) {
      return;
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(prepared))) {
      String found = sha256(in);
      check(file, "as SHA-256 of its rows", found, found.equals(wanted), wanted);
    }
  }

  /** Reads the fetched file in any supported format, and writes it as LIBSVM text. */
  private static void prepare(DataSet set, String file, Path fetched, Path prepared)
      throws IOException {
    ReadOptions options = ReadOptions.DEFAULT.withLabel(set.sourceLabels().get(file));
    long rows = 0;
    int features = 0;
    Set<Double> labels = new TreeSet<>();
    String name = Path.of(URI.create(set.sources().get(file)).getPath()).getFileName().toString();
    try (InputStream in = Files.newInputStream(fetched);
        DataReader reader = DataReader.of(name, in, options, new Schema());
        LibsvmWriter writer = new LibsvmWriter(packed(prepared))) {
      while (rows < set.rows(file) && reader.next()) {
        rows++;
        features = Math.max(features, reader.features().dimension());
        if (set.classes() > 0) {
          labels.add(reader.label());
        }
        writer.write(reader.features(), reader.label());
      }
    }
    check(file, "rows", rows, rows == set.rows(file), set.rows(file));
    check(file, "features", features, features <= set.features(), set.features());
    boolean isFit = set.task().isRegression() || labels.size() <= set.classes();
    check(file, "classes", labels.size(), isFit, set.classes());
  }

  private static OutputStream packed(Path to) throws IOException {
    return new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(to)), 1 << 16);
  }

  private static void check(String file, String what, Object found, boolean isFit, Object wanted) {
    if (!isFit) {
      throw new Failure(
          Failure.BAD_DATA,
          file + ": is altered or damaged: expected " + wanted + " " + what + ", found " + found);
    }
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return sha256(in);
    }
  }

  private static String sha256(InputStream from) throws IOException {
    try (DigestInputStream in = new DigestInputStream(from, MessageDigest.getInstance("SHA-256"))) {
      in.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(in.getMessageDigest().digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
