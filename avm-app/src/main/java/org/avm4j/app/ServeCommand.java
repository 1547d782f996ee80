package org.avm4j.app;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.avm4j.serve.AvmServer;
import org.avm4j.serve.DamageException;
import org.avm4j.serve.HttpLimits;
import org.avm4j.serve.Role;
import org.avm4j.serve.ServeOptions;
import org.avm4j.serve.StoreLimits;
import org.avm4j.serve.Tokens;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code avm serve}: serves models that learn while they answer. */
@Command(
    name = "serve",
    description = {
      "Serve models over HTTP that learn while they answer.",
      "Rows are on disk before they are acknowledged, and all state is in one folder. The page is"
          + " at /, the API is described in docs/serve.md and at /openapi.json. The log goes to"
          + " standard error, one JSON object per line.",
      "Options can also be set in a file (--config) and in environment variables: --max-body is"
          + " max-body in the file and AVM_SERVE_MAX_BODY as a variable. The command line takes"
          + " precedence over the variables, and these over the file."
    },
    footer = {
      "",
      "Examples:",
      "  avm serve --data models",
      "  avm serve --data models --host 0.0.0.0 --tokens tokens.txt",
      "  avm serve --new-token learn",
      "  avm serve --data models --backup monday.db"
    })
final class ServeCommand implements Callable<Integer> {
  private static final String PASSWORD = "AVM_TLS_PASSWORD";

