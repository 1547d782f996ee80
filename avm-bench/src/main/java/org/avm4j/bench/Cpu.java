package org.avm4j.bench;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Clocks that other programs on the machine do not disturb. */
final class Cpu {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Path ENERGY = Path.of("/sys/class/powercap/intel-rapl:0/energy_uj");

  private Cpu() {}

  /** The processor time of this thread, in nanoseconds. */
  static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** The energy that the processors have used so far, in microjoules; 0 if unknown. */
  static long microjoules() {
    try {
      return Long.parseLong(Files.readString(ENERGY).strip());
    } catch (IOException | NumberFormatException unknown) {
      return 0;
    }
  }

  /** The memory that this thread has allocated, in bytes. */
  static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** The bytes of live objects on the heap: after four collections no dead one is left. */
  static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
