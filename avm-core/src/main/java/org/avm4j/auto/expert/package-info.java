/**
 * Experts: learners that stand beside the learner of the race, all behind {@link
 * org.avm4j.auto.expert.Expert}. A new kind is one class and one line in {@link
 * org.avm4j.auto.expert.Experts}.
 */
package org.avm4j.auto.expert;
