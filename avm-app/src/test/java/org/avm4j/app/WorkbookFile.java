package org.avm4j.app;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes a table as an Excel workbook, with the parts in the order in which pandas has them. */
final class WorkbookFile {
  private WorkbookFile() {}

  /** Writes lines of CSV without quotes to the only sheet. */
  static void write(Path file, List<String> csv) throws IOException {
    write(file, Map.of("Sheet1", csv));
  }

  /** Writes sheets in the order of their names. */
  static void write(Path file, Map<String, List<String>> sheets) throws IOException {
    StringBuilder names = new StringBuilder();
    StringBuilder links = new StringBuilder();
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      put(zip, "docProps/app.xml", "<Properties/>");
      int id = 0;
      for (Map.Entry<String, List<String>> sheet : new TreeMap<>(sheets).entrySet()) {
        String part = "worksheets/sheet" + ++id + ".xml";
        put(zip, "xl/" + part, sheet(sheet.getValue()));
        names.append(
            String.format("<sheet name='%s' sheetId='%d' r:id='r%2$d'/>", sheet.getKey(), id));
        links.append(String.format("<Relationship Id='r%d' Target='%s'/>", id, part));
      }
      put(zip, "_rels/.rels", "<Relationships/>");
      put(
          zip,
          "xl/workbook.xml",
          "<workbook xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/relationships'>"
              + "<sheets>"
              + names
              + "</sheets></workbook>");
      put(zip, "xl/_rels/workbook.xml.rels", "<Relationships>" + links + "</Relationships>");
      put(zip, "[Content_Types].xml", "<Types/>");
    }
  }

  private static String sheet(List<String> csv) {
    StringBuilder rows = new StringBuilder();
    for (String line : csv) {
      rows.append("<row>");
      for (String field : line.split(",", -1)) {
        boolean isNumber = field.matches("-?\\d+(\\.\\d+)?");
        rows.append(
            isNumber
                ? "<c><v>" + field + "</v></c>"
                : "<c t='inlineStr'><is><t>" + field + "</t></is></c>");
      }
      rows.append("</row>");
    }
    return "<worksheet><sheetData>" + rows + "</sheetData></worksheet>";
  }

  private static void put(ZipOutputStream zip, String name, String text) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
