package org.avm4j.serve;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.avm4j.Prediction;
import org.avm4j.asking.LabelBudget;
import org.avm4j.serve.LearnTask.Outcome;

/**
 * A model that is served. Rows that are on disk are learned one after the other, in turns of one
 * thread at a time; answers come from what was published last, or from the version that is pinned,
 * by any number of threads.
 *
 * <p>A model may have a second learner, its challenger, which is one of these, too. The learner
 * that leads is handed the rows of clients; the other follows it, and reads the same rows from the
 * store at its own pace.
 *
 * <p>If learning throws anything, the learner may be half-way through a row. It is then thrown
 * away, and made again from the store up to the request that failed; answers come from what was
 * published before.
 */
final class ServedModel implements FairTurns.Member {
  /** What follows the name of a model in the name of its challenger; no name holds a slash. */
  static final String CHALLENGER = "/challenger";

  private static final String LEARNING = "learning";
  private static final String PUBLISHING = "publishing";
  private static final String SNAPSHOT = "taking a snapshot";

  private final Store.Entry entry;
  private final ModelSpec spec;
  private final ModelHost host;
  private final FairTurns.Seat seat;
  private final Publisher publisher;
  private final LatestRows latest = new LatestRows();
  private final Inbox inbox;
  private final Snapshots snapshots;
  private final ModelTraffic traffic = new ModelTraffic();
  private final Door door = new Door();
  private final LabelBudget budget;
  private final AtomicInteger failures = new AtomicInteger();
  private final Map<String, String> troubles = new ConcurrentSkipListMap<>();
  private volatile State state = State.LOADING;
  private volatile long loaded;
  private volatile ServedModel leader;
  private volatile Published pinned;
  private Learning learning;

  /** Whether a model learns. */
  enum State {
    /** Its rows are being learned again after a start of the service. */
    LOADING,
    /** It answers and learns. */
    READY,
    /** Learning failed; it answers as before, and is made again from the store. */
    FAILED
  }

  /** A model of the store that is not loaded yet. */
  ServedModel(Store.Entry entry, ModelSpec spec, ModelHost host) {
    this.entry = entry;
    this.spec = spec;
    this.host = host;
    seat = host.turns().join(this);
    publisher = new Publisher(spec, Learning.of(spec));
    inbox = new Inbox(host.store(), entry.id(), host.backlog(), latest);
    snapshots = new Snapshots(host.store().versions(), entry);
    budget = spec.budget();
  }

  /** Starts to learn where a recovery has come to. */
  void start(Recovery.Recovered from) {
    learning = from.learning();
    snapshots.start(from);
    if (state == State.LOADING || learning.sequence() > publisher.now().sequence()) {
      publisher.publish(learning);
    }
    troubles.remove(LEARNING);
    state = State.READY;
    seat.wake();
  }

  /** Loads the model from the store. */
  void load(Recovery recovery) throws IOException {
    if (entry.champion() > 0 && !entry.isChallenger()) {
      pinned = recovery.version(entry, spec, entry.champion());
    }
    start(recovery.recover(entry, spec, entry.next() - 1, sequence -> loaded = sequence));
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
    return state;
  }

  /** What keeps the model from learning or from taking snapshots, null for nothing. */
  String trouble() {
    String all = String.join("; ", troubles.values());
    return all.isEmpty() ? null : all;
  }

  /** How often something failed inside since the start of the service. */
  int failures() {
    return failures.get();
  }

  /** What answers clients: the version that is pinned, or what was published last. */
  Published champion() {
    Published version = pinned;
    return version == null ? published() : version;
  }

  /** Has a version answer, or for null what is published last. */
  void pin(Published version) {
    pinned = version;
  }

  boolean isChallenger() {
    return leader != null;
  }

  /** Learns, from now on, what another learner of the model is handed, and answers nobody. */
  void follow(ServedModel other) {
    pinned = null;
    leader = other;
  }

