/**
 * The experiments of the paper: its data sets, its numbers, its methods, the runs that are made
 * here, and the tables and figures that put both side by side. One concept a file.
 */
package org.avm4j.lab.paper;
