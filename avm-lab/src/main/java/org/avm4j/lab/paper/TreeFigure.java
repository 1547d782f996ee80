package org.avm4j.lab.paper;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import javax.imageio.ImageIO;
import org.avm4j.Features;
import org.avm4j.Task;
import org.avm4j.codec.AtomicFile;
import org.avm4j.tree.AvmTree;
import org.avm4j.tree.TreeLeaves;

/**
 * The picture of a tree of machines over two features: pale colours show the answers, thin lines
 * the borders of the leaves, and dots the core points of their machines. Features are those that
 * the tree sees, so they may be scaled.
 */
final class TreeFigure {
  private static final int SIDE = 600;
  private static final int LEFT = 56;
  private static final int TOP = 40;
  private static final int RIGHT = 18;
  private static final int BOTTOM = 46;

  /** One answer is drawn as a square with sides of this number of pixels. */
  private static final int GRAIN = 2;

  private static final double MARGIN = 0.02;

  private static final Color[] CLASSES = {
    LineStyle.BLUE,
    LineStyle.ORANGE,
    LineStyle.GREEN,
    LineStyle.PURPLE,
    LineStyle.SKY,
    LineStyle.VERMILION,
    LineStyle.GREY
  };

  private final AvmTree tree;
  private final TreeLeaves leaves;
  private final List<List<Features>> points;
  private final double[] low = new double[2];
  private final double[] high = new double[2];

  private TreeFigure(AvmTree tree, TreeLeaves leaves, List<List<Features>> points) {
    this.tree = tree;
    this.leaves = leaves;
    this.points = points;
    for (int axis = 0; axis < 2; axis++) {
      int at = axis;
      double[] values =
          points.stream().flatMap(List::stream).mapToDouble(x -> x.get(at)).sorted().toArray();
      double reach = MARGIN * (values[values.length - 1] - values[0]);
      low[axis] = values[0] - reach;
      high[axis] = values[values.length - 1] + reach;
    }
  }

  /** Writes the picture and its core points, if the tree has grown over exactly two features. */
  static void writeIfFlat(AvmTree tree, Path png) throws IOException {
    TreeLeaves leaves = tree.leaves();
    List<List<Features>> points =
        IntStream.range(0, leaves.count()).mapToObj(leaves::corePoints).toList();
    int features =
        points.stream().flatMap(List::stream).mapToInt(Features::dimension).max().orElse(0);
    if (features == 2) {
      new TreeFigure(tree, leaves, points).write(png);
    }
  }

