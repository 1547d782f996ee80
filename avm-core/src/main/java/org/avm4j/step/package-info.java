/**
 * What a learning step reads and changes: coefficients by SGD, memory, counts of classes; not
 * exported.
 */
package org.avm4j.step;
