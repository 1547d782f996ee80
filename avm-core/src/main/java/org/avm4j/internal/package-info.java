/** Hot loops over plain arrays. Not exported: nothing here is a promise. */
package org.avm4j.internal;
