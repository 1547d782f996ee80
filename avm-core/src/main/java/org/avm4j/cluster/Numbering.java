package org.avm4j.cluster;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.avm4j.ClusterSummary.Cluster;
import org.avm4j.ClusterSummary.ClusterEvent;
import org.avm4j.codec.Decoder;
import org.avm4j.codec.Encoder;
import org.avm4j.codec.ModelFileException;

/**
 * Numbers the clusters such that a cluster keeps its number along the stream, and records events.
 * New clusters and old numbers are matched greedily: the pair that shares the most weight first,
 * then the best of the remaining pairs, and so on.
 */
final class Numbering {
  /** The most events that are stored. */
  private static final int MOST_EVENTS = 1000;

  private final Deque<ClusterEvent> last = new ArrayDeque<>();
  private long events;
  private int given;

  /** The weight that a new cluster and an old number have in common. */
  private record Overlap(int peak, int number, double weight) {}

  /** Numbers the cells by a partition of them. */
  void renumber(Cells cells, Partition partition, long instance) {
    Map<Integer, Map<Integer, Double>> byPeak = new TreeMap<>();
    Map<Integer, Map<Integer, Double>> byNumber = new TreeMap<>();
    for (int j = 0; j < cells.size(); j++) {
      int peak = partition.peak(j);
      int number = cells.number(j);
      double weight = cells.weight(j);
      byPeak.computeIfAbsent(peak, any -> new TreeMap<>()).merge(number, weight, Double::sum);
      byNumber.computeIfAbsent(number, any -> new TreeMap<>()).merge(peak, weight, Double::sum);
    }
    byPeak.remove(Partition.NONE);
    byNumber.remove(Cluster.NOISE);
    Map<Integer, Integer> numbers = match(byPeak);
    byPeak.forEach((peak, shares) -> begin(peak, shares, numbers, instance));
    byNumber.forEach((number, shares) -> end(number, shares, numbers, instance));
    for (int j = 0; j < cells.size(); j++) {
      int peak = partition.peak(j);
      int number = peak == Partition.NONE ? Cluster.NOISE : numbers.get(peak);
      cells.assign(j, number, partition.reach(j));
    }
  }

  private static Map<Integer, Integer> match(Map<Integer, Map<Integer, Double>> byPeak) {
    List<Overlap> overlaps = new ArrayList<>();
    byPeak.forEach(
        (peak, shares) ->
            shares.forEach((number, weight) -> overlaps.add(new Overlap(peak, number, weight))));
    overlaps.removeIf(overlap -> overlap.number == Cluster.NOISE);
    overlaps.sort(Comparator.comparingDouble(overlap -> -overlap.weight));
    Map<Integer, Integer> numbers = new HashMap<>();
    for (Overlap overlap : overlaps) {
      if (!numbers.containsKey(overlap.peak) && !numbers.containsValue(overlap.number)) {
        numbers.put(overlap.peak, overlap.number);
      }
    }
    return numbers;
  }

  private void begin(
      int peak, Map<Integer, Double> shares, Map<Integer, Integer> numbers, long instance) {
    if (numbers.containsKey(peak)) {
      return;
    }
    int parent = heaviest(shares);
    numbers.put(peak, ++given);
    boolean isSplit = parent != Cluster.NOISE;
    ClusterEvent.Kind kind = isSplit ? ClusterEvent.Kind.SPLIT : ClusterEvent.Kind.BORN;
    note(new ClusterEvent(kind, instance, given, parent));
  }

  private void end(
      int number, Map<Integer, Double> shares, Map<Integer, Integer> numbers, long instance) {
    if (numbers.containsValue(number)) {
      return;
    }
    int heir = heaviest(shares);
    boolean isMerged = heir != Partition.NONE;
    int into = isMerged ? numbers.get(heir) : Cluster.NOISE;
    ClusterEvent.Kind kind = isMerged ? ClusterEvent.Kind.MERGED : ClusterEvent.Kind.DIED;
    note(new ClusterEvent(kind, instance, number, into));
  }

  /** Records that a cluster died with the last of its cells. */
  void died(int number, long instance) {
    note(new ClusterEvent(ClusterEvent.Kind.DIED, instance, number, Cluster.NOISE));
  }

  private static int heaviest(Map<Integer, Double> shares) {
    return shares.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  private void note(ClusterEvent event) {
    events++;
    last.addLast(event);
    if (last.size() > MOST_EVENTS) {
      last.removeFirst();
    }
  }

  long events() {
    return events;
  }

  List<ClusterEvent> lastEvents() {
    return List.copyOf(last);
  }

  Numbering copy() {
    Numbering copy = new Numbering();
    copy.last.addAll(last);
    copy.events = events;
    copy.given = given;
    return copy;
  }

  void encode(Encoder out) {
    out.int32(given);
    out.int64(events);
    out.int32(last.size());
    for (ClusterEvent event : last) {
      out.int32(event.kind().ordinal());
      out.int64(event.instance());
      out.int32(event.number());
      out.int32(event.other());
    }
  }

  static Numbering decode(Decoder in) throws ModelFileException {
    Numbering numbering = new Numbering();
    numbering.given = in.int32("the numbers given", Integer.MAX_VALUE);
    numbering.events = in.count("the events");
    int kept = in.int32("the events kept", MOST_EVENTS);
    Decoder.check(kept <= numbering.events, "no more events are kept than there were", kept);
    ClusterEvent.Kind[] kinds = ClusterEvent.Kind.values();
    for (int i = 0; i < kept; i++) {
      ClusterEvent.Kind kind = kinds[in.int32("the kind of an event", kinds.length - 1)];
      long instance = in.count("the instance of an event");
      numbering.last.add(new ClusterEvent(kind, instance, in.int32(), in.int32()));
    }
    return numbering;
  }

  /** The highest number assigned so far. */
  int given() {
    return given;
  }
}
