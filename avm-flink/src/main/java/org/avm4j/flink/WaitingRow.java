package org.avm4j.flink;

import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A row that waits for its label.
 *
 * @param row the row
 * @param until when it expires, in milliseconds since 1970
 * @param given the label that was answered; null for none
 */
@TypeInfo(ValueTypeFactory.class)
record WaitingRow(AvmRow row, long until, Object given) {}
