package org.avm4j.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.avm4j.Prediction;
import org.avm4j.asking.LabelBudget;
import org.avm4j.serve.LearnTask.Outcome;
import org.avm4j.serve.LearningActor.State;

/**
 * A model of the service: its learner, and the published state that answers. One thread at a time
 * {@linkplain LearningActor learns} stored rows; any number of threads answer by {@link #champion}.
 *
 * <p>A model may have a second learner, its challenger, which is also a {@code ServedModel}. The
 * leading learner gets the rows of clients; the challenger reads the same rows from the store at
 * its own pace.
 */
final class ServedModel {
  /** Suffix in the name of a challenger; the slash keeps it apart from names given by clients. */
  static final String CHALLENGER = "/challenger";

  private final Store.Entry entry;
  private final ModelSpec spec;
  private final Models models;
  private final LatestRows latest = new LatestRows();
  private final Inbox inbox;
  private final Publisher publisher;
  private final Snapshots snapshots;
  private final OpenFailures failures;
  private final ModelTraffic traffic = new ModelTraffic();
  private final LearningActor actor;
  private final ChampionSelector championSelector;
  private final RowValidator validator = new RowValidator();
  private final LabelBudget budget;
  private volatile long loaded;
  private volatile ServedModel leader;

  /** A stored model that is not loaded yet. */
  ServedModel(Store.Entry entry, ModelSpec spec, Models models) {
    this.entry = entry;
    this.spec = spec;
    this.models = models;
    inbox =
        new Inbox(models.store().rows(), entry.id(), models.backlog(), latest, models::nanoTime);
    publisher = new Publisher(spec, models::nanoTime);
    snapshots = new Snapshots(models.store().versions(), entry, models::nanoTime);
    failures = new OpenFailures(this::name, models.log());
    actor =
        new LearningActor(
            inbox,
            publisher,
            snapshots,
            failures,
            traffic,
            models.turns(),
            models::nanoTime,
            last -> models.loader().restart(this, last));
    championSelector = new ChampionSelector(publisher);
    budget = spec.budget();
  }

  void start(Learning begun) {
    actor.start(new Recovery.Recovered(begun, begun.sequence(), entry.created()), 0);
  }

  private void start(long last, LongConsumer progress) throws IOException {
    long start = models.nanoTime();
    Recovery.Recovered recovered = models.recovery().recover(entry, spec, last, progress);
    actor.start(recovered, models.nanoTime() - start);
  }

  void load() throws IOException {
    if (entry.champion() > 0 && !entry.isChallenger()) {
      pin(models.recovery().version(entry, spec, entry.champion()));
    }
    start(entry.next() - 1, sequence -> loaded = sequence);
  }

  long id() {
    return entry.id();
  }

  /** The name of the model; that of a challenger ends with {@value #CHALLENGER}. */
  String name() {
    return isChallenger() ? entry.name() + CHALLENGER : entry.name();
  }

  Store.Entry entry() {
    return entry;
  }

  ModelSpec spec() {
    return spec;
  }

  State state() {
    return actor.state();
  }

  /** A sentence on what keeps the model from learning, publishing or saving; null for nothing. */
  String failure() {
    return failures.sentence();
  }

  /** The number of internal failures since the start of the service. */
  int failures() {
    return failures.failures();
  }

  /** The state that answers clients: the pinned version, or the latest publication. */
  Published champion() {
    return championSelector.now();
  }

  /** Pins a version; null removes the pin. */
  void pin(Published version) {
    championSelector.pin(version);
  }

  boolean isChallenger() {
    return leader != null;
  }

  /**
   * Becomes a challenger: reads the rows of the other learner from the store from now on, and does
   * not answer clients.
   */
  void follow(ServedModel other) {
    pin(null);
    leader = other;
  }

  /**
   * Becomes the leader: gets the rows of clients from now on.
   *
   * @param last the last row that was submitted to the former leader
   */
  void lead(long last) {
    actor.readTo(last);
    leader = null;
  }

  Published published() {
    return publisher.now();
  }

  /** Completes with a published state that has learned this row. */
  CompletableFuture<Published> published(long sequence) {
    CompletableFuture<Published> published = publisher.atLeast(sequence);
    if (!published.isDone()) {
      actor.wake();
    }
    return published;
  }

  ModelTraffic traffic() {
    return traffic;
  }

  /** Checks rows before they are stored. */
  RowValidator validator() {
    return validator;
  }

  /**
   * Decides whether to ask for the label of a row, and charges the budget if so. Always false
   * without a budget. The budget is not saved, so a restart of the service resets it.
   */
  boolean asks(Prediction answer) {
    if (budget == null) {
      return false;
    }
    synchronized (budget) {
      return budget.ask(answer);
    }
  }

  /** The number of rows that are on disk and not learned yet. */
  long backlog() {
    ServedModel ahead = leader;
    return ahead == null
        ? inbox.backlog()
        : Math.max(0, ahead.published().sequence() - published().sequence());
  }

