/** The numbers that automatic mode was tuned by, all in one place. */
package org.avm4j.auto.constants;
