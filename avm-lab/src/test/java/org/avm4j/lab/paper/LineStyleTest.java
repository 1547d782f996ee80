package org.avm4j.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.avm4j.Task;
import org.junit.jupiter.api.Test;

class LineStyleTest {
  private record Sign(Object colour, Object marker) {}

  @Test
  void noTwoMethodsOfAFigureLookAlike() {
    for (Study study : List.of(Study.ONLINE, Study.REGRESSION, Study.BUDGET)) {
      for (Task task : List.of(Task.binary(), Task.regression())) {
        List<Sign> signs =
            Arrays.stream(Contender.values())
                .filter(contender -> contender.takesPart(study, task))
                .map(LineStyle::of)
                .map(look -> new Sign(look.colour(), look.marker()))
                .toList();
        assertThat(signs).as(study.id()).doesNotHaveDuplicates();
      }
    }
  }
}
