/**
 * The methods that the paper compares with (Section 9), under the contract of all learners.
 *
 * <p>An online kernel learner consists of a {@link org.avm4j.lab.baseline.StepRule} for the size of
 * steps, a {@link org.avm4j.lab.baseline.Decay} that shrinks f, and a {@link
 * org.avm4j.lab.baseline.Budget} that adds instances and makes room.
 */
package org.avm4j.lab.baseline;
