/**
 * How the answers of experts are combined: {@link org.avm4j.auto.aggregate.Mixture} weights them by
 * how good they were lately, with a bound on how much worse than the best expert it can be.
 */
package org.avm4j.auto.aggregate;
