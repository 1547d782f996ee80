package org.avm4j.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.avm4j.data.Column;
import org.avm4j.data.Instance;
import org.avm4j.data.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkbookTest {
  private static final String MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml.";

  /** Styles 0 to 4: a number, built-in date, own date with a literal, time, duration. */
  private static final String STYLES =
      "<styleSheet><numFmts><numFmt numFmtId='164' formatCode='\"day\" dd/mm/yyyy\\ hh:mm'/>"
          + "<numFmt numFmtId='165' formatCode='[h]:mm:ss'/>"
          + "<numFmt numFmtId='166' formatCode='0.0 \"days\"'/></numFmts>"
          + "<cellXfs><xf numFmtId='0'/><xf numFmtId='14'/><xf numFmtId='164'/><xf numFmtId='20'/>"
          + "<xf numFmtId='165'/><xf numFmtId='166'/></cellXfs></styleSheet>";

  @Test
  void theFirstVisibleSheetIsReadAsCsv() throws IOException {
    String rows =
        row(2, text("day"), text("size, \"net\""), text("ok"), text("colour"))
            + row(3, cell("s='1'", "44197"), cell("", "1.5E-3"), cell("t='b'", "1"), shared(0))
            + row(5, cell("s='1'", "44198.25"), cell("", "-2"), cell("t='b'", "0"))
            + row(6, cell("s='1'", "44199"), cell("t='e'", "#N/A"), "", text("dark\nblue"));
    assertThat(csv(workbook(rows)))
        .isEqualTo(
            "\nday,\"size, \"\"net\"\"\",ok,colour\n2021-01-01,1.5E-3,TRUE,red\n\n"
                + "\"2021-01-02T06:00:00\",-2,FALSE,\n2021-01-03,,,\"dark blue\"\n");
  }

  @Test
  void datesAndTimesFollowTheFormatOfTheCell() throws IOException {
    String rows =
        row(1, cell("s='1'", "1"), cell("s='1'", "59"), cell("s='1'", "61"), cell("s='2'", "0.5"))
            + row(2, cell("s='3'", "0.75"), cell("s='3'", "1.75"), cell("s='4'", "1.5"))
            + row(3, cell("s='5'", "44197"), cell("s='1'", "-1"), cell("s='2'", "44197.9999999"))
            + row(4, "<c s='1'><f>A1+1</f><v>44197</v></c>", "<c><f>1/0</f><v>#DIV/0!</v></c>");
    assertThat(csv(workbook(rows)))
        .isEqualTo(
            "1900-01-01,1900-02-28,1900-03-01,\"1899-12-31T12:00:00\"\n\"18:00:00\",1.75,1.5,\n"
                + "44197,-1,2021-01-02,\n2021-01-01,,,\n");
  }

  @Test
  void rowsAreNamedByTheirNumberInTheSheet() throws IOException {
    String rows =
        row(3, text("a"), text("y"))
            + row(4, cell("", "1"), cell("", "2"))
            + row(7, cell("", "1"), cell("", "2"), cell("", "3"));
    try (DataReader reader = reader(workbook(rows))) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.line()).isEqualTo(4);
      assertThatThrownBy(reader::next).hasMessageContaining("some.xlsx:7: ");
    }
  }

  /** All rows are read with the title, also for a model, which does not wait for them. */
  @Test
  void aTitleAboveTheHeaderIsLeftOut() throws IOException {
    byte[] book =
        workbook(
            row(1, text("Sales of the year"))
                + row(2, text("a"), text("b"), text("y"))
                + row(3, cell("", "1"), cell("", "2"), cell("", "0"))
                + row(4, cell("", "3"))
                + row(5, cell("", "5"), cell("", "6"), cell("", "1")));
    Schema schema = new Schema();
    assertThat(all(book, schema)).hasSize(3);
    assertThat(schema.columns()).extracting(Column::name).containsExactly("a", "b");
    assertThat(all(book, schema.frozen())).hasSize(3);
  }

  private static List<Instance> all(byte[] workbook, Schema schema) throws IOException {
    return Rows.all(Rows.reader("some.xlsx", workbook, ReadOptions.DEFAULT, schema));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"[Content_Types].xml", "docProps/app.xml", "_rels/.rels", "xl/workbook.xml"})
  void theOrderOfThePartsDoesNotMatter(String first) throws IOException {
    Map<String, String> parts = parts(row(1, text("a"), text("b")));
    assertThat(csv(packed(parts, first))).isEqualTo("a,b\n");
  }

  @Test
  void aWorkbookNeedsNoStyles() throws IOException {
    Map<String, String> parts = parts(row(1, text("a"), cell("s='1'", "44197")));
    parts.remove("xl/styles.xml");
    parts.computeIfPresent("[Content_Types].xml", (key, text) -> text.replace("styles", "none"));
    assertThat(csv(packed(parts, "xl/workbook.xml"))).isEqualTo("a,44197\n");
  }

  @Test
  void otherOfficeDocumentsAreRefused() throws IOException {
    Map<String, String> parts = parts("");
    parts.remove("xl/workbook.xml");
    assertThatThrownBy(() -> csv(packed(parts, "_rels/.rels")))
        .hasMessageStartingWith("some.xlsx: is an Office document that cannot be read (")
        .hasMessageEndingWith("): save the sheet as CSV");
  }

  @Test
  void partsAfterAnotherFileAreCalledAWorkbook() throws IOException {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("notes.txt", "hello");
    parts.putAll(parts(""));
    assertThatThrownBy(() -> csv(packed(parts, "notes.txt")))
        .hasMessage(
            "some.xlsx: is an Excel workbook whose parts are in an unusual order: save the sheet as"
                + " CSV");
  }

  @Test
  void aSheetThatIsTooWideIsRefused() throws IOException {
    byte[] wide = workbook("<row r='1'><c r='XFE1'><v>1</v></c></row>");
    assertThatThrownBy(() -> csv(wide))
        .hasMessage("some.xlsx:1: expected at most 16384 columns in a sheet of a workbook");
  }

  @Test
  void damagedWorkbooksAreToldInASentence() throws IOException {
    byte[] good = workbook(row(1, text("a"), text("b")) + row(2, cell("", "1"), cell("", "2")));
    SplittableRandom random = new SplittableRandom(5);
    int told = 0;
    for (int i = 0; i < 500; i++) {
      byte[] damaged =
          Arrays.copyOf(good, i % 2 == 0 ? good.length : random.nextInt(40, good.length));
      damaged[random.nextInt(30, damaged.length)] = (byte) random.nextInt();
      try {
        csv(damaged);
      } catch (IOException e) {
        assertThat(e).hasMessageStartingWith("some.xlsx: ");
        told++;
      }
    }
    assertThat(told).isGreaterThan(250);
  }

  private static String row(int number, String... cells) {
    StringBuilder row = new StringBuilder("<row r='" + number + "'>");
    for (int i = 0; i < cells.length; i++) {
      row.append(cells[i].replaceFirst("<c", "<c r='" + (char) ('A' + i) + number + "'"));
    }
    return row + "</row>";
  }

  private static String text(String text) {
    return "<c t='inlineStr'><is><t>" + text + "</t></is></c>";
  }

  private static String shared(int index) {
    return cell("t='s'", "" + index);
  }

  private static String cell(String attributes, String value) {
    return "<c " + attributes + "><v>" + value + "</v></c>";
  }

  private static byte[] workbook(String rows) throws IOException {
    return packed(parts(rows), "docProps/app.xml");
  }

  /** What spreadsheet programs write, with a hidden sheet before the one with the rows. */
  private static Map<String, String> parts(String rows) {
    Map<String, String> parts = new LinkedHashMap<>();
    parts.put("docProps/app.xml", "<Properties/>");
    parts.put("_rels/.rels", "<Relationships/>");
    parts.put("xl/worksheets/sheet1.xml", sheet(row(1, text("hidden"))));
    parts.put("xl/worksheets/sheet2.xml", sheet(rows));
    parts.put("xl/sharedStrings.xml", "<sst><si><t>red</t></si></sst>");
    parts.put("xl/styles.xml", STYLES);
    parts.put(
        "xl/workbook.xml",
        "<workbook xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>"
            + "<sheets><sheet name='old' sheetId='1' r:id='r1' state='hidden'/>"
            + "<sheet name='new' sheetId='2' r:id='r2'/></sheets></workbook>");
    parts.put(
        "xl/_rels/workbook.xml.rels",
        "<Relationships><Relationship Id='r1' Target='worksheets/sheet1.xml'/>"
            + "<Relationship Id='r2' Target='worksheets/sheet2.xml'/></Relationships>");
    parts.put(
        "[Content_Types].xml",
        "<Types>"
            + type("/xl/workbook.xml", "sheet.main")
            + type("/xl/sharedStrings.xml", "sharedStrings")
            + type("/xl/styles.xml", "styles")
            + "</Types>");
    return parts;
  }

  private static String type(String part, String kind) {
    return "<Override PartName='" + part + "' ContentType='" + MAIN + kind + "+xml'/>";
  }

  private static String sheet(String rows) {
    return "<worksheet><sheetData>" + rows + "</sheetData></worksheet>";
  }

  private static byte[] packed(Map<String, String> parts, String first) throws IOException {
    List<String> names = new ArrayList<>(parts.keySet());
    if (names.contains(first)) {
      Collections.rotate(names, -names.indexOf(first));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (String name : names) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(parts.get(name).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }

  private static String csv(byte[] workbook) throws IOException {
    try (InputStream in = Compression.unpack("some.xlsx", new ByteArrayInputStream(workbook))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static DataReader reader(byte[] workbook) throws IOException {
    return DataReader.of(
        "some.xlsx", new ByteArrayInputStream(workbook), ReadOptions.DEFAULT, new Schema());
  }
}
