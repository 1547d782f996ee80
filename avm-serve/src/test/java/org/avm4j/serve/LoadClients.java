package org.avm4j.serve;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Clients that send prepared requests to a service as fast as they can, or at a given rate. */
final class LoadClients {
  private final URI service;
  private final HttpClient http = HttpClient.newHttpClient();
  private final AvmClient api;
  private final AtomicLong lastAcknowledged = new AtomicLong();

  LoadClients(URI service) {
    this.service = service;
    api = new AvmClient(service);
  }

  AvmClient api() {
    return api;
  }

  /** The highest sequence number of a reply so far. */
  long lastAcknowledged() {
    return lastAcknowledged.get();
  }

  /** Bodies of requests with rows. */
  static List<byte[]> bodies(List<Map<String, Object>> rows, int each) {
    List<byte[]> bodies = new ArrayList<>();
    for (int from = 0; from < rows.size(); from += each) {
      bodies.add(JsonValues.bytes(rows.subList(from, Math.min(rows.size(), from + each))));
    }
    return bodies;
  }

  /**
   * Sends a request again while the service is busy or loading.
   *
   * @return the sequence number of the reply, 0 if it has none
   */
  long sendUntilTaken(String path, byte[] body) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service + path))
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      while (response.statusCode() == 429 || response.statusCode() == 503) {
        Thread.sleep(1);
        response = http.send(request, BodyHandlers.ofByteArray());
      }
      if (response.statusCode() != 200) {
        throw new IllegalStateException(new String(response.body()));
      }
      Object number = JsonValues.object(response.body()).get("sequence");
      long sequence = number == null ? 0 : ((Number) number).longValue();
      lastAcknowledged.accumulateAndGet(sequence, Math::max);
      return sequence;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Sends one request after the other until it is over. */
  void hurry(String path, List<byte[]> bodies, BooleanSupplier isOver) {
    for (int i = 0; !isOver.getAsBoolean(); i++) {
      sendUntilTaken(path, bodies.get(i % bodies.size()));
    }
  }

  void pace(double aSecond, long millis, String path, List<byte[]> bodies, Latencies into) {
    pace(aSecond, millis, List.of(path), bodies, into);
  }

  /**
   * Sends requests at a rate. A time counts from the moment at which a request was due, so that one
   * slow reply counts for all that waited behind it.
   */
  void pace(double aSecond, long millis, List<String> paths, List<byte[]> bodies, Latencies into) {
    long start = System.nanoTime();
    for (int i = 0; i < aSecond * millis / 1000; i++) {
      long due = start + (long) (i * 1e9 / aSecond);
      await(due);
      sendUntilTaken(paths.get(i % paths.size()), bodies.get(i % bodies.size()));
      into.add(System.nanoTime() - due);
    }
  }

  private static void await(long due) {
    try {
      for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
        Thread.sleep(left / 1_000_000, (int) (left % 1_000_000));
      }
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  /** Runs things side by side for some time. */
  @SafeVarargs
  final void during(long millis, Consumer<BooleanSupplier>... all) throws InterruptedException {
    long end = System.nanoTime() + millis * 1_000_000;
    AtomicReference<Throwable> failure = new AtomicReference<>();
    BooleanSupplier isOver = () -> System.nanoTime() > end || failure.get() != null;
    List<Thread> threads = new ArrayList<>();
    for (Consumer<BooleanSupplier> each : all) {
      threads.add(
          new Thread(
              () -> {
                try {
                  each.accept(isOver);
                } catch (Throwable failed) {
                  failure.set(failed);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new IllegalStateException(failure.get());
    }
  }

  /** Times of requests, of one thread. */
  static final class Latencies {
    private final List<Long> nanos = new ArrayList<>();

    void add(long each) {
      nanos.add(each);
    }

    double percentile(double share) {
      long[] sorted = nanos.stream().mapToLong(each -> each).toArray();
      Arrays.sort(sorted);
      return sorted[(int) Math.ceil(share * sorted.length) - 1] / 1e6;
    }

    @Override
    public String toString() {
      return nanos.isEmpty()
          ? "never"
          : "%d times, median %.1f ms, 99th percentile %.1f ms, longest %.1f ms"
              .formatted(nanos.size(), percentile(0.5), percentile(0.99), percentile(1));
    }
  }
}
