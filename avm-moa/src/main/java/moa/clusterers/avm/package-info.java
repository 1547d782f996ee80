/** Clusters of any shape, as a clusterer of MOA. */
package moa.clusterers.avm;