  /**
   * Seconds that the oldest unlearned row has waited; 0 if there is none, NaN if the store cannot
   * be read.
   */
  double lagSeconds() {
    ServedModel ahead = leader;
    long known = ahead == null || !isLoaded() ? 0 : ahead.published().sequence();
    return inbox.lagSeconds(published().sequence(), known);
  }

  /** When the last snapshot was taken, in milliseconds since 1970. */
  long snapshotAt() {
    return snapshots.at();
  }

  /** The number of predictions that wait for their label. */
  long pending() {
    try {
      return models.store().rows().pending(id());
    } catch (IOException unknown) {
      throw new UncheckedIOException(unknown);
    }
  }

  /** The stored versions, the newest first; throws a {@link Problem} if they cannot be read. */
  List<Version> versions() {
    try {
      return models.store().versions().list(entry);
    } catch (IOException unreadable) {
      throw new Problem(500, "the versions cannot be read; the store may be damaged");
    }
  }

  /** A stored version; throws a {@link Problem} if it is not stored or cannot be read. */
  Published version(long number) {
    try {
      return models.recovery().version(entry, spec, number);
    } catch (IOException unreadable) {
      throw new Problem(500, "version " + number + " cannot be read; it may be damaged");
    }
  }

  /** The latest rows that were learned, the newest first. */
  List<Map<String, Object>> latest() {
    return latest.json();
  }

  /** Ends the learning of a model that was deleted from the store. */
  void delete() {
    actor.delete();
  }

  boolean isDeleted() {
    return actor.isDeleted();
  }

  /**
   * Whether the store has lost the model to a deletion. This is known before {@link #isDeleted}: a
   * loader that finds no rows asks here whether they are damaged or deleted.
   */
  boolean isGone() {
    try {
      return !models.store().versions().holds(entry);
    } catch (IOException unknown) {
      return false;
    }
  }

  boolean isLoaded() {
    return state() != State.LOADING;
  }

  /** Throws a {@link Problem} while the model is being loaded, or waits to be loaded again. */
  void checkLoaded() {
    if (!isLoaded() && failure() != null) {
      throw failed();
    }
    if (!isLoaded()) {
      throw new Problem(
              503, "the model is being loaded: row " + loaded + " of " + (entry.next() - 1))
          .with("model", name());
    }
  }

  /** Throws a {@link Problem} while the model is being loaded or after it has failed. */
  void checkLearns() {
    checkLoaded();
    if (state() == State.FAILED) {
      throw failed();
    }
  }

  private static Problem failed() {
    return new Problem(
        503, "this model has failed and is being rebuilt from the store; try again later");
  }

  /**
   * Throws a {@link Problem} if the model cannot take rows: while it is being loaded, if too many
   * rows wait, or if the learner has failed.
   */
  void checkTakesRows() {
    checkLearns();
    if (isFull()) {
      throw Problem.busy(
          inbox.backlog() + " rows are waiting to be learned by this model; try again later");
    }
  }

  /**
   * Learns rows that are on disk; called in the order of their sequence numbers. If another learner
   * was promoted meanwhile, it gets the rows.
   *
   * @param learned completes when they are learned
   */
  void learn(RowStore.Batch batch, CompletableFuture<Outcome> learned) {
    ServedModel ahead = leader;
    if (ahead != null) {
      ahead.learn(batch, learned);
    } else {
      actor.learn(batch, learned);
    }
  }

  /**
   * Learns from predictions whose label never came. Null if the model does not take rows without a
   * label, or cannot take more rows now.
   */
  Consumer<RowStore.Batch> unlabelled() {
    ServedModel ahead = leader == null ? this : leader;
    boolean takesRows = spec.takesUnlabelled() && ahead.state() == State.READY && !ahead.isFull();
    return takesRows ? batch -> learn(batch, new CompletableFuture<>()) : null;
  }

  /** Whether this model has waiting rows while the backlog of all models together is full. */
  private boolean isFull() {
    return models.backlog().isFull() && inbox.backlog() > 0;
  }

  /** Rebuilds the learner from the store up to a row; later rows wait in the queue. */
  void restart(long last) throws IOException {
    start(last, sequence -> {});
    models.log().write("restart", Map.of("model", name(), "sequence", last));
  }

  /** Records that the learner could not be rebuilt from the store. */
  void failedAgain(Throwable wrong) {
    actor.cannotStart(wrong, failed());
  }

  /** Reads new rows of the leader, and publishes and saves if due; called every few ms. */
  void tick() {
    ServedModel ahead = leader;
    long known = ahead == null ? 0 : ahead.published().sequence();
    if (actor.isIdle() && known > published().sequence()) {
      actor.readTo(known);
    }
    actor.tick();
  }

  /** Learns all waiting rows, publishes, and takes a snapshot if there are new rows. */
  CompletableFuture<Void> finish() {
    return actor.finish();
  }

  /** The bytes of the learner, after it has learned all rows waiting now. */
  CompletableFuture<byte[]> export() {
    checkLearns();
    return actor.read(now -> now.pipeline().toBytes());
  }
}
