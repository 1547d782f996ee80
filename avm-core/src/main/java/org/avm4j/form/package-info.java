/**
 * The computation of frozen models in a form that exporters can write, and the builder of a
 * predictor's status.
 */
package org.avm4j.form;
