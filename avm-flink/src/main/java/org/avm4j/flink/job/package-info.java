/** The ready job: the command line, sources and sinks around the streams of this library. */
package org.avm4j.flink.job;
