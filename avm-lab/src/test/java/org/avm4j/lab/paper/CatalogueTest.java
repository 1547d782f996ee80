package org.avm4j.lab.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What ships with the product: data sets, settings, the paper's numbers. */
class CatalogueTest {
  private final Catalogue catalogue = Catalogue.standard();

  @Test
  void everyDataSetOfTheTablesIsThere() {
    for (PaperTables.Row row : PaperTables.all()) {
      assertThat(catalogue.all()).anyMatch(set -> set.paper().equals(row.data()));
      assertThat(Contender.values()).extracting(Contender::label).contains(row.method());
    }
  }

  /** Table 3 has 8 methods on 8 sets, Table 4 12 on 4 and 4 on 4, Table 5 9 on 4. */
  @Test
  void theTablesAreWhole() {
    assertThat(rows("batch")).hasSize(64);
    assertThat(rows("online")).hasSize(64);
    assertThat(rows("regression")).hasSize(36);
    PaperTables.Row row =
        PaperTables.find(Study.ONLINE, catalogue.named("cod-rna"), "AVM-Hinge").orElseThrow();
    assertThat(row.number()).isEqualTo(5.61);
    assertThat(row.spread()).isEqualTo(0.17);
    assertThat(row.seconds()).isEqualTo("40.89");
    assertThat(row.size()).isEqualTo("436");
    assertThat(row.decimals()).isEqualTo(2);
  }

  private static List<PaperTables.Row> rows(String study) {
    return PaperTables.all().stream().filter(row -> row.study().equals(study)).toList();
  }

  /** The sizes of the tables are the budgets of the catalogue. */
  @Test
  void budgetsAreThoseOfTheTables() {
    for (DataSet set : catalogue.all()) {
      for (Study study : List.of(Study.BATCH, Study.ONLINE, Study.REGRESSION)) {
        if (set.suits(study)) {
          PaperTables.find(study, set, "NOGD")
              .ifPresent(row -> assertThat(row.size()).isEqualTo(text(set, "budget")));
          PaperTables.find(study, set, "FOGD")
              .ifPresent(row -> assertThat(row.size()).isEqualTo(text(set, "features")));
        }
      }
    }
  }

  private static String text(DataSet set, String key) {
    return Integer.toString(set.settings().whole(key, 0));
  }

  /** Each method can be made with what is recorded; on the paper's complete sets all can. */
  @Test
  void everyMethodHasItsSettings() {
    SettingsTable settings = SettingsTable.standard();
    for (Study study : Study.values()) {
      for (DataSet set : catalogue.of(study)) {
        assertThat(set.suits(study)).isTrue();
        for (Contender contender : Contender.values()) {
          Optional<Settings> recorded = settings.find(set, contender);
          if (contender.takesPart(study, set.task())) {
            assertThat(recorded.isPresent() || !set.isComplete())
                .as(contender.id() + " on " + set.name())
                .isTrue();
            recorded.ifPresent(found -> canBeMade(contender, set, found));
          }
        }
      }
    }
  }

  private static void canBeMade(Contender contender, DataSet set, Settings recorded) {
    Settings all = set.settings().with(recorded).only(contender.keys());
    if (contender == Contender.LIBSVM || contender == Contender.LLSVM) {
      assertThat(contender.batch(set.task(), all, 1)).isNotNull();
    } else {
      assertThat(contender.online(set.task(), all, set.rows(), 1)).isNotNull();
    }
  }

  @Test
  void aSubsetSaysSo() {
    for (String name : List.of("kddcup99", "poker", "airlines", "year_sub10k", "slice_sub")) {
      assertThat(catalogue.named(name).isComplete()).isFalse();
      assertThat(catalogue.named(name).title())
          .containsAnyOf("subset", "stand-in", "10 %", "tenth");
    }
  }

  @Test
  void whatIsWrongIsNamed() {
    assertThatThrownBy(() -> catalogue.named("a8a"))
        .hasMessageContaining("a data set must be one of a9a, w8a")
        .hasMessageEndingWith(": a8a");
    assertThatThrownBy(() -> Catalogue.read(new StringReader("[x]\ntask = other")))
        .hasMessage("catalogue, [x]: task must be binary, multiclass or regression: other");
    assertThatThrownBy(() -> Contender.named("avmm")).hasMessageContaining("avm-hinge");
    assertThatThrownBy(() -> Settings.parse("gamma")).hasMessageContaining("name=value: gamma");
  }
}
