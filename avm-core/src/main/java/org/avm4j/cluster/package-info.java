/** Clusters of a stream, found without their number being given. */
package org.avm4j.cluster;