  @Spec CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "File of options, one KEY = VALUE per line. Unknown keys are an error.")
  Path config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder of the store. It is created if it does not exist.")
  Path data;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "8080",
      description = "Port to listen on; 0 picks a free one. Default: ${DEFAULT-VALUE}.")
  int port;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on. Any address other than loopback needs --tokens. Default:"
              + " ${DEFAULT-VALUE}.")
  String host;

  @Option(
      names = "--tokens",
      paramLabel = "FILE",
      description = "File of access tokens, one per line, as printed by --new-token.")
  Path tokens;

  @Option(
      names = "--tls",
      paramLabel = "FILE.p12",
      description =
          "PKCS #12 file with the key and certificate for HTTPS. The environment variable"
              + " AVM_TLS_PASSWORD holds its password.")
  Path tls;

  @Option(
      names = "--cors",
      paramLabel = "ORIGIN",
      description = "Allow web pages of this origin to use the service (CORS). Default: none.")
  String cors;

  @Option(
      names = "--keep-rows",
      paramLabel = "TIME",
      defaultValue = "1d",
      converter = Time.class,
      description =
          "How long to keep rows after two snapshots include them, such as 0s, 12h or 30d."
              + " Default: ${DEFAULT-VALUE}.")
  Duration keepRows;

  @Option(
      names = "--max-pending",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Maximum number of predictions per model and token that wait for their label; beyond it"
              + " the oldest are dropped. Default: ${DEFAULT-VALUE}.")
  int maxPending;

  @Option(
      names = "--pending-time",
      paramLabel = "TIME",
      defaultValue = "7d",
      converter = Time.class,
      description = "How long a prediction waits for its label. Default: ${DEFAULT-VALUE}.")
  Duration pendingTime;

  @Option(
      names = "--max-body",
      paramLabel = "MB",
      defaultValue = "8",
      description = "Maximum size of a request body, in megabytes. Default: ${DEFAULT-VALUE}.")
  int maxBody;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "Maximum number of open connections. Beyond it, the connection that was idle longest is"
              + " closed. Default: three quarters of the file descriptors, at most 10000.")
  int maxConnections;

  @Option(
      names = "--head-timeout",
      paramLabel = "TIME",
      defaultValue = "15s",
      converter = Time.class,
      description = "Time limit for receiving the head of a request. Default: ${DEFAULT-VALUE}.")
  Duration headTimeout;

  @Option(names = "--log-requests", description = "Log every request, not only changes and errors.")
  boolean logRequests;

  @Option(
      names = "--backup",
      paramLabel = "FILE",
      description = "Write a copy of the store to FILE and exit. The service may be running.")
  Path backup;

  @Option(
      names = "--repair",
      description = "Recover what can be read from a damaged store, report what is lost, and exit.")
  boolean repair;

  @Option(
      names = "--new-token",
      paramLabel = "ROLE",
      description =
          "Print a new token and its line for the --tokens file, and exit. ROLE is metrics,"
              + " predict, learn or admin.")
  String newToken;

  @Override
  public Integer call() throws IOException {
    return ServeSettings.of(this).configured().run();
  }

  private int run() throws IOException {
    if ((backup == null ? 0 : 1) + (repair ? 1 : 0) + (newToken == null ? 0 : 1) > 1) {
      throw Failure.usage("--backup, --repair and --new-token cannot be given together");
    }
    if (newToken != null) {
      return printToken(Role.of(newToken));
    }
    if (data == null || data.toString().isEmpty()) {
      throw Failure.usage("--data DIR is required: the folder of the store");
    }
    return backup != null || repair ? maintain() : serve(options(), server -> {}, () -> {});
  }

  /** Copies or repairs the store. */
  private int maintain() throws IOException {
    try {
      return backup != null ? copy() : repair();
    } catch (NoSuchFileException noStore) {
      throw noStore;
    } catch (FileSystemException wrong) {
      throw new Failure(Failure.CANNOT_CREATE, wrong.getMessage());
    }
  }

  private int copy() throws IOException {
    Failure.ifNotWritable(backup, List.of());
    AvmServer.backup(data, backup);
    System.out.println("the store was copied to " + backup);
    return 0;
  }

  private static int printToken(Role role) {
    String token = Tokens.generate();
    System.out.println("token, for the client:   " + token);
    System.out.println("line, for --tokens FILE: " + Tokens.line(role, token));
    return 0;
  }

  private int repair() throws IOException {
    try {
      AvmServer.repair(data, System.out::println);
      System.out.println("the store in " + data + " can be served again");
      return 0;
    } catch (DamageException damage) {
      throw new Failure(Failure.BAD_DATA, damage.getMessage());
    }
  }

  private ServeOptions options() throws IOException {
    if (port < 0 || port > 65_535) {
      throw Failure.usage("--port must be from 0 to 65535: " + port);
    }
    if (maxBody < 1 || maxBody > 1024) {
      throw Failure.usage("--max-body must be from 1 to 1024: " + maxBody);
    }
    if (maxConnections < 0 || headTimeout.isZero()) {
      throw Failure.usage("--max-connections must be at least 0, and --head-timeout above 0");
    }
    if (tls != null && !Files.isReadable(tls)) {
      throw new Failure(Failure.NO_INPUT, tls + ": no such file");
    }
    if (tls != null && System.getenv(PASSWORD) == null) {
      throw Failure.usage(
          tls + ": its password is missing; set the environment variable " + PASSWORD);
    }
    Tokens known = tokens == null ? null : Tokens.load(tokens);
    return ServeOptions.of(data)
        .withPort(port)
        .withHost(host, known)
        .withTls(tls, System.getenv(PASSWORD))
        .withCors(cors)
        .withLimits(StoreLimits.DEFAULT.withRows(keepRows).withPending(maxPending, pendingTime))
        .withHttp(new HttpLimits(maxBody << 20, maxConnections, headTimeout))
        .withRequestLog(logRequests);
  }

  /**
   * Starts the service, prints its address, and waits until the process is asked to end.
   *
   * @param ended called when the service has ended, at the end of the process
   */
  static int serve(ServeOptions options, Consumer<AvmServer> started, Runnable ended)
      throws IOException {
    try (AvmServer server = AvmServer.start(options, System.err::println)) {
      AtomicBoolean isAsked = new AtomicBoolean();
      Thread hook =
          new Thread(
              () -> {
                isAsked.set(true);
                closeAndExit(server, ended);
              });
      Runtime.getRuntime().addShutdownHook(hook);
      System.out.println("avm serve: listening at " + server.uri());
      System.out.flush();
      try {
        server.awaitReady();
      } catch (IOException damage) {
        if (isAsked.get()) {
          return 0;
        }
        Runtime.getRuntime().removeShutdownHook(hook);
        throw damage;
      }
      started.accept(server);
      new CountDownLatch(1).await(); // the hook ends the process
      return 0;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return 0;
    } catch (DamageException damage) {
      throw new Failure(Failure.BAD_DATA, damage.getMessage());
    } catch (FileSystemException wrong) {
      throw new Failure(Failure.CANNOT_CREATE, wrong.getMessage());
    }
  }

  /** Closes the service and exits with code 0, or with {@link Failure#IO} if closing fails. */
  private static void closeAndExit(AvmServer server, Runnable ended) {
    int code = 0;
    try {
      server.close();
    } catch (IOException failed) {
      System.err.println("avm: " + failed.getMessage());
      code = Failure.IO;
    }
    ended.run();
    Runtime.getRuntime().halt(code);
  }

  /** Parses a time such as 30s, 5m, 12h or 7d. */
  static final class Time implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,6})([smhd])");

    @Override
    public Duration convert(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new TypeConversionException(
            "expected a time such as 30s, 5m, 12h or 7d, found '" + text + "'");
      }
      long n = Long.parseLong(form.group(1));
      return switch (form.group(2)) {
        case "s" -> Duration.ofSeconds(n);
        case "m" -> Duration.ofMinutes(n);
        case "h" -> Duration.ofHours(n);
        default -> Duration.ofDays(n);
      };
    }
  }
}
