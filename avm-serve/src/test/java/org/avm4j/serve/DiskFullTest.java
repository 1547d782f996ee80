package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk of a few megabytes: a file system in memory, which only root may mount. */
class DiskFullTest {
  @TempDir Path folder;
  private Path disk;
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    disk = Files.createDirectories(folder.resolve("disk"));
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk.toString()) == 0;
    assumeTrue(isMounted, "no small file system can be mounted here");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      run("umount", "-l", disk.toString());
    }
  }

  private static int run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    } catch (IOException absent) {
      return -1;
    }
  }

  @Test
  void learningAnswers507AndGoesOnWhenThereIsSpace() throws Exception {
    Path ballast = disk.resolve("ballast");
    Files.write(ballast, new byte[2 << 20]);
    long acknowledged;
    try (Service service = new Service(disk.resolve("data"))) {
      service.client.create(
          "m", Map.of("task", "binary", "gamma", 2, "delta", 0.3, "lambda", 0.001));
      acknowledged = fill(service);
      assertThat(service.settled("m", acknowledged)).containsEntry("sequence", acknowledged);
      assertThat(service.get("/health").status()).isEqualTo(503);
      assertThat(service.get("/health").body()).contains("no space left", "\"ready\":true");
      assertThat(service.get("/v2/health/ready").status()).isEqualTo(200);
      assertThat(service.get("/metrics").body()).contains("avm_store_full 1");
      assertThat((List<?>) service.client.predict("m", ApiTest.rows(3, 1)).get("predictions"))
          .hasSize(3);
      Files.delete(ballast);
      while (service.get("/health").status() != 200) {
        Thread.sleep(20);
      }
      assertThat(service.get("/metrics").body()).contains("avm_store_full 0");
      service.client.learn("m", ApiTest.rows(100, 3), null);
      acknowledged += 100;
      service.settled("m", acknowledged);
    }
    try (Service service = new Service(disk.resolve("data"))) {
      assertThat(service.client.model("m")).containsEntry("sequence", acknowledged);
    }
  }

  @Test
  void aFolderThatCanOnlyBeReadIsRefusedInASentence() throws Exception {
    Path data = disk.resolve("data");
    try (Service service = new Service(data)) {
      service.client.create("m", Map.of());
    }
    assumeTrue(run("mount", "-o", "remount,ro", disk.toString()) == 0, "cannot be remounted");
    assertThatThrownBy(() -> new Service(data))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(data.toString())
        .hasMessageContaining("Read-only");
    run("mount", "-o", "remount,rw", disk.toString());
    try (Service service = new Service(data)) {
      assertThat(service.client.models()).hasSize(1);
    }
  }

  /** Sends rows until the disk is full, and returns how many were acknowledged. */
  private static long fill(Service service) throws IOException {
    long acknowledged = 0;
    for (int i = 0; i < 200; i++) {
      List<Map<String, Object>> rows = new ArrayList<>(ApiTest.rows(500, i));
      try {
        service.client.learn("m", rows, null);
        acknowledged += rows.size();
      } catch (AvmServiceException full) {
        assertThat(full.status()).isEqualTo(507);
        assertThatThrownBy(() -> service.client.learn("m", rows, null))
            .isInstanceOf(AvmServiceException.class)
            .hasMessageContaining("no space left");
        return acknowledged;
      }
    }
    throw new AssertionError("the disk never was full");
  }
}
