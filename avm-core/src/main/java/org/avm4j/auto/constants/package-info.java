/** All tuned numbers of automatic mode. */
package org.avm4j.auto.constants;
