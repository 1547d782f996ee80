package org.avm4j.form;

/** A model whose computation can be exported; {@code model.inspect(OpenModel.class)} finds it. */
public interface OpenModel {
  /** The computation of the model. */
  ModelForm form();
}
