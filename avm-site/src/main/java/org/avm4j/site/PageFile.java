package org.avm4j.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.ext.heading.anchor.IdGenerator;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * One page of Markdown.
 *
 * @param path where it is, from the root of the project
 * @param content what it says
 */
record PageFile(Path path, Node content) {
  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
  private static final HtmlRenderer RENDERER =
      HtmlRenderer.builder().extensions(EXTENSIONS).build();

  static PageFile read(Path root, Path path) throws IOException {
    return new PageFile(path, PARSER.parse(Files.readString(root.resolve(path))));
  }

  /** The first heading, or the name of the file. */
  String title() {
    List<String> titles = headings();
    return titles.isEmpty() ? path.getFileName().toString() : titles.get(0);
  }

  /** Where a page of Markdown is on the site: a README is the index of its folder. */
  static Path html(Path markdown) {
    String name = markdown.getFileName().toString();
    String html = name.equals("README.md") ? "index.html" : name.replaceFirst("\\.md$", ".html");
    return markdown.resolveSibling(html);
  }

  /** The places of this page that a link can lead to. */
  Set<String> anchors() {
    IdGenerator ids = IdGenerator.builder().build();
    Set<String> anchors = new HashSet<>();
    headings().forEach(heading -> anchors.add(ids.generateId(heading)));
    return anchors;
  }

  private List<String> headings() {
    List<String> headings = new ArrayList<>();
    content.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            headings.add(text(heading));
          }
        });
    return headings;
  }

  private static String text(Node of) {
    StringBuilder text = new StringBuilder();
    of.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text words) {
            text.append(words.getLiteral());
          }

          @Override
          public void visit(Code code) {
            text.append(code.getLiteral());
          }
        });
    return text.toString();
  }

  /** Changes where links and images lead to. */
  void relink(Links links) throws IOException {
    List<Node> found = new ArrayList<>();
    content.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            found.add(link);
            visitChildren(link);
          }

          @Override
          public void visit(Image image) {
            found.add(image);
          }
        });
    for (Node node : found) {
      if (node instanceof Link link) {
        link.setDestination(links.resolve(path, link.getDestination()));
      } else if (node instanceof Image image) {
        image.setDestination(links.resolve(path, image.getDestination()));
      }
    }
  }

  String body() {
    return RENDERER.render(content);
  }
}
