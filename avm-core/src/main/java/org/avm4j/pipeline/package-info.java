/** A learner together with what comes before it, scaling and labels, and after it, calibration. */
package org.avm4j.pipeline;
