/** Online kernel machines whose model stays small, as learners of MOA. */
package moa.classifiers.avm;
