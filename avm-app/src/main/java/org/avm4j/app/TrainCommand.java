package org.avm4j.app;

import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code avm train}: learn a model and save it. */
@Command(
    name = "train",
    description = {
      "Learn a model from data, in one or more passes, and save it.",
      "The figures are prequential: those of a second pass are of instances seen before."
    },
    footer = {
      "",
      "Examples:",
      "  avm train train.libsvm -m model.avm -g 0.5 --passes 3 --shuffle",
      "  avm train table.csv -m model.avm --label class --scale standard"
    })
final class TrainCommand extends LearningCommand {
  @Option(
      names = {"-m", "--model"},
      required = true,
      paramLabel = "MODEL",
      description = "Save the learner there.")
  Path model;

  @Option(
      names = "--passes",
      paramLabel = "N",
      defaultValue = "1",
      description = "How often to go over the data. Default: ${DEFAULT-VALUE}.")
  int passes;

  @Override
  Path model() {
    return model;
  }

  @Override
  int passes() {
    return passes;
  }
}
