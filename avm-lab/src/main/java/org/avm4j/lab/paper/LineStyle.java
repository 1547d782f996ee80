package org.avm4j.lab.paper;

import static org.knowm.xchart.style.markers.SeriesMarkers.CIRCLE;
import static org.knowm.xchart.style.markers.SeriesMarkers.CROSS;
import static org.knowm.xchart.style.markers.SeriesMarkers.DIAMOND;
import static org.knowm.xchart.style.markers.SeriesMarkers.NONE;
import static org.knowm.xchart.style.markers.SeriesMarkers.PLUS;
import static org.knowm.xchart.style.markers.SeriesMarkers.SQUARE;
import static org.knowm.xchart.style.markers.SeriesMarkers.TRIANGLE_DOWN;
import static org.knowm.xchart.style.markers.SeriesMarkers.TRIANGLE_UP;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.knowm.xchart.style.markers.Marker;

/**
 * The style of a line: a colour from the palette of Okabe and Ito, which colour-blind people can
 * distinguish, and a marker, so that methods differ even in grey. AVM has thick lines, other
 * methods thin ones, and those without a budget dashed ones.
 */
record LineStyle(Color colour, Marker marker, BasicStroke stroke) {
  static final Color BLACK = new Color(0x000000);
  static final Color ORANGE = new Color(0xE69F00);
  static final Color SKY = new Color(0x56B4E9);
  static final Color GREEN = new Color(0x009E73);
  static final Color BLUE = new Color(0x0072B2);
  static final Color VERMILION = new Color(0xD55E00);
  static final Color PURPLE = new Color(0xCC79A7);
  static final Color GREY = new Color(0x888888);

  /** The Viridis colours, whose brightness increases, so that they can be read in grey. */
  static final Color[] LOW_TO_HIGH = {
    new Color(0x440154),
    new Color(0x3B528B),
    new Color(0x21918C),
    new Color(0x5EC962),
    new Color(0xFDE725)
  };

  private static final float[] DASH = {7, 4};

  /** The style of a single line, or of the first of two. */
  static final LineStyle FIRST = thick(VERMILION, CIRCLE);

  static final LineStyle SECOND = thick(BLUE, SQUARE);

  /** A thick line without markers. */
  static final LineStyle BARE = thick(VERMILION, NONE);

  /** A thin line without markers, for the background. */
  static final LineStyle PALE = thin(SKY, NONE);

  private static final List<LineStyle> NUMBERED =
      List.of(
          thin(BLUE, SQUARE),
          thin(GREEN, TRIANGLE_UP),
          thin(ORANGE, DIAMOND),
          thin(SKY, TRIANGLE_DOWN),
          thin(PURPLE, PLUS),
          thin(BLACK, CROSS),
          thin(GREY, CIRCLE));

  /** The style of line i in a figure without methods; repeats after seven. */
  static LineStyle numbered(int i) {
    return NUMBERED.get(i % NUMBERED.size());
  }

  /** The style of a method, which is the same in all figures. */
  static LineStyle of(Contender contender) {
    return switch (contender) {
      case AVM_HINGE, AVM_EPSILON -> FIRST;
      case AVM_LOGIT, AVM_L1 -> SECOND;
      case AVM_L2 -> thick(BLACK, DIAMOND);
      case AVM_NEWTON, AVM_NEWTON_BATCH -> thick(GREEN, TRIANGLE_UP);
      case AVM_TREE -> thick(BLUE, TRIANGLE_DOWN);
      case AVM_AUTO -> thick(PURPLE, DIAMOND);
      case PERCEPTRON, LIBSVM -> dashed(GREY, CROSS);
      case OGD, LLSVM -> dashed(BLACK, PLUS);
      case RBP, BSGD_M -> thin(ORANGE, CIRCLE);
      case FORGETRON, BSGD_R -> thin(ORANGE, TRIANGLE_DOWN);
      case PROJECTRON -> thin(SKY, SQUARE);
      case PROJECTRON_PLUS_PLUS -> thin(SKY, DIAMOND);
      case BPAS -> thin(PURPLE, TRIANGLE_UP);
      case BOGD -> thin(GREY, TRIANGLE_DOWN);
      case FOGD -> thin(BLUE, CROSS);
      case NOGD -> thin(GREEN, PLUS);
    };
  }

  boolean hasMarker() {
    return marker != NONE;
  }

  private static LineStyle thick(Color colour, Marker marker) {
    return new LineStyle(colour, marker, stroke(3f, null));
  }

  private static LineStyle thin(Color colour, Marker marker) {
    return new LineStyle(colour, marker, stroke(1.6f, null));
  }

  private static LineStyle dashed(Color colour, Marker marker) {
    return new LineStyle(colour, marker, stroke(1.6f, DASH));
  }

  private static BasicStroke stroke(float width, float[] dash) {
    return new BasicStroke(width, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, dash, 0);
  }
}
