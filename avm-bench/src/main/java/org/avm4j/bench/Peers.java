package org.avm4j.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.Supplier;
import org.avm4j.Avm;
import org.avm4j.AvmModel;
import org.avm4j.AvmOptions;
import org.avm4j.Task;
import org.avm4j.Update;
import org.avm4j.data.Instance;
import org.avm4j.lab.baseline.BaselineOptions;
import org.avm4j.lab.baseline.Method;

/**
 * Side by side: the same rows in the same order through our learners, our baselines and other
 * libraries, with the same γ, and with as many vectors as AVM has made cells. Every one may choose
 * its step or regularization from a few, by its mistakes on the first rows. Then all are timed in
 * turn, for several rounds, the first of which warms up and does not count. Time is that of the
 * thread on the processor, for answering and learning one row.
 */
final class Peers {
  private static final int TRIAL = 2000;
  private static final double SECONDS = 60;
  private static final double[] LAMBDAS = {1e-2, 1e-3, 1e-4, 1e-5};
  private static final double[] STEPS = {0.05, 0.2, 1};

  private final Workload workload;
  private final int rounds;
  private final PeerTable table;

  /** What one turn of one contender gave. */
  private record Turn(int rows, int mistakes, double nanos, int size) {}

  private Peers(Workload workload, int rounds, PeerTable table) {
    this.workload = workload;
    this.rounds = rounds;
    this.table = table;
  }

  static void main(String[] words) throws IOException {
    Arguments arguments = new Arguments(words, List.of("data", "rows", "rounds", "out"));
    String names = arguments.text("data", "a9a-like,ijcnn1-like,covtype-like");
    PeerTable table =
        measure(
            List.of(names.split(",")),
            arguments.number("rows", 20_000),
            arguments.number("rounds", 5));
    table.publish(Path.of(arguments.text("out", "avm-bench/target/peers")), "peers");
  }

  static PeerTable measure(List<String> names, int rows, int rounds) {
    PeerTable table =
        new PeerTable(
            "data",
            "does",
            "method",
            "settings",
            "rows",
            "errorPercent",
            "size",
            "nanos",
            "nanosLeast",
            "nanosMost",
            "timesAvm");
    for (String name : names) {
      Peers peers = new Peers(Workload.of(name, rows), rounds, table);
      Avm avm = peers.learned();
      peers.compare("learns", peers.learners(avm.size()));
      if (avm.options().task() instanceof Task.Binary) {
        peers.compare("answers", peers.models(avm.snapshot()));
      }
    }
    return table;
  }

  private Avm learned() {
    Avm avm = new Avm(workload.options());
    for (Instance row : workload.rows()) {
      avm.learn(row.features(), row.label());
    }
    return avm;
  }

  /** Ours first: the others are set against it. */
  private List<Peer> learners(int budget) {
    List<Peer> peers = new ArrayList<>(List.of(sgd(), newton()));
    for (Method method : Method.values()) {
      if (method.supports(workload.options().task())
          && method != Method.PERCEPTRON
          && method != Method.OGD) {
        peers.add(baseline(method, budget));
      }
    }
    double gamma = workload.options().kernel().gamma();
    Jsat jsat = new Jsat(workload);
    Peer kernelSgd = new Peer("JSAT KernelSGD");
    for (double lambda : LAMBDAS) {
      kernelSgd.or("lambda " + lambda, () -> jsat.kernelSgd(gamma, budget, lambda));
    }
    peers.add(kernelSgd);
    if (workload.options().task() instanceof Task.Binary) {
      Peer bogd = new Peer("JSAT BOGD");
      for (double eta : STEPS) {
        bogd.or("eta " + eta, () -> jsat.bogd(gamma, budget, eta));
      }
      peers.add(bogd);
    }
    Moa moa = new Moa(workload);
    Peer linear = new Peer("MOA SGD (linear)");
    for (double rate : new double[] {1e-3, 1e-2, 1e-1}) {
      linear.or("rate " + rate, () -> moa.sgd(rate, 1e-4));
    }
    peers.add(linear);
    peers.add(new Peer("MOA HoeffdingTree", "", moa::tree));
    return peers;
  }