  /**
   * Is handed rows from now on.
   *
   * @param last the last row that was handed to the learner that led before
   */
  void lead(long last) {
    inbox.readTo(last);
    leader = null;
    seat.wake();
  }

  /** What was published last. */
  Published published() {
    return publisher.now();
  }

  /** What answers, as soon as it has learned a row. */
  CompletableFuture<Published> published(long sequence) {
    return publisher.atLeast(sequence);
  }

  ModelTraffic traffic() {
    return traffic;
  }

  /** What checks rows before they are written. */
  Door door() {
    return door;
  }

  /**
   * Whether the label of a row that waits for one is asked for; always false of a model without a
   * budget. The budget is not saved: after a start of the service it begins anew.
   */
  boolean asks(Prediction answer) {
    if (budget == null) {
      return false;
    }
    synchronized (budget) {
      return budget.ask(answer);
    }
  }

  /** How many rows are on disk and not learned yet. */
  long backlog() {
    ServedModel ahead = leader;
    return ahead == null
        ? inbox.backlog()
        : Math.max(0, ahead.published().sequence() - published().sequence());
  }

  /** Seconds that the oldest rows have waited which are on disk and not learned; 0 for none. */
  double lagSeconds() {
    return inbox.lagSeconds();
  }

  /** When the last snapshot was taken, in milliseconds since 1970. */
  long snapshotAt() {
    return snapshots.at();
  }

  /** The latest rows that were learned, the newest first. */
  List<Map<String, Object>> latest() {
    return latest.json();
  }

  /** Stops snapshots of what is no longer there. */
  void delete() {
    snapshots.delete();
  }

  boolean isDeleted() {
    return snapshots.isDeleted();
  }

  boolean isLoaded() {
    return state != State.LOADING;
  }

  /** Refuses what needs a learner or its answers while the model is loaded. */
  void checkLoaded() {
    if (state == State.LOADING) {
      throw new Problem(
              503, "the model is being loaded: row " + loaded + " of " + (entry.next() - 1))
          .with("model", name());
    }
  }

  /** Refuses what needs a learner while the model is loaded or has failed. */
  void checkLearns() {
    checkLoaded();
    if (state == State.FAILED) {
      throw failed();
    }
  }

  private static Problem failed() {
    return new Problem(503, "this model has failed and is made again from the store; try later");
  }

  /** Refuses rows while the model is loaded, or too many wait, or the learner has failed. */
  void checkTakesRows() {
    checkLearns();
    if (host.backlog().isFull() && inbox.backlog() > 0) {
      throw Problem.busy(inbox.backlog() + " rows wait to be learned by this model; try later");
    }
  }

  /**
   * Learns rows that are on disk; called in the order of their sequence numbers. If another learner
   * leads meanwhile, they are handed on to it.
   *
   * @param learned completes when they are learned
   */
  void learn(Store.Batch batch, CompletableFuture<Outcome> learned) {
    ServedModel ahead = leader;
    if (ahead != null) {
      ahead.learn(batch, learned);
      return;
    }
    inbox.add(batch, learned);
    seat.wake();
  }

  @Override
  public boolean turn(long end) {
    while (state == State.READY && System.nanoTime() < end) {
      ModelTask next = next();
      if (next == null) {
        break;
      }
      if (next instanceof Errand<?> errand) {
        inbox.remove();
        errand.run(learning);
      } else if (learn((LearnTask) next, end)) {
        inbox.remove();
        attempt(SNAPSHOT, () -> snapshots.takeIfDue(learning));
      }
    }
    if (state == State.READY) {
      attempt(PUBLISHING, () -> publisher.publishIfDue(learning));
    }
    return state == State.READY && !inbox.isDone(learning.sequence());
  }

  private ModelTask next() {
    try {
      return inbox.next(learning.sequence());
    } catch (IOException | RuntimeException unreadable) {
      fail(unreadable, learning.sequence());
      return null;
    }
  }

