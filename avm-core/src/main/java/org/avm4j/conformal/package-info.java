/**
 * How sure an answer is: intervals and sets of labels that hold the truth as often as they promise.
 */
package org.avm4j.conformal;
