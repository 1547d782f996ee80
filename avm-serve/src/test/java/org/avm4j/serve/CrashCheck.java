package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.avm4j.serve.SimulatedWorkload.Operation;

/** What a store must hold after a power failure, by the operations that were written to it. */
final class CrashCheck {
  private final List<Operation> operations;
  private final List<List<String>> texts;
  private final Map<State, byte[]> states = new ConcurrentHashMap<>();

  /**
   * A check.
   *
   * @param operations in the order of their commits
   */
  CrashCheck(List<Operation> operations) {
    this.operations = operations;
    texts = operations.stream().map(operation -> texts(operation.rows())).toList();
  }

  /** A learner after a row; the rows of a model are the same in every store. */
  private record State(long model, long learner, long begun, long sequence) {}

  /**
   * Opens a store and checks it.
   *
   * @param acknowledged the place of the last operation that was acknowledged, or a negative number
   * @param kept the operations whose rows wait for their labels for sure
   * @param roles how often it was acknowledged that somebody else answers
   */
  void check(Path folder, int acknowledged, Set<Integer> kept, int roles) throws IOException {
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC())) {
      List<Store.Entry> learners = store.models();
      List<Store.Entry> models = learners.stream().filter(entry -> !entry.isChallenger()).toList();
      assertThat(models).extracting(Store.Entry::name).isEqualTo(SimulatedWorkload.MODELS);
      assertThat(roles(learners))
          .isIn(SimulatedWorkload.roles(roles), SimulatedWorkload.roles(roles + 1));
      int there = requests(store, models, acknowledged);
      for (Store.Entry learner : learners) {
        sameLearner(store, learner);
      }
      sendAgain(store, models, there, kept);
    }
  }

  /** Checks that whole requests are there, up to one that was at least acknowledged. */
  private int requests(Store store, List<Store.Entry> models, int acknowledged) throws IOException {
    long total = models.stream().mapToLong(model -> model.next() - 1).sum();
    int there = -1;
    List<List<String>> expected = List.of(new ArrayList<>(), new ArrayList<>());
    long count = 0;
    while (count < total && there < operations.size() - 1) {
      Operation next = operations.get(++there);
      expected.get(next.model()).addAll(texts.get(there));
      count += next.rows().size();
    }
    assertThat(there).as("the last request that is there").isGreaterThanOrEqualTo(acknowledged);
    for (int i = 0; i < models.size(); i++) {
      rows(store, models.get(i), expected.get(i));
    }
    return there;
  }

  /** Checks that the rows of a model are there, but for the first ones if versions hold them. */
  private static void rows(Store store, Store.Entry model, List<String> expected)
      throws IOException {
    assertThat(expected).as("rows of whole requests").hasSize((int) model.next() - 1);
    long dropped =
        store.read(
            database ->
                database.number(
                    "SELECT coalesce((SELECT min(first) FROM batch WHERE model = id), next) - 1"
                        + " FROM model WHERE id = ?",
                    model.id()));
    List<String> found = new ArrayList<>();
    StoredRows.replay(store, model.id(), dropped, batch -> found.addAll(texts(batch.rows())));
    assertThat(found).isEqualTo(expected.subList((int) dropped, expected.size()));
    for (Store.Entry learner : store.models()) {
      if (learner.id() == model.id() && learner.begun() < dropped) {
        List<Version> versions = store.versions().list(learner);
        assertThat(versions).as("versions that hold dropped rows").hasSizeGreaterThan(1);
        assertThat(versions.get(1).sequence()).isGreaterThanOrEqualTo(dropped);
      }
    }
  }

  private static List<String> texts(List<ServedRow> rows) {
    return rows.stream()
        .map(row -> HexFormat.of().formatHex(RowCodec.encode(List.of(row))))
        .toList();
  }

  private static String roles(List<Store.Entry> learners) {
    Store.Entry leader = learners.get(0);
    boolean isChallenged = learners.size() > SimulatedWorkload.MODELS.size();
    return (isChallenged ? "challenged " : "")
        + leader.learner()
        + (leader.champion() > 0 ? " pinned" : "");
  }

  /** Checks that a learner and its versions are what follows from the rows. */
  private void sameLearner(Store store, Store.Entry entry) throws IOException {
    List<Version> versions = store.versions().list(entry);
    assertThat(versions).hasSizeLessThanOrEqualTo(VersionTransaction.KEPT);
    if (entry.champion() > 0 && !entry.isChallenger()) {
      assertThat(versions).extracting(Version::number).contains(entry.champion());
    }
    List<Map.Entry<State, byte[]>> found = new ArrayList<>();
    for (Version version : versions) {
      byte[] body = store.versions().body(entry, version.number());
      found.add(Map.entry(state(entry, version.sequence()), body));
    }
    Learning recovered =
        new Recovery(store, new ServeLog(line -> {}))
            .recover(entry, SimulatedWorkload.SPEC, entry.next() - 1, sequence -> {})
            .learning();
    found.add(Map.entry(state(entry, recovered.sequence()), recovered.toBytes()));
    assertThat(recovered.sequence()).isEqualTo(entry.next() - 1);
    learn(entry, found.stream().map(Map.Entry::getKey).toList());
    found.forEach(each -> assertThat(each.getValue()).isEqualTo(states.get(each.getKey())));
  }

  private static State state(Store.Entry entry, long sequence) {
    return new State(entry.id(), entry.learner(), entry.begun(), sequence);
  }

  /** Learns the rows of a model, unless all states are known from other stores. */
  private void learn(Store.Entry entry, List<State> wanted) {
    Set<State> missing =
        wanted.stream().filter(state -> !states.containsKey(state)).collect(Collectors.toSet());
    if (missing.isEmpty()) {
      return;
    }
    Learning learning = Learning.of(SimulatedWorkload.SPEC, entry.learner(), entry.begun());
    states.put(state(entry, entry.begun()), learning.toBytes());
    long sequence = 0;
    for (Operation each : operations) {
      if (each.model() == SimulatedWorkload.MODELS.indexOf(entry.name())) {
        sequence += each.rows().size();
        if (sequence > entry.begun()) {
          each.rows().forEach(learning::take);
        }
        if (missing.contains(state(entry, sequence))) {
          states.put(state(entry, sequence), learning.toBytes());
        }
      }
    }
  }

  /** A client that sends all again which it does not know of gets each request in once. */
  private void sendAgain(Store store, List<Store.Entry> models, int there, Set<Integer> kept) {
    int from = Math.max(0, there - 2);
    int to = Math.min(operations.size(), Math.max(there, 0) + 2);
    for (int i = from; i < to; i++) {
      Operation each = operations.get(i);
      long model = models.get(each.model()).id();
      if (each.isLate() && !kept.contains(each.number())) {
        each.keep(store, model).join();
      }
      RowStore.Receipt receipt = each.send(store, model, batch -> {}).join();
      assertThat(receipt.isRepeated()).isEqualTo(i <= there);
      assertThat(receipt.batch().rows()).hasSameSizeAs(each.rows());
      assertThat(receipt.unknown()).isEmpty();
    }
  }
}
