package org.avm4j.app;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.avm4j.io.Compression;
import org.avm4j.io.DataWriter;
import org.avm4j.io.Format;
import org.avm4j.lab.Generator;
import org.avm4j.run.DataSource;
import org.avm4j.run.KeptRows;
import org.avm4j.run.RowStream;
import org.avm4j.spec.Survey;
import org.avm4j.table.Scaling;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code avm data}: describes, converts, generates and downloads data. */
@Command(
    name = "data",
    description = "Describe, convert, generate and download data.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      DescribeCommand.class,
      DataCommand.Convert.class,
      DataCommand.Generate.class,
      DataCommand.Names.class,
      DataGetCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  avm data describe table.csv",
      "  avm data convert table.csv -o table.libsvm"
    })
final class DataCommand implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "expected a command: describe, convert, generate, list or get");
  }

  @Command(
      name = "convert",
      description = "Convert data to another format.",
      footer = {
        "",
        "Examples:",
        "  avm data convert table.csv -o table.libsvm",
        "  avm data convert train.libsvm --to json -o -"
      })
  static final class Convert implements Callable<Integer> {
    @Mixin InputOptions input;

    @Mixin Target target;

    @Override
    public Integer call() throws IOException {
      target.check(input.data);
      Schema schema = new Schema();
      Survey survey = new Survey(Scaling.NONE);
      DataSource source = input.source();
      List<Instance> pipe = new ArrayList<>();
      try (RowStream rows = source.open(schema)) {
        while (rows.next()) {
          survey.add(rows.features(), rows.label());
          if (source.isStream()) {
            pipe.add(new Instance(rows.features().copy(), rows.label()));
          }
        }
        InputOptions.tell(rows.notes());
        InputOptions.tell(rows.leftOut());
      }
      target.write(
          schema,
          survey,
          writer -> {
            try (KeptRows rows =
                new KeptRows(pipe, source.isStream() ? null : source.open(schema))) {
              while (rows.next()) {
                writer.write(rows.features(), rows.label());
              }
            }
          });
      return 0;
    }
  }

  @Command(
      name = "generate",
      description = "Generate a synthetic stream.",
      footer = {
        "",
        "Examples:",
        "  avm data generate spirals --rows 10000 -o spirals.libsvm",
        "  avm data generate hyperplane --rows 100000 --to csv | avm online -"
      })
  static final class Generate implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "${COMPLETION-CANDIDATES}.")
    Generator generator;

    @Option(
        names = "--rows",
        paramLabel = "N",
        defaultValue = "1000",
        description = "Number of rows. Default: ${DEFAULT-VALUE}.")
    long rows;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = "Default: ${DEFAULT-VALUE}.")
    long seed;

    @Mixin Target target;

    @Override
    public Integer call() throws IOException {
      if (rows < 0) {
        throw Failure.usage("--rows must be at least 0: " + rows);
      }
      target.check(List.of());
      Survey survey = new Survey(Scaling.NONE);
      Generator.Stream look = generator.stream(seed);
      for (int i = 0; i < 1000; i++) {
        Instance instance = look.next();
        survey.add(instance.features(), instance.label());
      }
      Generator.Stream stream = generator.stream(seed);
      target.write(
          new Schema(),
          survey,
          writer -> {
            for (long i = 0; i < rows; i++) {
              Instance instance = stream.next();
              writer.write(instance.features(), instance.label());
            }
          });
      return 0;
    }
  }

  @Command(
      name = "list",
      description = "List the generators and the data files in a folder.",
      footer = {"", "Examples:", "  avm data list --data-dir ."})
  static final class Names implements Callable<Integer> {
    @Option(
        names = "--data-dir",
        paramLabel = "DIR",
        defaultValue = "${env:AVM_DATA}",
        description = "Folder with the data. Default: the environment variable AVM_DATA.")
    Path folder;

    @Override
    public Integer call() throws IOException {
      for (Generator generator : Generator.values()) {
        System.out.println("generated  " + generator);
      }
      if (folder != null && !Files.isDirectory(folder)) {
        throw new Failure(Failure.NO_INPUT, folder + ": no such folder");
      }
      if (folder != null) {
        try (Stream<Path> files = Files.list(folder)) {
          files
              .filter(file -> Format.ofName(file.getFileName().toString()) != null)
              .sorted()
              .forEach(file -> System.out.println("file       " + file));
        }
      }
      return 0;
    }
  }

  /** The flags for where rows are written, and in which format. */
  static final class Target {
    @Option(
        names = {"-o", "--out"},
        paramLabel = "FILE",
        defaultValue = "-",
        description = "File to write; - is standard output. Default: ${DEFAULT-VALUE}.")
    String out;

    @Option(
        names = "--to",
        paramLabel = "FORMAT",
        description =
            "Output format: libsvm, csv, arff or json. Default: derived from the file name, else"
                + " libsvm.")
    Format format;

    void check(List<String> inputs) {
      if (!out.equals("-")) {
        Failure.ifNotWritable(Path.of(out), inputs);
      }
    }

    /** Writes all rows of a file. */
    interface Rows {
      void writeTo(DataWriter writer) throws IOException;
    }

    /** Writes the rows, compressed according to the extension of the file. */
    void write(Schema schema, Survey survey, Rows rows) throws IOException {
      if (out.equals("-")) {
        write(schema, survey, rows, Standard.out());
      } else {
        WholeFile.write(
            Path.of(out),
            to -> {
              write(schema, survey, rows, Compression.ofName(out).pack(to));
              return null;
            });
      }
    }

    private void write(Schema schema, Survey survey, Rows rows, OutputStream to)
        throws IOException {
      Format found = format == null ? Format.ofName(out) : format;
      DataWriter.Layout layout = new DataWriter.Layout(schema, survey.dimension());
      try (DataWriter writer = DataWriter.of(found == null ? Format.LIBSVM : found, to, layout)) {
        rows.writeTo(writer);
      }
    }
  }
}
