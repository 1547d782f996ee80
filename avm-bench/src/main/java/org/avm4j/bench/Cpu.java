package org.avm4j.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Clocks that other programs on the machine do not disturb. */
final class Cpu {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private Cpu() {}

  /** What this thread has had of a processor, in nanoseconds. */
  static long nanos() {
    return THREADS.getCurrentThreadCpuTime();
  }

  /** What all threads of this process have had of the processors, in nanoseconds. */
  static long processNanos() {
    return PROCESS.getProcessCpuTime();
  }

  /** What this thread has allocated, in bytes. */
  static long allocated() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /**
   * The bytes on the heap that are in use; one collection in four leaves no dead objects behind.
   */
  static long used() {
    for (int i = 0; i < 4; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
