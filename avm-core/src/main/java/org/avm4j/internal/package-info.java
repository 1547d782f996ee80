/** Hot loops over plain arrays, and small helpers of the core. Nothing here is a promise. */
package org.avm4j.internal;
