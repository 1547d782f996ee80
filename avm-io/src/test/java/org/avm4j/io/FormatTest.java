package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatTest {
  @ParameterizedTest
  @CsvSource({
    "a.libsvm, LIBSVM",
    "a.svm.gz, LIBSVM",
    "/x.y/a.CSV, CSV",
    "a.tsv.zst, CSV",
    "a.arff.bz2, ARFF",
    "a.jsonl.xz, JSON",
    "a.json, JSON",
    "a.ndjson, JSON",
    "a9a,",
    "a9a.t,",
    "csv,CSV",
    "x.csv/data,",
    "a.gz,"
  })
  void aNameMayPromiseAFormat(String name, Format format) {
    assertThat(Format.ofName(name)).isEqualTo(format);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 1:2 3:4 | LIBSVM",
        "-1 17:1 | LIBSVM",
        "1 qid:3 1:2 | LIBSVM",
        "1:2 3:4 | LIBSVM",
        "1\\n# note\\n\\n-1\\n1 1:2\\n | LIBSVM",
        "1 1:2 # 3, 4 | LIBSVM",
        "1,2,3 | CSV",
        "a;b;c\\n1 1:2 | CSV",
        "2020-01-01 10:30:00,5 | CSV",
        "1\\n2\\n3 | CSV",
        "@RELATION iris\\n1 1:2 | ARFF",
        "% note\\n@relation iris | ARFF",
        "@id,b\\n1,2 | CSV",
        "{\"label\": 1} | JSON",
        "\\n  [1] | JSON",
      })
  void theFirstLinesTellTheFormat(String text, Format format) throws IOException {
    assertThat(ofContent(text.replace("\\n", "\n"))).isEqualTo(format);
  }

  @Test
  void nothingIsCsvWithoutRows() throws IOException {
    assertThat(ofContent("")).isEqualTo(Format.CSV);
  }

  @Test
  void aLongFirstLineTellsTheFormat() throws IOException {
    StringBuilder text = new StringBuilder("1");
    for (int i = 1; i < 10_000; i++) {
      text.append(' ').append(i).append(":0.5");
    }
    assertThat(ofContent(text.toString())).isEqualTo(Format.LIBSVM);
  }

  private static Format ofContent(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    InputStream in = new BufferedInputStream(new ByteArrayInputStream(bytes));
    Format format = Format.ofContent(in);
    assertThat(in.readAllBytes()).isEqualTo(bytes);
    return format;
  }
}
