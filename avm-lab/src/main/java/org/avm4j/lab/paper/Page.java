package org.avm4j.lab.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A report as a list of parts, written as Markdown or as one self-contained HTML file. */
final class Page {
  private sealed interface Part {
    String markdown();

    String html(Path folder) throws IOException;
  }

  private record Heading(int level, String text) implements Part {
    @Override
    public String markdown() {
      return "#".repeat(level) + ' ' + text + '\n';
    }

    @Override
    public String html(Path folder) {
      return "<h%d>%s</h%d>%n".formatted(level, Table.escaped(text), level);
    }
  }

  private record Paragraph(String text) implements Part {
    @Override
    public String markdown() {
      return text + '\n';
    }

    @Override
    public String html(Path folder) {
      return "<p>" + Table.escaped(text) + "</p>\n";
    }
  }

  private record Rows(Table table) implements Part {
    @Override
    public String markdown() {
      return table.markdown();
    }

    @Override
    public String html(Path folder) {
      return table.html();
    }
  }

  private record Pictures(List<Figures.Figure> figures) implements Part {
    @Override
    public String markdown() {
      StringBuilder text = new StringBuilder();
      for (Figures.Figure figure : figures) {
        String path = figure.file().toString().replace('\\', '/');
        text.append("![").append(figure.caption()).append("](").append(path).append(")\n");
      }
      return text.toString();
    }

    @Override
    public String html(Path folder) throws IOException {
      StringBuilder text = new StringBuilder("<div class=\"pictures\">\n");
      for (Figures.Figure figure : figures) {
        text.append(Page.html(figure, folder));
      }
      return text.append("</div>\n").toString();
    }
  }

  private final String title;
  private final List<Part> parts = new ArrayList<>();

  Page(String title) {
    this.title = title;
  }

  void heading(int level, String text) {
    parts.add(new Heading(level, text));
  }

  void paragraph(String text) {
    parts.add(new Paragraph(text));
  }

  void table(Table table) {
    parts.add(new Rows(table));
  }

  /** Adds PNG files from the folder of the page, side by side if there is room. */
  void pictures(List<Figures.Figure> figures) {
    parts.add(new Pictures(figures));
  }

  String markdown() {
    StringBuilder text = new StringBuilder("# " + title + "\n");
    for (Part part : parts) {
      text.append('\n').append(part.markdown());
    }
    return text.toString();
  }

  /** The page with embedded pictures, which are read from the folder. */
  String html(Path folder) throws IOException {
    StringBuilder body = new StringBuilder();
    for (Part part : parts) {
      body.append(part.html(folder));
    }
    return Sections.text("report.html")
        .replace("{{title}}", Table.escaped(title))
        .replace("{{body}}", body.toString());
  }

  private static String html(Figures.Figure figure, Path folder) throws IOException {
    byte[] png = Files.readAllBytes(folder.resolve(figure.file()));
    String caption = Table.escaped(figure.caption());
    return "<figure><img alt=\"%s\" src=\"data:image/png;base64,%s\"><figcaption>%s</figcaption></figure>%n"
        .formatted(caption, Base64.getEncoder().encodeToString(png), caption);
  }
}
