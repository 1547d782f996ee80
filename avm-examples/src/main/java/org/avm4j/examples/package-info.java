/** Small programs that embed the library. */
package org.avm4j.examples;
