/** Automatic mode: {@link org.avm4j.auto.AutoAvm} finds its options from the stream. */
package org.avm4j.auto;
