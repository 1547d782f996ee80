/**
 * The vectors that a model keeps, and the one pass that measures an instance against them; not
 * exported.
 */
package org.avm4j.points;
