/**
 * Experts: learners that run beside the leading one. All implement {@link
 * org.avm4j.auto.expert.Expert}. A new kind is one class and one line in {@link
 * org.avm4j.auto.expert.Experts}.
 */
package org.avm4j.auto.expert;
