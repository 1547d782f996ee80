package org.avm4j.flink;

import org.apache.flink.api.common.typeinfo.TypeInfo;

/**
 * A label that arrived before its row.
 *
 * @param label the label
 * @param until when it expires, in milliseconds since 1970
 */
@TypeInfo(ValueTypeFactory.class)
record WaitingLabel(LateLabel label, long until) {}
