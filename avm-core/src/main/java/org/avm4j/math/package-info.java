/** Small numeric tools with reproducible results: vectors, histograms, random numbers. */
package org.avm4j.math;
