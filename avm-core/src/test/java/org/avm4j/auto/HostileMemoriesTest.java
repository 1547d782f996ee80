package org.avm4j.auto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.avm4j.AvmOptions;
import org.avm4j.Features;
import org.avm4j.HostileContract;
import org.avm4j.Limit;
import org.avm4j.Model;
import org.avm4j.Task;
import org.avm4j.math.SplitMix;

/** Files of several memories, damaged and forged: trees of the forest and latest rows included. */
class HostileMemoriesTest extends HostileContract {
  private static final int ROWS = 400;

  @Override
  protected Map<String, byte[]> files() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    Memories binary = learned(new Task.Binary());
    Model model = binary.snapshot();
    assertThat(model.kind()).isEqualTo(Memories.MODEL_KIND);
    files.put("binary", binary.toBytes());
    files.put("model", model.toBytes());
    files.put("multiclass", learned(Task.multiclass()).toBytes());
    return files;
  }

  @Override
  protected int mutations() {
    return 300;
  }

  /** Labels that stick together, so that others than the tree answer. */
  private static Memories learned(Task task) {
    AvmOptions machine = MemoriesFixtures.machine(task).change().maxSize(8, Limit.MERGE).build();
    Memories memories = new Memories(new Committee.Setup(machine, 2, 2, 1));
    SplitMix random = new SplitMix(4);
    for (int t = 0; t < ROWS; t++) {
      Features x = Features.dense(random.getAsDouble(), random.getAsDouble());
      double sign = t / 25 % 2 == 0 ? 1 : -1;
      memories.learn(x, task.kind() == Task.Kind.BINARY ? sign : sign + 1);
    }
    return memories;
  }
}
