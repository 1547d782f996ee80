package org.avm4j.serve;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.avm4j.serve.SimulatedWorkload.Operation;

/**
 * A service under {@linkplain SimulatedThreads simulated threads}: clients send what a {@link
 * SimulatedWorkload} says, an operator keeps and pins versions and promotes a challenger. What is
 * acknowledged is noted in a file, in the order of system calls; who traces them knows what had
 * reached the disk by then.
 */
public final class SimulatedService {
  /** The file that holds the numbers of acknowledged operations. */
  static final String ACKNOWLEDGED = "acknowledged";

  /** Added to the number of an operation whose rows wait for their labels, when that is on disk. */
  static final int KEPT = 1_000_000;

  /** Added to the number of a change of who answers for the first model, when that is on disk. */
  static final int ROLES = 2_000_000;

  /** What stands before the reason if a run fails by itself. */
  static final String FAILED = "failed: ";

  /** A bug put in on purpose: a promotion that takes place some time after its commit. */
  static final String LATE_PROMOTION = "late-promotion";

  private static final int CLIENTS = 4;
  private static final int CHANGES = 7;
  private static final int MAX_PAUSE_MILLIS = 100;

  private final SimulatedThreads threads;
  private final SimulatedThreads.Lane clients;
  private final boolean isLate;
  private final Store store;
  private final Models models;
  private final ModelRoles roles;
  private final FileChannel acknowledged;
  private final List<Integer> order = new ArrayList<>();
  private final List<CompletableFuture<?>> learned = new ArrayList<>();
  private Throwable wrong;
  private int working = CLIENTS;
  private int changes;

  private SimulatedService(Path folder, long seed, boolean isLate) throws IOException {
    threads = new SimulatedThreads(seed);
    clients = threads.lane("client", CLIENTS);
    this.isLate = isLate;
    store = Store.open(folder, SimulatedWorkload.limits(seed), threads, threads.lane("write", 1));
    models = new Models(store, new ServeLog(line -> {}), threads.workers());
    roles = new ModelRoles(models);
    acknowledged =
        FileChannel.open(
            folder.resolve(ACKNOWLEDGED), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  /** {@code SimulatedService FOLDER OPERATIONS FIRST_SEED SEEDS [BUG]}: each seed has a folder. */
  public static void main(String[] args) throws Exception {
    new InterruptionPoints()
        .loadClass(SimulatedService.class.getName())
        .getDeclaredMethod("runAll", String[].class)
        .invoke(null, (Object) args);
  }

  /** Runs all seeds; public for the class of the same name that another loader made. */
  public static void runAll(String[] args) throws IOException {
    long first = Long.parseLong(args[2]);
    for (long seed = first; seed < first + Long.parseLong(args[3]); seed++) {
      Path folder = Files.createDirectories(Path.of(args[0]).resolve(Long.toString(seed)));
      boolean isLate = args.length > 4 && args[4].equals(LATE_PROMOTION);
      SimulatedService service = new SimulatedService(folder, seed, isLate);
      InterruptionPoints.at(service.threads::point);
      String summary;
      try {
        service.run(SimulatedWorkload.operations(Integer.parseInt(args[1]), seed));
        summary = service.summary();
      } catch (RuntimeException | AssertionError failed) {
        summary = FAILED + failed;
      }
      Files.writeString(folder.resolveSibling(seed + ".steps"), summary);
    }
  }

  /** The operations in the order of their commits, and a number that stands for all steps. */
  private String summary() {
    StringBuilder text = new StringBuilder();
    order.forEach(number -> text.append(number).append('\n'));
    return text.append("steps ").append(threads.fingerprint()).append('\n').toString();
  }

  private void run(List<Operation> operations) throws IOException {
    models.list();
    models.load();
    List<CompletableFuture<ServedModel>> made =
        SimulatedWorkload.MODELS.stream()
            .map(name -> models.create(name, SimulatedWorkload.OPTIONS))
            .toList();
    runUntilDone(made);
    note(-1);
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      Iterator<Operation> own =
          operations.stream().filter(each -> each.number() % CLIENTS == client).iterator();
      clients.execute(() -> next(own));
    }
    clients.executeWithin(MAX_PAUSE_MILLIS, this::change);
    threads.run(() -> wrong != null || working == 0);
    runUntilDone(learned);
    runUntilDone(models.all().stream().map(ServedModel::finish).toList());
    InterruptionPoints.at(() -> {});
    models.close();
    acknowledged.close();
  }

  private void runUntilDone(List<? extends CompletableFuture<?>> futures) {
    threads.run(() -> wrong != null || futures.stream().allMatch(CompletableFuture::isDone));
    if (wrong != null) {
      throw new AssertionError(wrong);
    }
    futures.forEach(CompletableFuture::join);
  }

  /** Sends the next request of a client when the one before it is acknowledged. */
  private void next(Iterator<Operation> own) {
    if (!own.hasNext()) {
      working--;
      return;
    }
    Operation each = own.next();
    ServedModel model = models.get(SimulatedWorkload.MODELS.get(each.model()));
    CompletableFuture<?> kept = CompletableFuture.completedFuture(null);
    if (each.isLate()) {
      kept = each.keep(store, model.id()).thenRun(() -> note(KEPT + each.number()));
    }
    kept.thenCompose(ready -> send(each))
        .whenComplete(
            (receipt, failed) -> {
              if (failed != null) {
                wrong = failed;
                return;
              }
              note(each.number());
              clients.executeWithin(MAX_PAUSE_MILLIS, () -> next(own));
            });
  }

  private CompletableFuture<RowStore.Receipt> send(Operation each) {
    ServedModel model = models.get(SimulatedWorkload.MODELS.get(each.model()));
    CompletableFuture<LearnTask.Outcome> outcome = new CompletableFuture<>();
    learned.add(outcome);
    return each.send(
        store,
        model.id(),
        batch -> {
          order.add(each.number());
          model.learn(batch, outcome);
        });
  }

  /** Adds a challenger first; then it is promoted, a version is pinned, and so on. */
  private void change() {
    if (changes == CHANGES || working == 0) {
      return;
    }
    CompletableFuture<?> done;
    try {
      done = changed();
    } catch (Problem early) {
      done = CompletableFuture.failedFuture(early);
    }
    done.whenComplete(
        (result, early) -> {
          if (early == null) {
            note(ROLES + changes++);
          }
          clients.executeWithin(MAX_PAUSE_MILLIS, this::change);
        });
  }

  private CompletableFuture<?> changed() {
    String name = SimulatedWorkload.MODELS.get(0);
    if (changes == 0) {
      return roles.challenge(name, SimulatedWorkload.OPTIONS);
    }
    if (changes % 2 == 1) {
      return isLate ? promoteLate(name) : roles.promote(name);
    }
    return roles.keep(name).thenCompose(kept -> roles.pin(name, kept.number()));
  }

  /** Like {@link ModelRoles#promote}, but not in the order of commits. */
  private CompletableFuture<?> promoteLate(String name) {
    ServedModel model = models.get(name);
    ServedModel challenger = models.challenger(name);
    return store
        .versions()
        .promote(challenger.entry(), last -> {})
        .thenAcceptAsync(
            last -> {
              challenger.lead(last);
              model.follow(challenger);
              models.swap(name, model, challenger);
            },
            clients);
  }

  private void note(int number) {
    threads.trace("acknowledged " + number);
    try {
      acknowledged.write(ByteBuffer.wrap((number + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (IOException failed) {
      wrong = failed;
    }
  }
}
