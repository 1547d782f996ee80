/**
 * The second-order step: its sums, its scale, parabolas for losses, and exact history; not
 * exported.
 */
package org.avm4j.newton;
