package org.avm4j.form;

/** A model that can be laid open; {@code model.inspect(OpenModel.class)} finds it. */
public interface OpenModel {
  /** What the model computes. */
  ModelForm form();
}
