/**
 * What the paper says before anything is learned: the bounds of its theorems, its diameter
 * heuristic.
 */
package org.avm4j.theory;
