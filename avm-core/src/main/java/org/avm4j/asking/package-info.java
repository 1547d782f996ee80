/** Which rows of a stream are worth the price of a label. */
package org.avm4j.asking;
