package org.avm4j.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void aFile() throws IOException {
    file = folder.resolve("model.avm");
    Files.writeString(file, "old");
  }

  private List<String> names() throws IOException {
    try (var found = Files.list(folder)) {
      return found.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private Path leftover(String name) throws IOException {
    return Files.writeString(folder.resolve(name), "half");
  }

  private static long deadPid() throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process = new ProcessBuilder(java.toString(), "-Xlog:help").start();
    process.getInputStream().readAllBytes();
    process.waitFor();
    return process.pid();
  }

  @Test
  void theContentIsReplacedAndNothingElseIsLeft() throws IOException {
    AtomicFile.write(file, "new".getBytes());
    assertThat(file).hasContent("new");
    AtomicFile.write(
        file,
        out -> {
          out.write('a');
          out.write("bc".getBytes());
        });
    assertThat(file).hasContent("abc");
    assertThat(names()).containsExactly("model.avm");
  }

  @Test
  void whatIsDiscardedWhileItIsWrittenNeverReplacesTheOldFile() throws IOException {
    AtomicFile.Content discarded =
        out -> {
          out.write("new".getBytes());
          assertThat(AtomicFile.discard(file)).isTrue();
        };
    assertThatThrownBy(() -> AtomicFile.write(file, discarded)).isInstanceOf(IOException.class);
    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("model.avm");
    assertThat(AtomicFile.discard(file)).isFalse();
    assertThat(AtomicFile.discard(folder.resolve("none").resolve("file"))).isFalse();
  }

  @Test
  void aFileIsCreated() throws IOException {
    Path created = folder.resolve("created");
    AtomicFile.write(created, new byte[100_000]);
    assertThat(created).hasSize(100_000);
  }

  @Test
  void aFailureWhileWritingLeavesTheOldFileAndNamesIt() throws IOException {
    AtomicFile.Content full =
        out -> {
          out.write(new byte[1 << 20]);
          throw new IOException("No space left on device");
        };
    assertThatThrownBy(() -> AtomicFile.write(file, full))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ": No space left on device");
    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("model.avm");
  }

  @Test
  void aBugWhileWritingLeavesTheOldFile() throws IOException {
    AtomicFile.Content broken =
        out -> {
          throw new IllegalStateException("bug");
        };
    assertThatThrownBy(() -> AtomicFile.write(file, broken)).hasMessage("bug");
    assertThat(file).hasContent("old");
    assertThat(names()).containsExactly("model.avm");
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDeviceIsNamed() {
    assertThatThrownBy(() -> AtomicFile.write(Path.of("/dev/full"), new byte[10]))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith("/dev/full: ");
  }

  @Test
  void aFolderIsNoFile() {
    assertThatThrownBy(() -> AtomicFile.write(folder, new byte[1]))
        .isInstanceOf(IOException.class)
        .hasMessage(folder + ": is a folder, expected a file to write");
    Path root = folder.getRoot();
    assertThatThrownBy(() -> AtomicFile.write(root, new byte[1])).isInstanceOf(IOException.class);
  }

  @Test
  void aLinkKeepsPointingToItsFile() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("model.avm"));
    AtomicFile.write(link, "new".getBytes());
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(file).hasContent("new");
  }

  @Test
  void whatAKilledProcessLeftIsRemoved() throws Exception {
    long dead = deadPid();
    leftover(".model.avm." + dead + ".tmp");
    leftover(".model.avm." + dead + "-2.tmp");
    AtomicFile.write(file, "new".getBytes());
    assertThat(names()).containsExactly("model.avm");
  }

  /** In a container the restarted process often has the number of the killed one. */
  @Test
  void whatAnEarlierProcessOfOurNumberLeftIsRemoved() throws IOException {
    leftover(".model.avm." + ProcessHandle.current().pid() + "-7.tmp");
    AtomicFile.write(file, "new".getBytes());
    assertThat(names()).containsExactly("model.avm");
  }

  @Test
  void whatALivingProcessWritesIsLeftAlone() throws IOException {
    long living = ProcessHandle.current().parent().orElseThrow().pid();
    Path other = leftover(".model.avm." + living + ".tmp");
    AtomicFile.write(file, "new".getBytes());
    assertThat(other).exists();
  }

  @Test
  void filesOfOtherNamesAreLeftAlone() throws Exception {
    long dead = deadPid();
    List<Path> others = new ArrayList<>();
    for (String name : List.of(".other.avm.%d.tmp", ".model.avm.%d.5.tmp", ".modelxavm.%d.tmp")) {
      others.add(leftover(name.formatted(dead)));
    }
    others.add(leftover(".model.avm.tmp"));
    others.add(leftover(".model.avm.99999999999999999999.tmp"));
    others.add(leftover("model.avm." + dead + ".tmp"));
    AtomicFile.write(file, "new".getBytes());
    assertThat(others).allSatisfy(path -> assertThat(path).exists());
  }

  @Test
  void threadsThatWriteTheSameFileLeaveTheWholeContentOfOne() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Callable<Void>> writes = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      byte[] content = new byte[50_000];
      Arrays.fill(content, (byte) i);
      Path name = i % 2 == 0 ? file : folder.resolve(".").resolve("model.avm");
      writes.add(
          () -> {
            AtomicFile.write(name, content);
            return null;
          });
    }
    try {
      for (Future<Void> done : threads.invokeAll(writes)) {
        done.get();
      }
    } finally {
      threads.shutdown();
    }
    byte[] found = Files.readAllBytes(file);
    byte[] whole = new byte[50_000];
    Arrays.fill(whole, found[0]);
    assertThat(found).isEqualTo(whole);
    assertThat(names()).containsExactly("model.avm");
  }
}
