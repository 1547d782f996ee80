package org.avm4j.app;

import java.util.List;
import java.util.Set;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Help with the options that most people need; {@code --help-all} shows all. */
final class ShortHelp extends Help {
  /** Up to this number of options, all are shown. */
  private static final int FEW = 25;

  private static final Set<String> USUAL =
      Set.of(
          ("--answers --ask --by --cost --csv --delay --drift --explain --folds --forget "
                  + "--help --html --ignore --interval --json --label --lags --max-size --missing "
                  + "--model --numeric --out --probability --quiet --runs --rows --seed "
                  + "--skip-bad-lines --task --text --time --time-column --warm-up")
              .split(" "));

  private final CommandSpec command;

  ShortHelp(CommandSpec command, ColorScheme colours) {
    super(command, colours);
    this.command = command;
  }

  private boolean isLong() {
    return shown().size() > FEW;
  }

  private List<OptionSpec> shown() {
    return command.options().stream().filter(option -> !option.hidden()).toList();
  }

  @Override
  public String optionList() {
    if (!isLong()) {
      return super.optionList();
    }
    List<OptionSpec> usual =
        shown().stream().filter(option -> USUAL.contains(option.longestName())).toList();
    return optionListExcludingGroups(usual)
        + String.format(
            "%n'%s --help-all' shows all %d options and the exit codes.%n",
            command.qualifiedName(), shown().size());
  }

  @Override
  public String exitCodeListHeading(Object... values) {
    return isLong() ? "" : super.exitCodeListHeading(values);
  }

  @Override
  public String exitCodeList() {
    return isLong() ? "" : super.exitCodeList();
  }
}
