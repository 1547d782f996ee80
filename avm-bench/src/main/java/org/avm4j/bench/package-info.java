/**
 * Benchmarks of the pieces, the arena of all learners, and facts about long runs. Never published.
 */
package org.avm4j.bench;
