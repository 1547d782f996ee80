package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.avm4j.Features;
import org.avm4j.data.Row;
import org.avm4j.serve.ServedRow.PastAnswer;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreTest {
  @TempDir Path folder;

  private Store open() throws IOException {
    return Store.open(folder, StoreLimits.DEFAULT, Clock.systemUTC());
  }

  private static ServedRow row(double x, Object label, String id) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("x", x);
    return new ServedRow(Row.named(values, label), id, Purpose.LEARN, null);
  }

  private static RowStore.Request request(String key) {
    return new RowStore.Request("", key, new byte[] {1});
  }

  private static List<ServedRow> learned(Store store, long model) throws IOException {
    List<ServedRow> rows = new ArrayList<>();
    StoredRows.replay(store, model, 0, batch -> rows.addAll(batch.rows()));
    return rows;
  }

  @Test
  void rowsOfEveryKindComeBackAsTheyWere() throws DamageException {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("a", 1L);
    values.put("b", 0.1);
    values.put("c", "ü€\n");
    values.put("d", null);
    values.put("e", true);
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("a", "007");
    Features sparse = Features.sparse(new int[] {3, 99}, new double[] {-1e300, 4e-320});
    List<ServedRow> rows =
        List.of(
            new ServedRow(Row.named(values, "yes").with("yes", 2.5), "id", Purpose.OBSERVE, null),
            new ServedRow(new Row(new Row.Texts(texts), null, 1), null, Purpose.LEARN, null),
            new ServedRow(Row.indexed(sparse, -1.0), null, Purpose.LEARN, null),
            new ServedRow(Row.indexed(Features.dense(1, 0, 0), 7L), null, Purpose.LEARN, null));
    assertThat(RowCodec.decode(RowCodec.encode(rows))).isEqualTo(rows);
    PastAnswer given = new PastAnswer(1, new double[] {0.5, -0.5}, 12, 0, false);
    ServedRow complete = new ServedRow(Row.named(values, 1L), "x", Purpose.COMPLETE, given);
    ServedRow back = RowCodec.decode(RowCodec.encode(List.of(complete))).get(0);
    assertThat(back.pastAnswer().scores()).isEqualTo(given.scores());
    assertThat(back.pastAnswer().sequence()).isEqualTo(12);
    assertThat(back.pastAnswer().learner()).isZero();
    ServedRow byAnother = complete.answered(new PastAnswer(1, new double[] {0.5}, 12, 3, false));
    ServedRow again = RowCodec.decode(RowCodec.encode(List.of(byAnother, complete))).get(0);
    assertThat(again.pastAnswer().learner()).isEqualTo(3);
    assertThat(again.pastAnswer().isFar()).isFalse();
    for (long learner : List.of(0L, 3L)) {
      ServedRow far = complete.answered(new PastAnswer(1, new double[] {0.5}, 12, learner, true));
      ServedRow farAgain = RowCodec.decode(RowCodec.encode(List.of(far))).get(0);
      assertThat(farAgain.pastAnswer().isFar()).isTrue();
      assertThat(farAgain.pastAnswer().learner()).isEqualTo(learner);
    }
  }

  @Test
  void aFlippedBitInRowsIsFound() {
    byte[] bytes = RowCodec.encode(List.of(row(1, 2L, "a"), row(3, 4L, "b")));
    for (int i = 0; i < bytes.length; i++) {
      byte[] flipped = bytes.clone();
      flipped[i] ^= 16;
      assertThatThrownBy(() -> RowCodec.decode(flipped)).isInstanceOf(DamageException.class);
    }
  }

  @Test
  void rowsAreNumberedInOrderAndARequestIsWrittenOnce() throws IOException {
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      List<Long> told = new ArrayList<>();
      store
          .rows()
          .append(model, request("k"), List.of(row(1, 1L, null)), batch -> told.add(batch.first()))
          .join();
      RowStore.Receipt again =
          store
              .rows()
              .append(model, request("k"), List.of(row(1, 1L, null)), b -> told.add(-1L))
              .join();
      store
          .rows()
          .append(
              model, null, List.of(row(2, 1L, null), row(3, 1L, null)), b -> told.add(b.first()))
          .join();
      assertThat(again.isRepeated()).isTrue();
      assertThat(again.sequence()).isEqualTo(1);
      assertThat(told).containsExactly(1L, 2L);
      assertThat(learned(store, model)).hasSize(3);
    }
    try (Store store = open()) {
      assertThat(learned(store, store.models().get(0).id())).hasSize(3);
      assertThat(store.models().get(0).next()).isEqualTo(4);
    }
  }

  @Test
  void aRowWithAKnownIdIsLeftOut() throws IOException {
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      List<ServedRow> rows = List.of(row(1, 1L, "a"), row(2, 1L, "a"), row(3, 1L, "b"));
      RowStore.Receipt receipt = store.rows().append(model, null, rows, b -> {}).join();
      assertThat(receipt.duplicates()).isEqualTo(1);
      assertThat(learned(store, model)).containsExactly(rows.get(0), rows.get(2));
    }
  }

  @Test
  void manyRequestsShareACommit() throws IOException {
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      List<CompletableFuture<RowStore.Receipt>> all = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        all.add(store.rows().append(model, null, List.of(row(i, 1L, null)), b -> {}));
      }
      all.forEach(CompletableFuture::join);
      assertThat(store.committer().commits()).isLessThan(1000);
      assertThat(learned(store, model)).hasSize(2000);
    }
  }

  @Test
  void aPredictionWaitsForItsLabelAndTheFirstAnswerStays() throws IOException {
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      ServedRow asked =
          row(1, null, "p").answered(new PastAnswer(1, new double[] {0.25}, 0, 0, false));
      store.rows().keep(model, "", 100, List.of(asked), null).join();
      ServedRow later =
          row(1, null, "p").answered(new PastAnswer(0, new double[] {-9}, 5, 0, false));
      assertThat(
              store
                  .rows()
                  .keep(model, "", 100, List.of(later), null)
                  .join()
                  .get("p")
                  .pastAnswer()
                  .label())
          .isEqualTo(1);
      assertThat(store.rows().pending(model)).isEqualTo(1);
      List<RowStore.Labelled> labels =
          List.of(new RowStore.Labelled("p", "yes", 1), new RowStore.Labelled("q", "no", 1));
      RowStore.Receipt receipt = store.rows().label(model, null, labels, b -> {}).join();
      assertThat(receipt.unknown()).containsExactly("q");
      assertThat(store.rows().label(model, null, labels, b -> {}).join().duplicates()).isEqualTo(1);
      List<ServedRow> rows = learned(store, model);
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).pastAnswer().scores()).containsExactly(0.25);
      assertThat(rows.get(0).row().label()).isEqualTo("yes");
      assertThat(store.rows().pending(model)).isZero();
    }
  }

  @Test
  void predictionsThatWaitAreBoundedInNumberAndAge() throws IOException {
    MovableClock clock = new MovableClock();
    StoreLimits limits = StoreLimits.DEFAULT.withPending(3, Duration.ofHours(1));
    try (Store store = Store.open(folder, limits, clock)) {
      long model = store.create("m", "{}", null).join().id();
      for (int i = 0; i < 5; i++) {
        ServedRow asked =
            row(1, null, "p" + i).answered(new PastAnswer(1, new double[] {1}, 0, 0, false));
        store.rows().keep(model, "", 3, List.of(asked), null).join();
      }
      assertThat(store.rows().pending(model)).isEqualTo(3);
      RowStore.Labelled oldest = new RowStore.Labelled("p0", 1L, 1);
      assertThat(store.rows().label(model, null, List.of(oldest), b -> {}).join().unknown())
          .containsExactly("p0");
      clock.now = clock.now.plus(Duration.ofHours(2));
      store.rows().prune(model, null).join();
      assertThat(store.rows().pending(model)).isZero();
    }
  }

  /**
   * They are rows like any others then: they have a number, and are learned again after a crash.
   */
  @Test
  void predictionsWhoseLabelNeverCameBecomeRowsWithoutOne() throws IOException {
    MovableClock clock = new MovableClock();
    StoreLimits limits = StoreLimits.DEFAULT.withPending(3, Duration.ofHours(1));
    try (Store store = Store.open(folder, limits, clock)) {
      long model = store.create("m", "{}", null).join().id();
      List<RowStore.Batch> told = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        ServedRow asked =
            row(i, null, "p" + i).answered(new PastAnswer(1, new double[] {1}, 0, 0, false));
        store.rows().keep(model, "", 3, List.of(asked), told::add).join();
      }
      assertThat(told.stream().map(RowStore.Batch::first)).containsExactly(1L, 2L);
      store.rows().append(model, null, List.of(row(9, 1L, null)), told::add).join();
      clock.now = clock.now.plus(Duration.ofHours(2));
      store.rows().prune(model, told::add).join();
      assertThat(told.get(3).rows()).hasSize(3);
      assertThat(told.get(3).first()).isEqualTo(4);
      assertThat(store.rows().pending(model)).isZero();
      assertThat(learned(store, model).stream().map(one -> one.row().label()))
          .containsExactly(null, null, 1L, null, null, null);
      store.rows().prune(model, told::add).join();
      assertThat(told).hasSize(4);
    }
  }

  @Test
  void aPredictionWhoseRowWasLearnedIsNotObserved() throws IOException {
    MovableClock clock = new MovableClock();
    StoreLimits limits = StoreLimits.DEFAULT.withPending(1000, Duration.ofHours(1));
    try (Store store = Store.open(folder, limits, clock)) {
      long model = store.create("m", "{}", null).join().id();
      List<ServedRow> asked = new ArrayList<>();
      for (int i = 0; i < 700; i++) {
        asked.add(row(i, null, "p" + i).answered(new PastAnswer(1, new double[] {1}, 0, 0, false)));
      }
      store.rows().keep(model, "", 1000, asked, null).join();
      store.rows().append(model, null, List.of(row(0, 1L, "p0")), b -> {}).join();
      clock.now = clock.now.plus(Duration.ofHours(2));
      List<RowStore.Batch> told = new ArrayList<>();
      store.rows().prune(model, told::add).join();
      assertThat(told).hasSize(1);
      assertThat(told.get(0).rows()).hasSize(500).noneMatch(one -> one.id().equals("p0"));
      assertThat(store.rows().pending(model)).isZero();
    }
  }

  @Test
  void onlyWhatIsOldIsForgotten() throws IOException {
    MovableClock clock = new MovableClock();
    Duration hour = Duration.ofHours(1);
    StoreLimits limits = new StoreLimits(hour, 100, hour, 100, hour);
    try (Store store = Store.open(folder, limits, clock)) {
      List<Long> models = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        models.add(store.create(name, "{}", null).join().id());
      }
      for (String age : List.of("old", "young")) {
        for (long model : models) {
          for (String owner : List.of("one", "two")) {
            ServedRow asked =
                row(1, null, age + owner)
                    .answered(new PastAnswer(1, new double[] {1}, 0, 0, false));
            store.rows().keep(model, owner, 100, List.of(asked), null).join();
          }
          store
              .rows()
              .append(model, request(age), List.of(row(1, 1L, age + " id")), b -> {})
              .join();
        }
        clock.now = clock.now.plus(Duration.ofMinutes(40));
      }
      store.rows().prune(models.get(0), null).join();
      assertThat(store.rows().pending(models.get(0))).isEqualTo(2);
      assertThat(store.rows().pending(models.get(1))).isEqualTo(4);
      assertThat(isRepeated(store, models.get(0), "young")).isTrue();
      assertThat(isRepeated(store, models.get(0), "old")).isFalse();
      assertThat(isRepeated(store, models.get(1), "old")).isTrue();
      for (String owner : List.of("one", "two")) {
        RowStore.Labelled young = new RowStore.Labelled("young" + owner, 1L, 1);
        assertThat(
                store.rows().label(models.get(0), null, List.of(young), b -> {}).join().unknown())
            .isEmpty();
      }
    }
  }

  private static boolean isRepeated(Store store, long model, String key) {
    return store
        .rows()
        .append(model, request(key), List.of(row(1, 1L, key + " id")), b -> {})
        .join()
        .isRepeated();
  }

  @Test
  void rowsOfAClockThatWasWrongAreDroppedAsWell() throws IOException {
    MovableClock clock = new MovableClock();
    clock.now = clock.now.plus(Duration.ofDays(400));
    StoreLimits limits = StoreLimits.DEFAULT.withRows(Duration.ofHours(1));
    try (Store store = Store.open(folder, limits, clock)) {
      Store.Entry entry = store.create("m", "{}", null).join();
      store.rows().append(entry.id(), null, List.of(row(1, 1L, null)), b -> {}).join();
    }
    clock.now = clock.now.minus(Duration.ofDays(400));
    try (Store store = Store.open(folder, limits, clock)) {
      Store.Entry entry = store.models().get(0);
      store.rows().append(entry.id(), null, List.of(row(2, 1L, null)), b -> {}).join();
      clock.now = clock.now.plus(Duration.ofHours(2));
      store.rows().append(entry.id(), null, List.of(row(3, 1L, null)), b -> {}).join();
      for (int i = 0; i < 2; i++) {
        store.versions().add(entry, 3, "{}", new byte[] {1}).join();
      }
      assertThat(store.rows().batch(entry.id(), 1)).isNull();
      assertThat(store.rows().batch(entry.id(), 2)).isNull();
      assertThat(store.rows().batch(entry.id(), 3)).isNotNull();
    }
  }

  @Test
  void aClockThatGoesBackChangesNothing() throws IOException {
    MovableClock clock = new MovableClock();
    try (Store store = Store.open(folder, StoreLimits.DEFAULT, clock)) {
      long model = store.create("m", "{}", null).join().id();
      long before = store.now();
      clock.now = clock.now.minus(Duration.ofDays(400));
      assertThat(store.now()).isEqualTo(before);
      store.rows().append(model, null, List.of(row(1, 1L, null)), b -> {}).join();
      store.rows().prune(model, null).join();
      assertThat(learned(store, model)).hasSize(1);
    }
  }

  @Test
  void rowsArePrunedOnlyWhenTwoSnapshotsHoldThem() throws IOException {
    StoreLimits limits = StoreLimits.DEFAULT.withRows(Duration.ZERO);
    try (Store store = Store.open(folder, limits, Clock.systemUTC())) {
      Store.Entry entry = store.create("m", "{}", null).join();
      long model = entry.id();
      for (int i = 1; i <= 3; i++) {
        store.rows().append(model, null, List.of(row(i, 1L, null)), b -> {}).join();
        store.versions().add(entry, i, "{}", new byte[] {(byte) i}).join();
      }
      assertThat(store.versions().list(entry))
          .extracting(Version::sequence)
          .containsExactly(3L, 2L, 1L);
      List<ServedRow> kept = new ArrayList<>();
      StoredRows.replay(store, model, 2, batch -> kept.addAll(batch.rows()));
      assertThat(kept).hasSize(1);
      assertThatThrownBy(() -> learned(store, model)).isInstanceOf(DamageException.class);
    }
  }

  @Test
  void onlyOneOwnsAFolder() throws IOException {
    try (Store store = open()) {
      assertThatThrownBy(this::open).hasMessageContaining("another avm serve is using this folder");
      assertThat(store.models()).isEmpty();
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsRefusedInASentence() throws IOException {
    Path file = folder.resolve("file");
    Files.writeString(file, "no folder");
    assertThatThrownBy(() -> Store.open(file, StoreLimits.DEFAULT, Clock.systemUTC()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("file");
  }

  @Test
  void anOnlineCopyHoldsWhatWasThere() throws IOException {
    Path copy = folder.resolve("other").resolve(StoreFolder.FILE);
    Files.createDirectories(copy.getParent());
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      store.rows().append(model, null, List.of(row(1, 1L, null)), b -> {}).join();
      StoreFolder.backup(folder, copy, () -> false);
      store.rows().append(model, null, List.of(row(2, 1L, null)), b -> {}).join();
    }
    try (Store copied = Store.open(copy.getParent(), StoreLimits.DEFAULT, Clock.systemUTC())) {
      assertThat(learned(copied, copied.models().get(0).id())).hasSize(1);
    }
  }

  /** Leaves a store as a killed process would: with a write-ahead log. */
  private Path killed(int batches) throws IOException {
    Path left = folder.resolve("left");
    Files.createDirectories(left);
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      for (int i = 0; i < batches; i++) {
        List<ServedRow> rows = new ArrayList<>();
        for (int j = 0; j < 20; j++) {
          rows.add(row(20 * i + j, 1L, null));
        }
        store.rows().append(model, null, rows, b -> {}).join();
      }
      for (String name : List.of(StoreFolder.FILE, StoreFolder.FILE + "-wal", StoreFolder.MARK)) {
        Files.copy(folder.resolve(name), left.resolve(name));
      }
    }
    return left;
  }

  private static void cut(Path file, double part) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength((long) (bytes.length() * part));
    }
  }

  private static void flip(Path file, long seed, int times) throws IOException {
    Random random = new Random(seed);
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      for (int i = 0; i < times; i++) {
        long at = (long) (random.nextDouble() * bytes.length());
        bytes.seek(at);
        int old = bytes.read();
        bytes.seek(at);
        bytes.write(old ^ 0x55);
      }
    }
  }

  private static long countAfterRepair(Path left, List<String> report) throws IOException {
    AvmServer.repair(left, report::add);
    try (Store store = Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC())) {
      return store.models().isEmpty() ? 0 : learned(store, store.models().get(0).id()).size();
    }
  }

  @Test
  void aLogThatWasCutShortIsNoticedAndRepairGoesOnWithoutItsEnd() throws IOException {
    Path left = killed(60);
    cut(left.resolve(StoreFolder.FILE + "-wal"), 0.5);
    assertThatThrownBy(() -> Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC()))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("acknowledged transactions are missing");
    List<String> report = new ArrayList<>();
    assertThat(countAfterRepair(left, report)).isBetween(1L, 1199L);
    assertThat(report).anyMatch(line -> line.contains("damaged-1.db"));
  }

  @Test
  void aLogWithAFlippedByteIsNoticed() throws IOException {
    Path left = killed(60);
    flip(left.resolve(StoreFolder.FILE + "-wal"), 3, 1);
    assertThatThrownBy(() -> Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC()))
        .isInstanceOf(DamageException.class);
  }

  @Test
  void aDamagedFileIsNoticedOrHarmlessAndRepairSaysWhatItGivesUp() throws IOException {
    try (Store store = open()) {
      long model = store.create("m", "{}", null).join().id();
      for (int i = 0; i < 200; i++) {
        List<ServedRow> rows = new ArrayList<>();
        for (int j = 0; j < 20; j++) {
          rows.add(row(20 * i + j, 1L, null));
        }
        store.rows().append(model, null, rows, b -> {}).join();
      }
    }
    byte[] whole = Files.readAllBytes(folder.resolve(StoreFolder.FILE));
    for (int seed = 0; seed < 15; seed++) {
      Path left = Files.createDirectories(folder.resolve("left" + seed));
      Files.write(left.resolve(StoreFolder.FILE), whole);
      flip(left.resolve(StoreFolder.FILE), seed, 3);
      assertNoticedOrHarmless(left);
    }
  }

  private static void assertNoticedOrHarmless(Path left) throws IOException {
    try (Store store = Store.open(left, StoreLimits.DEFAULT, Clock.systemUTC())) {
      assertThat(learned(store, store.models().get(0).id())).hasSize(4000);
    } catch (DamageException noticed) {
      List<String> report = new ArrayList<>();
      try {
        long saved = countAfterRepair(left, report);
        assertThat(saved == 4000 || report.stream().anyMatch(line -> line.contains("lost")))
            .isTrue();
      } catch (DamageException nothing) {
        assertThat(nothing).hasMessageContaining("cannot be");
      }
    }
  }

  @Test
  void aFileThatIsNoDatabaseIsRefused() throws IOException {
    Files.writeString(folder.resolve(StoreFolder.FILE), "this is no database at all, it is a text");
    assertThatThrownBy(this::open).isInstanceOf(DamageException.class);
  }
}
