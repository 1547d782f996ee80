/** Exact Newton passes over a whole data set, cut into parts that any number of workers share. */
package org.avm4j.batch;
