package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.avm4j.serve.LearnTask.Outcome;
import org.avm4j.serve.ServedRow.Purpose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestCostTest {
  private static final ModelSpec SPEC = ModelSpec.of(Map.of());

  private static List<ServedRow> parse(String line, String type, int rows, RequestCost cost) {
    String head = type.equals("text/csv") ? "x,y,label\n" : "";
    byte[] body = (head + line.repeat(rows)).getBytes(StandardCharsets.UTF_8);
    return new RowParser(SPEC, Purpose.OBSERVE, true, null, cost).parse(body, type);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1,2,1|text/csv",
        "{\"x\":1,\"y\":2,\"label\":1}|application/json",
        "1 1:1 2:2 3:3|text/x-libsvm"
      })
  void aRequestOfTooManyRowsIsRefusedWithANumberThatIsNot(String line, String type) {
    String row = line + "\n";
    assertThat(parse(row, type, 76, new RequestCost(100_000, true, 0))).hasSize(76);
    assertThatThrownBy(() -> parse(row, type, 77, new RequestCost(100_000, true, 0)))
        .isInstanceOf(Problem.class)
        .hasMessageContaining("nothing in it was learned; send batches of at most 69 such rows")
        .extracting(problem -> ((Problem) problem).status())
        .isEqualTo(413);
  }

  @Test
  void answersCountByTheirClasses() {
    assertThatCode(() -> new RequestCost(100_000, false, 50).addRows(200))
        .doesNotThrowAnyException();
    assertThatCode(() -> new RequestCost(100_000, true, 0).addRows(100)).doesNotThrowAnyException();
    assertThatThrownBy(() -> new RequestCost(100_000, true, 50).addRows(20))
        .hasMessageContaining("at most 15 such rows");
  }

  @Test
  void aReplyThatFailsSaysThatTheRowsAreStored() {
    RowStore.Receipt receipt =
        new RowStore.Receipt(new RowStore.Batch(5, List.of(), 0), 42, 0, List.of(), false);
    LearnRequests.Settled settled = new LearnRequests.Settled(receipt, Outcome.NONE);
    assertThatThrownBy(
            () ->
                settled.reply(
                    () -> {
                      throw new OutOfMemoryError();
                    }))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(500);
              assertThat(problem.document("r")).containsEntry("sequence", 42L);
            })
        .hasMessageContaining("stored, up to number 42, and must not be sent again")
        .hasMessageContaining("OutOfMemoryError");
  }
}
