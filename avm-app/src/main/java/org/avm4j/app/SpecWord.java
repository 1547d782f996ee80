package org.avm4j.app;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.avm4j.spec.LearnerFamilies;
import org.avm4j.spec.LearnerSpec;
import org.avm4j.spec.SpecOption;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A learner option whose value is one of a few words; provides help, completion and validation. */
abstract class SpecWord implements Iterable<String>, ITypeConverter<String> {
  private final List<String> choices;

  private SpecWord(String option) {
    choices =
        Stream.concat(
                LearnerSpec.COMMON.stream(),
                LearnerFamilies.installed().named("avm").options().stream())
            .filter(known -> known.name().equals(option))
            .map(SpecOption::choices)
            .findFirst()
            .orElseThrow();
  }

  @Override
  public Iterator<String> iterator() {
    return choices.iterator();
  }

  @Override
  public String convert(String word) {
    return choices.stream()
        .filter(choice -> choice.equalsIgnoreCase(word))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'" + word + "' is not one of " + String.join(", ", choices)));
  }

  static final class OfTask extends SpecWord {
    OfTask() {
      super("task");
    }
  }

  static final class OfLoss extends SpecWord {
    OfLoss() {
      super("loss");
    }
  }

  static final class OfKernel extends SpecWord {
    OfKernel() {
      super("kernel");
    }
  }

  static final class OfUpdate extends SpecWord {
    OfUpdate() {
      super("update");
    }
  }

  static final class OfCoverage extends SpecWord {
    OfCoverage() {
      super("coverage");
    }
  }

  static final class OfOutput extends SpecWord {
    OfOutput() {
      super("output");
    }
  }
}
