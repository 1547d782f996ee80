package org.avm4j.app;

import picocli.AutoComplete;
import picocli.CommandLine.Command;

/** {@code avm completion}: prints a completion script for the shell. */
@Command(
    name = "completion",
    description = "Print a shell completion script for bash and zsh.",
    footer = {"", "Examples:", "  avm completion > ~/.avm-completion && . ~/.avm-completion"})
final class CompletionCommand implements Runnable {
  @Override
  public void run() {
    System.out.print(AutoComplete.bash("avm", Main.commandLine()));
  }
}
