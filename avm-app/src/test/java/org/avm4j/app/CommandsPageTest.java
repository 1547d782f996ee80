package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The page of commands says what the commands say. */
class CommandsPageTest {
  private static final Path DOCS = Path.of("..", "docs", "commands.md");

  /** To write the page anew: {@code ./mvnw -pl avm-app -am test -Ddocs.update=true}. */
  @Test
  void thePageOfCommandsIsUpToDate() throws IOException {
    String page = page();
    if (Boolean.getBoolean("docs.update")) {
      Files.createDirectories(DOCS.getParent());
      Files.writeString(DOCS, page);
    }
    assertThat(Files.readString(DOCS)).isEqualTo(page);
  }

  private static String page() {
    StringBuilder page = new StringBuilder("# Commands\n\n");
    page.append("This page is made from the commands themselves; a test keeps it up to date.\n");
    add(page, "avm", Main.commandLine());
    return page.toString();
  }

  private static void add(StringBuilder page, String name, CommandLine command) {
    page.append("\n## ").append(name).append("\n\n```\n");
    page.append(command.getUsageMessage(CommandLine.Help.Ansi.OFF)).append("```\n");
    command.getSubcommands().forEach((sub, inner) -> add(page, name + " " + sub, inner));
  }
}
