package org.avm4j.auto.expert;

import org.avm4j.Avm;
import org.avm4j.AvmOptions;
import org.avm4j.Task;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/** A kernel machine as an expert, usually a small one that forgets. */
public final class MachineExpert extends InputExpert {
  private final Avm machine;

  /** An untrained machine. */
  public MachineExpert(Inputs inputs, AvmOptions options) {
    this(inputs, new Avm(options));
  }

  private MachineExpert(Inputs inputs, Avm machine) {
    super(name(inputs), machine.task().kind(), inputs, true);
    this.machine = machine;
  }

  private static String name(Inputs inputs) {
    return inputs.seeLabels() ? "machine with label" : "machine";
  }

  @Override
  public void score(Moment now, double[] classes, double[] into) {
    Frozen.score(machine, now.through(inputs), classes, into);
  }

  @Override
  public void learn(Moment now, double y, double weight) {
    machine.learn(now.through(inputs), y, weight);
  }

  @Override
  public int size() {
    return machine.size();
  }

  @Override
  public double memory(long instances) {
    return machine.status().memory();
  }

  @Override
  public Frozen freeze() {
    return new Frozen(name(), machine.snapshot(), inputs);
  }

  @Override
  public void encode(Encoder out, SharedInputs shared) {
    shared.encode(inputs, out);
    out.section("machine", machine::encode);
  }

  static MachineExpert decode(Decoder in, SharedInputs shared, Task.Kind task)
      throws ModelFileException {
    Inputs inputs = shared.read(in);
    Avm machine = in.section("machine", Avm::decode);
    Decoder.check(machine.task().kind() == task, "a machine must have the task", machine.task());
    return new MachineExpert(inputs, machine);
  }
}
