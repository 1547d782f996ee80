package org.avm4j.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.avm4j.Features;
import org.avm4j.Model;
import org.avm4j.Prediction;

/**
 * Answers from many threads while the model is replaced under it. A model is immutable, so that one
 * atomic reference is all the synchronisation there is: a request sees the old model or the new
 * one, never half of each.
 */
public final class Scorer {
  private final AtomicReference<Model> model;

  /** A scorer that answers by this model. */
  public Scorer(Model model) {
    this.model = new AtomicReference<>(model);
  }

  /** Answers one row; any number of threads may ask at once. */
  public Prediction answer(Features row) {
    return model.get().answer(row);
  }

  /** Answers by another model from now on; requests under way finish with the old one. */
  public void swap(Model next) {
    model.set(next);
  }

  /** Loads the model of a file, a learner's file included, and answers by it from now on. */
  public void reload(Path file) throws IOException {
    swap(Model.load(file));
  }
}
