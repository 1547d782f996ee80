/** The command {@code avm}, one class a subcommand. */
package org.avm4j.app;
