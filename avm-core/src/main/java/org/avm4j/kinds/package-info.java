/**
 * Makes the kinds of files of this library known to {@link org.avm4j.codec.FileKinds}. Not
 * exported.
 */
package org.avm4j.kinds;
