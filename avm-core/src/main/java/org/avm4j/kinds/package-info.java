/** Makes the kinds of files of this library known to {@link org.avm4j.Kinds}. Not exported. */
package org.avm4j.kinds;