  private Peer sgd() {
    Peer peer = new Peer("AVM sgd");
    for (double lambda : LAMBDAS) {
      AvmOptions options = workload.options().change().regularization(lambda).build();
      peer.or("lambda " + lambda, () -> Ours.avm(workload, options));
    }
    return peer;
  }

  private Peer newton() {
    Peer peer = new Peer("AVM newton");
    for (double prior : new double[] {0.01, 0.1, 1}) {
      AvmOptions options = workload.options().change().update(new Update.Newton(prior)).build();
      peer.or("prior " + prior, () -> Ours.avm(workload, options));
    }
    return peer;
  }

  private Peer baseline(Method method, int budget) {
    Supplier<BaselineOptions.Builder> builder =
        () ->
            BaselineOptions.of(method, workload.options().task())
                .gamma(workload.options().kernel().gamma())
                .budget(budget);
    return switch (method) {
      case BOGD, FOGD, NOGD -> choice(method, "eta", STEPS, v -> builder.get().eta(v));
      case BPAS -> choice(method, "C", STEPS, v -> builder.get().aggressiveness(v));
      case BSGD_M, BSGD_R -> choice(method, "lambda", LAMBDAS, v -> builder.get().lambda(v));
      default -> choice(method, "", new double[1], v -> builder.get());
    };
  }

  private Peer choice(
      Method method,
      String parameter,
      double[] values,
      DoubleFunction<BaselineOptions.Builder> builder) {
    Peer peer = new Peer("our " + method.id());
    for (double value : values) {
      BaselineOptions options = builder.apply(value).build();
      String settings = parameter.isEmpty() ? "" : parameter + " " + value;
      peer.or(settings, () -> Ours.baseline(workload, options));
    }
    return peer;
  }

  private List<Peer> models(AvmModel model) {
    return List.of(
        new Peer("AVM model", "", () -> Ours.model(workload, model)),
        new Peer("libsvm, same vectors", "", () -> new LibsvmModel(model).contender(workload)));
  }

  private void compare(String does, List<Peer> peers) {
    List<Peer.Variant> chosen = new ArrayList<>();
    for (Peer peer : peers) {
      chosen.add(peer.best(Math.min(TRIAL, workload.rows().length)));
    }
    Turn[][] turns = new Turn[peers.size()][rounds];
    for (int round = -1; round < rounds; round++) {
      for (int i = 0; i < peers.size(); i++) {
        turns[i][Math.max(0, round)] = turn(chosen.get(i).start().get());
      }
    }
    double ours = sample(turns[0]).median();
    for (int i = 0; i < peers.size(); i++) {
      add(does, peers.get(i).name(), chosen.get(i).settings(), turns[i], ours);
    }
  }

  /** All rows, or as many as it can do in a minute. */
  private Turn turn(Rival contender) {
    int mistakes = 0;
    int rows = 0;
    long start = Cpu.nanos();
    double limit = start + SECONDS * 1e9;
    while (rows < workload.rows().length && (rows % 256 != 0 || Cpu.nanos() < limit)) {
      mistakes += contender.step(rows++) ? 0 : 1;
    }
    double nanos = (double) (Cpu.nanos() - start) / rows;
    return new Turn(rows, mistakes, nanos, contender.size());
  }

  private static Sample sample(Turn[] turns) {
    double[] nanos = new double[turns.length];
    for (int i = 0; i < nanos.length; i++) {
      nanos[i] = turns[i].nanos;
    }
    return new Sample(nanos);
  }

  private void add(String does, String name, String settings, Turn[] turns, double ours) {
    Sample nanos = sample(turns);
    Turn any = turns[turns.length - 1];
    table.add(
        workload.name(),
        does,
        name,
        settings,
        any.rows,
        100.0 * any.mistakes / any.rows,
        any.size,
        nanos.median(),
        nanos.least(),
        nanos.largest(),
        nanos.median() / ours);
    System.err.printf(Locale.ROOT, "%s: %s %.0f ns%n", workload.name(), name, nanos.median());
  }
}
