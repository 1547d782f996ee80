package org.avm4j.flink;

import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A row that could not be used, and why. Nothing was learned from it.
 *
 * @param row the row as it came, cut if it is very long
 * @param reason one sentence
 */
@TypeInfo(ValueTypeFactory.class)
public record DeadLetter(String row, String reason) {
  private static final int MOST = 10_000;

  public DeadLetter {
    row = row.length() > MOST ? row.substring(0, MOST) + "…" : row;
  }
}
