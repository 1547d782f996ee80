package org.avm4j.serve;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32C;

/**
 * The threads of a service and their time, as a seed has it. There is one real thread. It does the
 * tasks of all simulated ones in an order that is drawn, and at drawn {@linkplain
 * InterruptionPoints points} within a task it does tasks of other threads first, as if the
 * scheduler had interrupted it there. Time passes when somebody looks at the clock, or when there
 * is nothing else to do.
 */
final class SimulatedThreads extends Clock {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  /** Tasks that may be interrupted at a time. */
  private static final int MAX_DEPTH = 3;

  /** A run that takes more steps than this does not end. */
  private static final long MAX_STEPS = 2_000_000;

  /** Time that passes at most between two looks at the clock. */
  private static final long LOOK_NANOS = 200_000;

  /** A stall, as by a busy machine: up to half a minute, once in this number of looks. */
  private static final int STALL_LOOKS = 1_000;

  private static final long STALL_NANOS = 30_000_000_000L;

  private final Random random;
  private final int calm;
  private final List<Lane> lanes = new ArrayList<>();
  private final PriorityQueue<Timer<?>> timers = new PriorityQueue<>();
  private final CRC32C trace = new CRC32C();
  private long nanos;
  private long steps;
  private long numbers;
  private int depth;

  SimulatedThreads(long seed) {
    random = new Random(seed);
    calm = 1 << random.nextInt(14);
  }

  /** Threads that share a queue. */
  Lane lane(String name, int threads) {
    Lane lane = new Lane(name, threads);
    lanes.add(lane);
    return lane;
  }

  Workers workers() {
    return new Workers(lane("learn", 2), lane("load", 1), lane("clock", 1), this::nanoTime);
  }

  private long nanoTime() {
    boolean isStalled = random.nextInt(STALL_LOOKS) == 0;
    nanos += (long) (random.nextDouble() * (isStalled ? STALL_NANOS : LOOK_NANOS));
    point();
    return nanos;
  }

  @Override
  public Instant instant() {
    return START.plusNanos(nanos);
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }

  /** Adds to what two runs of a seed must have in common. */
  void trace(String step) {
    trace.update((step + nanos).getBytes(StandardCharsets.UTF_8));
  }

  /** A number that stands for all steps. */
  long fingerprint() {
    return trace.getValue();
  }

  /** Where a thread may be interrupted. */
  void point() {
    if (depth > 0 && depth < MAX_DEPTH && random.nextInt(calm) == 0) {
      runOne();
    }
  }

  /** Runs until something is the case. */
  void run(BooleanSupplier isDone) {
    while (!isDone.getAsBoolean()) {
      if (!runOne()) {
        if (timers.isEmpty()) {
          throw new AssertionError("there is nothing to do, and something is not done");
        }
        nanos = Math.max(nanos, timers.peek().at);
      }
      if (++steps > MAX_STEPS) {
        throw new AssertionError("the run does not end");
      }
    }
  }

  private boolean runOne() {
    while (!timers.isEmpty() && timers.peek().at <= nanos) {
      Timer<?> due = timers.remove();
      due.lane.tasks.add(due);
    }
    List<Lane> ready = lanes.stream().filter(Lane::isReady).toList();
    if (ready.isEmpty()) {
      return false;
    }
    ready.get(random.nextInt(ready.size())).runOne();
    return true;
  }

  /** Simulated threads that share a queue. */
  final class Lane extends AbstractExecutorService implements ScheduledExecutorService {
    private final String name;
    private final int threads;
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private int working;
    private boolean isShutdown;

    private Lane(String name, int threads) {
      this.name = name;
      this.threads = threads;
    }

    private boolean isReady() {
      return working < threads && !tasks.isEmpty();
    }

    private void runOne() {
      Runnable task = tasks.remove();
      trace(name);
      working++;
      depth++;
      try {
        task.run();
      } finally {
        working--;
        depth--;
      }
    }

    @Override
    public void execute(Runnable task) {
      if (isShutdown) {
        throw new RejectedExecutionException();
      }
      tasks.add(task);
    }

    /** Draws when a task is done, within a time. */
    void executeWithin(int millis, Runnable task) {
      schedule(task, random.nextInt(millis), TimeUnit.MILLISECONDS);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      return schedule(Executors.callable(task), delay, unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
      Timer<V> timer = new Timer<>(this, task, nanos + unit.toNanos(delay), ++numbers);
      timers.add(timer);
      return timer;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable task, long initialDelay, long delay, TimeUnit unit) {
      return schedule(
          () -> {
            task.run();
            scheduleWithFixedDelay(task, delay, delay, unit);
          },
          initialDelay,
          unit);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(
        Runnable task, long initialDelay, long period, TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void shutdown() {
      isShutdown = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown();
      tasks.clear();
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return isShutdown;
    }

    @Override
    public boolean isTerminated() {
      return isShutdown && tasks.isEmpty();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      while (!tasks.isEmpty()) {
        runOne();
      }
      return true;
    }
  }

  private static final class Timer<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final Lane lane;
    private final long at;
    private final long number;

    Timer(Lane lane, Callable<V> task, long at, long number) {
      super(task);
      this.lane = lane;
      this.at = at;
      this.number = number;
    }

    /** A task that throws is a bug, which must not pass in silence. */
    @Override
    protected void setException(Throwable bug) {
      throw new AssertionError(bug);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      Timer<?> timer = (Timer<?>) other;
      return at == timer.at ? Long.compare(number, timer.number) : Long.compare(at, timer.at);
    }
  }
}
