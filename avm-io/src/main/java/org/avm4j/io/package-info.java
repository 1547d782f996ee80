/** Readers for data formats that need a library beyond the JDK. */
package org.avm4j.io;