  private void write(Path png) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(draw(), "png", bytes);
    AtomicFile.write(png, bytes.toByteArray());
    AtomicFile.write(Chart.numbers(png), csv().getBytes(StandardCharsets.UTF_8));
  }

  private String csv() {
    List<String> lines = new ArrayList<>(List.of("leaf,feature 1,feature 2"));
    for (int leaf = 0; leaf < points.size(); leaf++) {
      for (Features x : points.get(leaf)) {
        lines.add(leaf + "," + Chart.shortly(x.get(0)) + "," + Chart.shortly(x.get(1)));
      }
    }
    return String.join("\n", lines) + "\n";
  }

  private BufferedImage draw() {
    BufferedImage image =
        new BufferedImage(LEFT + SIDE + RIGHT, TOP + SIDE + BOTTOM, BufferedImage.TYPE_INT_RGB);
    Graphics2D g = image.createGraphics();
    g.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    g.setColor(Color.WHITE);
    g.fillRect(0, 0, image.getWidth(), image.getHeight());
    drawAnswers(g);
    drawBorders(image);
    drawPoints(g);
    drawFrame(g);
    g.dispose();
    return image;
  }

  private double x(double pixel) {
    return low[0] + (high[0] - low[0]) * pixel / SIDE;
  }

  private double y(double pixel) {
    return high[1] - (high[1] - low[1]) * pixel / SIDE;
  }

  private Features at(double column, double row) {
    return Features.dense(x(column), y(row));
  }

  private void drawAnswers(Graphics2D g) {
    int n = SIDE / GRAIN;
    double[][] answers = new double[n][n];
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        answers[row][column] = tree.predict(at(GRAIN * (column + 0.5), GRAIN * (row + 0.5)));
      }
    }
    double[] sorted = Arrays.stream(answers).flatMapToDouble(Arrays::stream).sorted().toArray();
    double[] classes = tree.classes();
    for (int row = 0; row < n; row++) {
      for (int column = 0; column < n; column++) {
        g.setColor(colour(answers[row][column], classes, sorted));
        g.fillRect(LEFT + GRAIN * column, TOP + GRAIN * row, GRAIN, GRAIN);
      }
    }
  }

  private Color colour(double answer, double[] classes, double[] sorted) {
    if (tree.task().kind() != Task.Kind.REGRESSION) {
      return pale(full(answer, classes));
    }
    double lowest = sorted[sorted.length / 100];
    double range = Math.max(sorted[sorted.length - 1 - sorted.length / 100] - lowest, 1e-12);
    double place = Math.max(0, Math.min(1, (answer - lowest) / range));
    return pale(heat(place * (LineStyle.LOW_TO_HIGH.length - 1)));
  }

  private static Color full(double answer, double[] classes) {
    return CLASSES[Math.floorMod(Arrays.binarySearch(classes, answer), CLASSES.length)];
  }

  private static Color dark(Color colour) {
    return mixed(colour, Color.BLACK, 0.25);
  }

  private static Color heat(double place) {
    int from = Math.min((int) place, LineStyle.LOW_TO_HIGH.length - 2);
    return mixed(LineStyle.LOW_TO_HIGH[from], LineStyle.LOW_TO_HIGH[from + 1], place - from);
  }

  private static Color pale(Color colour) {
    return mixed(colour, Color.WHITE, 0.6);
  }

  private static Color mixed(Color from, Color to, double part) {
    return new Color(
        mixed(from.getRed(), to.getRed(), part),
        mixed(from.getGreen(), to.getGreen(), part),
        mixed(from.getBlue(), to.getBlue(), part));
  }

  private static int mixed(int from, int to, double part) {
    return (int) Math.round(from + part * (to - from));
  }

  /** Draws a pixel dark if its right or lower neighbour belongs to another leaf. */
  private void drawBorders(BufferedImage image) {
    int[] above = new int[SIDE + 1];
    for (int row = SIDE; row >= 0; row--) {
      int[] here = new int[SIDE + 1];
      for (int column = SIDE; column >= 0; column--) {
        here[column] = leaves.of(at(column, row));
        boolean isInside = row < SIDE && column < SIDE;
        if (isInside && (here[column] != here[column + 1] || here[column] != above[column])) {
          image.setRGB(LEFT + column, TOP + row, Color.DARK_GRAY.getRGB());
        }
      }
      above = here;
    }
  }

  /** Draws the core points in a dark shade of their answer; the more there are, the smaller. */
  private void drawPoints(Graphics2D g) {
    double[] classes = tree.classes();
    double dot = Math.max(2, Math.min(4, 150 / Math.sqrt(count())));
    g.setRenderingHint(
        RenderingHints.KEY_ANTIALIASING,
        dot > 2 ? RenderingHints.VALUE_ANTIALIAS_ON : RenderingHints.VALUE_ANTIALIAS_OFF);
    for (List<Features> of : points) {
      for (Features x : of) {
        boolean hasClasses = tree.task().kind() != Task.Kind.REGRESSION;
        g.setColor(hasClasses ? dark(full(tree.predict(x), classes)) : Color.DARK_GRAY);
        double column = LEFT + SIDE * (x.get(0) - low[0]) / (high[0] - low[0]);
        double row = TOP + SIDE * (high[1] - x.get(1)) / (high[1] - low[1]);
        g.fill(new Ellipse2D.Double(column - dot / 2, row - dot / 2, dot, dot));
      }
    }
  }

  private int count() {
    return points.stream().mapToInt(List::size).sum();
  }

  private void drawFrame(Graphics2D g) {
    g.setColor(LineStyle.GREY);
    g.setStroke(new BasicStroke(1f));
    g.drawRect(LEFT, TOP, SIDE, SIDE);
    g.setColor(Color.DARK_GRAY);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
    centred(g, title(), LEFT + SIDE / 2, TOP - 14);
    g.setFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
    for (double tick : ticks(low[0], high[0])) {
      int column = (int) Math.round(LEFT + SIDE * (tick - low[0]) / (high[0] - low[0]));
      centred(g, Chart.shortly(tick), column, TOP + SIDE + 18);
    }
    for (double tick : ticks(low[1], high[1])) {
      int row = (int) Math.round(TOP + SIDE * (high[1] - tick) / (high[1] - low[1]));
      String text = Chart.shortly(tick);
      g.drawString(text, LEFT - 8 - g.getFontMetrics().stringWidth(text), row + 4);
    }
    centred(g, "feature 1", LEFT + SIDE / 2, TOP + SIDE + 38);
    g.rotate(-Math.PI / 2);
    centred(g, "feature 2", -(TOP + SIDE / 2), 14);
  }

  /** About four to ten round numbers in a range. */
  private static double[] ticks(double from, double to) {
    double range = Math.max(to - from, 1e-12);
    double step = Math.pow(10, Math.floor(Math.log10(range)));
    step = range / step >= 4 ? step : range / step >= 2 ? step / 2 : step / 5;
    double size = step;
    long first = (long) Math.ceil(from / size);
    return LongStream.rangeClosed(first, (long) Math.floor(to / size))
        .mapToDouble(i -> i * size)
        .toArray();
  }

  private String title() {
    return String.format(Locale.ROOT, "%,d leaves with %,d core points", leaves.count(), count());
  }

  private static void centred(Graphics2D g, String text, int x, int y) {
    g.drawString(text, x - g.getFontMetrics().stringWidth(text) / 2, y);
  }
}
