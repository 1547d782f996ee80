package org.avm4j.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.function.Function;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.impl.Log4jLogEvent;
import org.apache.logging.log4j.message.SimpleMessage;
import org.junit.jupiter.api.Test;

/** What Flink logs while it runs inside the command. */
class QuietLogTest {
  private static <T> T with(Function<Configuration, T> look) {
    Path settings = Path.of("src", "cluster", "quiet.properties");
    try (LoggerContext context = new LoggerContext("quiet", null, settings.toUri())) {
      context.start();
      return look.apply(context.getConfiguration());
    }
  }

  private static String line(String logger, String message, Exception why) {
    Log4jLogEvent event =
        Log4jLogEvent.newBuilder()
            .setLoggerName(logger)
            .setLevel(Level.ERROR)
            .setMessage(new SimpleMessage(message))
            .setThrown(why)
            .build();
    return with(
        settings -> settings.getAppender("console").getLayout().toSerializable(event).toString());
  }

  @Test
  void theRaceAtTheEndOfAJobIsNotLogged() {
    String actor = "org.apache.flink.runtime.rpc.pekko.FencedPekkoRpcActor";
    assertThat(level(actor)).isEqualTo(Level.OFF);
    assertThat(level("org.apache.flink.runtime.blob.BlobServer")).isEqualTo(Level.ERROR);
  }

  private static Level level(String logger) {
    return with(settings -> settings.getLoggerConfig(logger).getLevel());
  }

  @Test
  void otherErrorsAreOneLineEach() {
    IllegalStateException why = new IllegalStateException("no space left");
    assertThat(line("org.apache.flink.runtime.blob.BlobServer", "Could not write", why))
        .endsWith("ERROR BlobServer: Could not write: no space left\n");
    assertThat(line("org.apache.flink.Any", "Alone", null)).endsWith("ERROR Any: Alone\n");
  }
}
