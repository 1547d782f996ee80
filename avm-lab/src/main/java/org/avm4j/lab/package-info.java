/** Baselines, evaluation, tuning and the experiments of the paper. */
package org.avm4j.lab;
