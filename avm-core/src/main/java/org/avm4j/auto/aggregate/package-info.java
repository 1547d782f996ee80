/**
 * How the answers of experts become one: {@link org.avm4j.auto.aggregate.Mixture} weighs them by
 * how good they were lately, with a bound on how much worse than the best of them it can be.
 */
package org.avm4j.auto.aggregate;
