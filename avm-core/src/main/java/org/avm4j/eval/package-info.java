/** Prequential evaluation, and the metrics of each task. */
package org.avm4j.eval;
