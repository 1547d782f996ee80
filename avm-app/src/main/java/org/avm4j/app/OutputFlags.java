package org.avm4j.app;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.avm4j.lab.paper.RunFigure;
import picocli.CommandLine.Option;

/** The flags for what a run writes and prints besides its model. */
final class OutputFlags {
  @Option(
      names = "--scores",
      paramLabel = "FILE",
      description =
          "Write the scores of each instance before it was learned, one line per instance: a"
              + " score for each class seen so far, in ascending order of label. - is standard"
              + " output.")
  Path scores;

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      description =
          "Write the answer to each instance before it was learned, one line per instance, with"
              + " or without a label. - is standard output; the report then goes to standard"
              + " error.")
  Path answers;

  @Option(
      names = "--plot",
      paramLabel = "FILE.png",
      description =
          "Draw the error along the stream and the drifts found. Also draws, where they apply:"
              + " FILE-search.png, the search of automatic mode; FILE-tree.png, a tree over two"
              + " features; FILE-clusters.png, the clusters; FILE-band.png, the latest answers"
              + " with --interval. The numbers of each are in FILE.png.csv.")
  Path plot;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description =
          "Write an HTML report: error along the stream, confusion matrix, important columns (for"
              + " online, over time), the largest core points, and what automatic mode chose and"
              + " why.")
  Path html;

  @Option(names = "--json", description = "Print the results as one JSON object.")
  boolean json;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print warnings only, no progress.")
  boolean quiet;

  void check() {
    if (plot != null && !plot.toString().endsWith(".png")) {
      throw Failure.usage("--plot must end in .png: '" + plot + "'");
    }
    if (plot != null && !RunFigure.canDraw()) {
      throw Failure.usage("--plot needs a font, and this Java installation has none");
    }
  }

  /** All files that may be written. */
  Stream<Path> files() {
    Stream<Path> plots = plot == null ? Stream.of() : RunFigure.files(plot).stream();
    return Stream.concat(Stream.of(scores, answers, html).filter(file -> file != null), plots);
  }

  /** Whether a file is written. */
  boolean hasFiles() {
    return files().findAny().isPresent();
  }
}
