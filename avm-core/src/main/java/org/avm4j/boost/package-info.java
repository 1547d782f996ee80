/** Boosted decision trees: gradient boosting over histograms of quantiles. */
package org.avm4j.boost;
