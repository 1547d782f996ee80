/**
 * Specifications of learners in words, a survey of the data, and the default options that follow
 * from it.
 */
package org.avm4j.spec;
