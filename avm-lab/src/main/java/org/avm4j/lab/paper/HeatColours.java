package org.avm4j.lab.paper;

import java.awt.Color;

/** The Viridis colours, whose brightness increases, so that they can be read in grey. */
final class HeatColours {
  static final Color[] LOW_TO_HIGH = {
    new Color(0x440154),
    new Color(0x3B528B),
    new Color(0x21918C),
    new Color(0x5EC962),
    new Color(0xFDE725)
  };

  private HeatColours() {}
}
