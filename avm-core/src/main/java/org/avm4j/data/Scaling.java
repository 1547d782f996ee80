package org.avm4j.data;

/** To what range features are brought before they are learned from. */
public enum Scaling {
  /** As they are. */
  NONE,
  /** To [0, 1], by the smallest and largest value. */
  UNIT,
  /** To [-1, 1], by the smallest and largest value. */
  SYMMETRIC,
  /** To mean 0 and standard deviation 1. */
  STANDARD
}
