/**
 * The methods that the paper compares with (Section 9), under the contract of all learners.
 *
 * <p>An online kernel learner here is a {@link org.avm4j.lab.baseline.Rule}, which says how far f
 * moves, a {@link org.avm4j.lab.baseline.Decay}, which says how f shrinks, and a {@link
 * org.avm4j.lab.baseline.Budget}, which says what becomes of the instance when there is no room.
 */
package org.avm4j.lab.baseline;
