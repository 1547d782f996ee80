/**
 * Approximation Vector Machines, and what all learners and models share.
 *
 * <p>The files of this package follow the paper: {@link org.avm4j.Avm} is its learner, {@link
 * org.avm4j.Loss}, {@link org.avm4j.Kernel}, {@link org.avm4j.Coverage} and {@link
 * org.avm4j.Update} are its parts. Start with {@link org.avm4j.AvmOptions} and {@link
 * org.avm4j.OnlineLearner}.
 */
package org.avm4j;
