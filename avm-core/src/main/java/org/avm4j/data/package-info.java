/** Instances, LIBSVM files, names of columns, and scaling. */
package org.avm4j.data;
