package org.avm4j.app;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/** {@code avm man}: prints the manual page. */
@Command(
    name = "man",
    description = "Print the manual page in troff format.",
    footer = {"", "Examples:", "  avm man > avm.1 && man ./avm.1"})
final class ManCommand implements Runnable {
  @Override
  public void run() {
    System.out.print(page());
  }

  static String page() {
    CommandLine avm = Main.commandLine();
    StringBuilder page = new StringBuilder(".TH AVM 1\n.SH NAME\n");
    page.append("avm \\- online kernel learning with models that stay small\n");
    add(page, "SYNOPSIS AND OPTIONS", avm);
    avm.getSubcommands().forEach((name, command) -> addAll(page, "avm " + name, command));
    return page.toString();
  }

  private static void addAll(StringBuilder page, String name, CommandLine command) {
    add(page, name, command);
    command.getSubcommands().forEach((inner, sub) -> addAll(page, name + " " + inner, sub));
  }

  private static void add(StringBuilder page, String heading, CommandLine command) {
    String usage = command.getUsageMessage(Ansi.OFF);
    page.append(".SH ").append(heading.toUpperCase(Locale.ROOT)).append("\n.nf\n");
    usage.lines().map(ManCommand::escaped).forEach(line -> page.append(line).append('\n'));
    page.append(".fi\n");
  }

  /** Escapes a line; one that starts with a dot or quote would be a roff command. */
  private static String escaped(String line) {
    String text = line.replace("\\", "\\e").replace("-", "\\-");
    return text.startsWith(".") || text.startsWith("'") ? "\\&" + text : text;
  }
}
