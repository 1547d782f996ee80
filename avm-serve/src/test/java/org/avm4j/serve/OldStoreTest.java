package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.avm4j.Features;
import org.avm4j.data.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store of the version before rows were transactions: a snapshot after 61 rows, one of which was
 * refused; four rows after it, the last by index, which a model with names refuses; a prediction
 * that waits for its label.
 */
class OldStoreTest {
  @TempDir Path folder;

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = OldStoreTest.class.getResourceAsStream("store-1/" + name)) {
      return in.readAllBytes();
    }
  }

  @Test
  void itsRowsAreReadAndWrittenWithTheSameBytes() throws IOException {
    byte[] bytes = resource("rows.bin");
    List<ServedRow> rows = RowCodec.decode(bytes);
    assertThat(rows).extracting(ServedRow::id).containsExactly("a", null, "b", null);
    assertThat(rows.get(0).row().weight()).isEqualTo(2.5);
    assertThat(rows.get(2).pastAnswer().sequence()).isEqualTo(7);
    Features sparse = Features.sparse(new int[] {1, 5}, new double[] {1, -0.5});
    assertThat(rows.get(3).row()).isEqualTo(Row.indexed(sparse, 1L));
    assertThat(RowCodec.encode(rows)).isEqualTo(bytes);
  }

  private void unpack(String store) throws IOException {
    try (InputStream in =
        new GZIPInputStream(OldStoreTest.class.getResourceAsStream(store + "/avm.db.gz"))) {
      Files.copy(in, folder.resolve(StoreFolder.FILE));
    }
  }

  /**
   * A store of the version before snapshots had numbers: two of them, after 40 and 60 rows; four
   * rows after them; a prediction that waits for its label.
   */
  @Test
  void snapshotsWithoutNumbersBecomeVersions() throws IOException {
    unpack("store-2");
    AvmServer.repair(folder, line -> {});
    Files.delete(folder.resolve(StoreFolder.FILE));
    unpack("store-2");
    for (int start = 0; start < 2; start++) {
      try (Service service = new Service(folder)) {
        List<Map<String, Object>> asked =
            List.of(Map.of("x", .2, "y", .7), Map.of("x", .9, "y", .1));
        assertThat(service.client.predict("m", asked).toString())
            .contains("sequence=64", "18.052407540380955", "31.119489576667547");
        assertThat(service.client.model("m")).containsEntry("pending", 1L);
        assertThat(service.client.versions("m").get("versions").toString())
            .contains("version=2, sequence=60", "version=1, sequence=40");
      }
    }
    try (Service service = new Service(folder)) {
      service.client.pin("m", 1);
      assertThat(service.client.predict("m", List.of(Map.of("x", 0.5, "y", 0.5))))
          .containsEntry("sequence", 40L);
      assertThat(service.client.labels("m", List.of(Map.of("id", "late", "label", "ham")), null))
          .containsEntry("rows", 1L);
    }
  }

  /** A build that is older than the store neither serves nor repairs it. */
  @Test
  void aStoreOfALaterFormatIsLeftAsItIs() throws Exception {
    try (Service service = new Service(folder)) {
      service.client.create("m", Map.of());
      service.client.learn("m", ApiTest.rows(20, 1), null);
    }
    Path file = folder.resolve(StoreFolder.FILE);
    try (Database database = Database.open(file)) {
      database.execute("PRAGMA user_version = 99");
      database.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    }
    byte[] before = Files.readAllBytes(file);
    assertThatThrownBy(() -> new Service(folder))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("has format 99, but this version of avm reads formats up to 3");
    List<String> report = new ArrayList<>();
    assertThatThrownBy(() -> AvmServer.repair(folder, report::add))
        .isInstanceOf(DamageException.class)
        .hasMessageContaining("has format 99");
    assertThat(report).isEmpty();
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
    assertThat(folder.resolve("damaged-1.db")).doesNotExist();
    assertThat(folder.resolve("repaired.tmp")).doesNotExist();
  }

  @Test
  void itIsServedAsBefore() throws IOException {
    unpack("store-1");
    for (int start = 0; start < 2; start++) {
      try (Service service = new Service(folder)) {
        Map<String, Object> model = service.client.model("m");
        assertThat(model)
            .containsEntry("sequence", 65L)
            .containsEntry("learned", 63L)
            .containsEntry("instances", 62L)
            .containsEntry("pending", 1L)
            .containsEntry("refused", 2L);
        Map<?, ?> learner = (Map<?, ?>) ((Map<?, ?>) model.get("refusals")).get("learner");
        assertThat(learner.get("counts").toString()).contains("unknown=1", "columns=1");
        assertThat(learner.get("last").toString()).contains("row 61: column 'x'", "sequence=65");
        assertThat(service.client.observe("m", ApiTest.rows(1, 1), "first"))
            .containsEntry("repeated", true);
      }
    }
    try (Service service = new Service(folder)) {
      assertThat(service.client.labels("m", List.of(Map.of("id", "late", "label", 1)), null))
          .containsEntry("rows", 1L);
      assertThat(service.settled("m", 66)).containsEntry("instances", 63L);
    }
  }
}