  /**
   * Learns rows of a request. Snapshots are taken only when all of them are learned, because rows
   * are replayed by requests.
   *
   * @return whether a request is learned to its end
   */
  private boolean learn(LearnTask task, long end) {
    int left = task.left();
    try {
      long start = System.nanoTime();
      traffic.learned(task.learn(learning, end));
      snapshots.learned(System.nanoTime() - start);
    } catch (Throwable wrong) {
      inbox.learned(left - task.left());
      fail(wrong, task.batch().first() - 1);
      return false;
    }
    inbox.learned(left - task.left());
    publisher.dirty();
    if (task.left() > 0) {
      return false;
    }
    attempt(PUBLISHING, () -> publisher.publishIfDue(learning));
    task.complete();
    return true;
  }

  /** What only reads the learner may fail without harm to it, and is done again later. */
  private void attempt(String what, Runnable work) {
    try {
      work.run();
      troubles.remove(what);
    } catch (Throwable wrong) {
      tell(what, wrong);
    }
  }

  private void fail(Throwable wrong, long last) {
    state = State.FAILED;
    tell(LEARNING, wrong);
    Problem problem =
        new Problem(
            500,
            "learning failed; the rows are on disk and are learned when the model is made again:"
                + " send them again only with the same Idempotency-Key");
    inbox.abort(problem);
    host.restart(this, last);
  }

  private void tell(String what, Throwable wrong) {
    failures.incrementAndGet();
    String detail = what + " failed: " + wrong;
    troubles.put(what, detail);
    host.log().write("failure", Map.of("model", name(), "detail", detail));
  }

  /** Makes the learner again, up to the row before those that wait. */
  void restart(Recovery recovery, long last) throws IOException {
    start(recovery.recover(entry, spec, last, sequence -> {}));
    host.log().write("restart", Map.of("model", name(), "sequence", last));
  }

  /** Notes that the learner could not be made from the store. */
  void failedAgain(Throwable wrong) {
    tell(LEARNING, wrong);
    inbox.abort(failed());
  }

  /** Follows the learner that leads, and publishes and snapshots what is due; called often. */
  void tick() {
    if (state != State.READY || !inbox.isEmpty()) {
      return;
    }
    ServedModel ahead = leader;
    if (ahead != null && ahead.published().sequence() > published().sequence()) {
      inbox.readTo(ahead.published().sequence());
      seat.wake();
    }
    if (publisher.isDirty() || snapshots.sequence() < published().sequence()) {
      enqueue(new Errand<>(this::keepUp, new CompletableFuture<>()));
    }
  }

  private Void keepUp(Learning now) {
    attempt(PUBLISHING, () -> publisher.publishIfDue(now));
    attempt(SNAPSHOT, () -> snapshots.takeIfDue(now));
    return null;
  }

  /**
   * Learns all that is under way, publishes it, and takes a snapshot if rows came since the last.
   */
  CompletableFuture<Void> finish() {
    if (state != State.READY) {
      return CompletableFuture.completedFuture(null);
    }
    return errand(
            now -> {
              publisher.publish(now);
              return snapshots.takeIfNew(now);
            })
        .thenCompose(taken -> taken);
  }

  /** Completes when a version holds all that is under way now. */
  CompletableFuture<Void> keep() {
    checkLearns();
    return finish();
  }

  /** The bytes of the learner, when it has learned all that is under way now. */
  CompletableFuture<byte[]> export() {
    return whenLearned(now -> now.pipeline().toBytes());
  }

  /** Completes when all that is under way now is learned and published. */
  CompletableFuture<Published> settled() {
    return whenLearned(
        now -> {
          publisher.publish(now);
          return published();
        });
  }

  private <T> CompletableFuture<T> whenLearned(Errand.Work<T> work) {
    checkLearns();
    return errand(work);
  }

  private <T> CompletableFuture<T> errand(Errand.Work<T> work) {
    CompletableFuture<T> done = new CompletableFuture<>();
    enqueue(new Errand<>(work, done));
    return done;
  }

  private void enqueue(Errand<?> errand) {
    inbox.add(errand);
    seat.wake();
  }
}
