package org.avm4j.flink.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterTest {
  private static final String CLASSES = System.getProperty("java.class.path");

  @TempDir Path folder;

  /** Prints a word and ends with code 3. */
  static final class Failing {
    public static void main(String[] args) {
      System.err.println("the port is taken");
      System.exit(3);
    }
  }

  /** Listens at a port until it is killed. */
  static final class Listening {
    public static void main(String[] args) throws Exception {
      try (ServerSocket socket = new ServerSocket(Integer.parseInt(args[0]))) {
        socket.accept();
        Thread.currentThread().join();
      }
    }
  }

  @Test
  void aDeadProcessIsNotAwaitedAndItsLogTellsWhy() throws Exception {
    try (LocalCluster cluster = new LocalCluster(folder)) {
      LocalProcess failing = cluster.start("manager", CLASSES, "64m", Failing.class.getName());
      assertThatThrownBy(() -> failing.awaitPort(LocalProcess.freePort()))
          .hasMessageStartingWith("manager ended with code 3, see " + folder.resolve("manager.log"))
          .hasMessageContaining("the port is taken");
    }
  }

  @Test
  void aProcessThatDoesNotEndIsKilledAfterAWhile() throws Exception {
    try (LocalCluster cluster = new LocalCluster(folder)) {
      String port = "" + LocalProcess.freePort();
      String main = Listening.class.getName();
      LocalProcess hanging = cluster.start("client", CLASSES, "64m", main, port);
      assertThatThrownBy(() -> hanging.awaitEnd(Duration.ofMillis(200)))
          .hasMessageStartingWith("client has not ended after 0.2 s, see ");
      assertThatThrownBy(hanging::checkAlive).hasMessageStartingWith("client ended with code 137");
    }
  }

  @Test
  void aProcessThatListensIsFoundAndEveryStartKeepsItsLog() throws Exception {
    try (LocalCluster cluster = new LocalCluster(folder)) {
      int port = LocalProcess.freePort();
      String main = Listening.class.getName();
      LocalProcess first = cluster.start("manager", CLASSES, "64m", main, "" + port);
      first.awaitPort(port);
      first.kill();
      assertThatThrownBy(first::checkAlive).hasMessageStartingWith("manager ended with code 137");
      LocalProcess second = cluster.start("manager", CLASSES, "64m", main, "" + port);
      second.awaitPort(port);
      second.checkAlive();
      second.kill();
      assertThat(folder.resolve("manager.log")).exists();
      assertThat(folder.resolve("manager-again-2.log")).exists();
    }
  }

  @Test
  void portsAreNotAmongThoseOfOutgoingConnections() throws Exception {
    for (int i = 0; i < 100; i++) {
      assertThat(LocalProcess.freePort())
          .isBetween(LocalProcess.FIRST_PORT, LocalProcess.LAST_PORT);
    }
  }
}
