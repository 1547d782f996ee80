/** Benchmarks of the pieces, peers side by side, and facts about long runs. Never published. */
package org.avm4j.bench;
