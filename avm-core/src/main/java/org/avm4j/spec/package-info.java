/** What a first look at the data tells, and the defaults that follow from it. */
package org.avm4j.spec;
