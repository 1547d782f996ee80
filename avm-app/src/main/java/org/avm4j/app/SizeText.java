package org.avm4j.app;

import java.util.ArrayList;
import java.util.List;
import org.avm4j.pipeline.PreparedModel;

/**
 * Describes the size of a model in the same words everywhere. It is the size of the detached model,
 * which answers rows of a file and has no experts that follow a stream.
 */
final class SizeText {
  private SizeText() {}

  /** The number of core points and leaves of boosted trees. */
  static int number(PreparedModel model) {
    return model.detached().status().size();
  }

  /** The size as text: "1,280 core points of 5 learners, 1,166 leaves of boosted trees". */
  static String of(PreparedModel model) {
    PreparedModel answering = model.detached();
    List<PreparedModel> members = answering.members();
    if (members.isEmpty()) {
      boolean hasCorePoints = !answering.corePoints(1).isEmpty();
      return Text.whole(answering.status().size()) + (hasCorePoints ? " core points" : "");
    }
    List<PreparedModel> learners = members.stream().filter(one -> !isBoosted(one)).toList();
    List<String> parts = new ArrayList<>();
    if (!learners.isEmpty()) {
      String whose = learners.size() == 1 ? "" : " of " + learners.size() + " learners";
      parts.add(Text.whole(sum(learners)) + " core points" + whose);
    }
    if (learners.size() < members.size()) {
      List<PreparedModel> trees = members.stream().filter(SizeText::isBoosted).toList();
      parts.add(Text.whole(sum(trees)) + " leaves of boosted trees");
    }
    return String.join(", ", parts);
  }

  private static boolean isBoosted(PreparedModel member) {
    return member.status().settings().containsKey("rounds");
  }

  private static int sum(List<PreparedModel> members) {
    return members.stream().mapToInt(member -> member.status().size()).sum();
  }
}
