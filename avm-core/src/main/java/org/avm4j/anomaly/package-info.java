/** Anomalies: how far an instance is from the densest cells of the stream. */
package org.avm4j.anomaly;
