/**
 * A tree of machines that grows where the stream has detail: growth, regions, routing, gates,
 * model.
 */
package org.avm4j.tree;
