/**
 * The state of one machine: its vectors with all that is kept for each, the size cap, and merging;
 * not exported.
 */
package org.avm4j.machine;
