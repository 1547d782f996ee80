package org.avm4j.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.avm4j.export.JsonExport;
import org.avm4j.export.LibsvmExport;
import org.avm4j.export.OnnxExport;
import org.avm4j.pipeline.PreparedModel;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code avm export}: writes a model in the format of another program. */
@Command(
    name = "export",
    description = {
      "Export a model as ONNX, LIBSVM or JSON.",
      "ONNX and JSON support machines, trees of machines, boosted trees, anomaly detectors"
          + " and clusters. LIBSVM supports a single machine with a Gaussian kernel and no linear"
          + " part. docs/exports.md explains how to use the files."
    },
    footer = {
      "",
      "Examples:",
      "  avm export model.avm --onnx model.onnx",
      "  avm export model.avm --json model.json",
      "  avm train train.libsvm -m one.avm --update newton -g 2 && avm export one.avm --libsvm"
          + " one.model"
    })
final class ExportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "MODEL", description = "The model to export.")
  Path file;

  @Option(
      names = "--onnx",
      paramLabel = "FILE",
      description =
          "Write an ONNX graph. It takes raw rows, scales and encodes them, and returns the"
              + " label, the scores and, if the model has them, probabilities, intervals or sets"
              + " of labels.")
  Path onnx;

  @Option(
      names = "--libsvm",
      paramLabel = "FILE",
      description =
          "Write a model for svm-predict. The scaling goes to FILE.range, for svm-scale -r.")
  Path libsvm;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Write everything needed to compute a score by hand.")
  Path json;

  @Override
  public Integer call() throws IOException {
    List<Path> outputs = Stream.of(onnx, libsvm, json).filter(Objects::nonNull).toList();
    if (outputs.isEmpty()) {
      throw Failure.usage("expected at least one of --onnx, --libsvm and --json");
    }
    Failure.ifNotWritable(List.of(file.toString()), outputs.toArray(Path[]::new));
    PreparedModel model = SavedModel.load(file).model();
    try {
      export(model);
    } catch (IllegalArgumentException refused) {
      throw Failure.usage(file + ": " + refused.getMessage());
    }
    return 0;
  }

  private void export(PreparedModel model) throws IOException {
    if (onnx != null) {
      OnnxExport.write(model, onnx);
      printWritten(onnx);
    }
    if (libsvm != null) {
      LibsvmExport.rangeFile(model, libsvm)
          .ifPresent(range -> Failure.ifNotWritable(range, List.of(file.toString())));
      Optional<Path> range = LibsvmExport.write(model, libsvm);
      printWritten(libsvm);
      range.ifPresent(ExportCommand::printWritten);
    }
    if (json != null) {
      JsonExport.write(model, json);
      printWritten(json);
    }
  }

  private static void printWritten(Path written) {
    System.out.println("written to " + written);
  }
}
