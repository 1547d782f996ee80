/**
 * What a frozen model computes, laid open for those who write it in another format, and how the
 * status of a predictor is gathered.
 */
package org.avm4j.form;
