package org.avm4j.serve;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Changes what answers for a model: pins and unpins versions, and adds, removes and promotes
 * challengers.
 */
final class ModelRoles {
  /** How long a promotion waits for a challenger that has fewer rows than the leader. */
  private static final long CATCH_UP_SECONDS = 5;

  private final Models models;
  private final VersionStore versions;

  ModelRoles(Models models) {
    this.models = models;
    versions = models.store().versions();
  }

  /** The versions of a model that are kept, the newest first, and the one that is pinned. */
  Map<String, Object> versions(String name) {
    ServedModel model = models.get(name);
    long pinned = model.champion().version();
    Long champion = pinned == 0 ? null : pinned;
    List<?> versions = model.versions().stream().map(Version::json).toList();
    return JsonValues.members("champion", champion, "versions", versions);
  }

  /** Stores the present state of a model as a version, unless it is stored already. */
  CompletableFuture<Version> keep(String name) {
    ServedModel model = models.get(name);
    model.checkLearns();
    if (!model.published().check().hasLearned()) {
      throw new Problem(409, "the model has learned nothing yet");
    }
    return model.finish().thenApply(kept -> latest(model));
  }

  private Version latest(ServedModel model) {
    model.checkLearns();
    return model.versions().stream()
        .findFirst()
        .orElseThrow(() -> new Problem(503, "no version is stored yet; try again later"));
  }

  /** Pins a version of a model, which answers from now on. */
  CompletableFuture<Published> pin(String name, long version) {
    ServedModel model = models.get(name);
    model.checkLoaded();
    Published pinned = model.version(version);
    return versions.pin(model.id(), version, () -> model.pin(pinned)).thenApply(done -> pinned);
  }

  /** Lets the latest publication answer again. */
  CompletableFuture<Void> unpin(String name) {
    ServedModel model = models.get(name);
    model.checkLoaded();
    return versions.pin(model.id(), 0, () -> model.pin(null));
  }

  /** Adds a challenger to a model: another learner of the same rows. */
  CompletableFuture<ServedModel> challenge(String name, Map<String, Object> options) {
    ServedModel model = models.get(name);
    ModelSpec spec = model.spec().challenger(options);
    models.checkRoom();
    return versions
        .challenge(model.id(), JsonValues.text(spec.words()))
        .thenApply(
            entry -> {
              ServedModel leader = models.get(name);
              if (leader.id() != model.id()) {
                throw new Problem(404, "the model was deleted in the meantime");
              }
              ServedModel challenger = new ServedModel(entry, spec, models);
              challenger.follow(leader);
              challenger.start(Learning.of(spec, entry.learner(), entry.begun()));
              models.add(challenger);
              return challenger;
            });
  }

  /** Removes the challenger of a model. */
  CompletableFuture<Void> withdraw(String name) {
    ServedModel challenger = models.challenger(name);
    return versions.withdraw(challenger.entry()).thenRun(() -> models.forget(challenger));
  }

  /**
   * Promotes the challenger of a model as soon as it has learned the rows that the leader has
   * published; the former leader becomes the challenger.
   */
  CompletableFuture<ServedModel> promote(String name) {
    ServedModel model = models.get(name);
    ServedModel challenger = models.challenger(name);
    model.checkLearns();
    challenger.checkLearns();
    return models
        .within(CATCH_UP_SECONDS, challenger.published(model.published().sequence()))
        .exceptionally(
            late -> {
              throw new Problem(
                  503,
                  "the challenger is " + challenger.backlog() + " rows behind; try again later");
            })
        .thenCompose(now -> promote(name, model, challenger, now))
        .thenApply(last -> challenger);
  }

  /**
   * Swaps the two learners. Rows written before the promotion were submitted to the former leader;
   * all later rows are submitted to the challenger.
   */
  private CompletableFuture<Long> promote(
      String name, ServedModel model, ServedModel challenger, Published now) {
    if (!now.check().hasLearned()) {
      throw new Problem(409, "the challenger has learned nothing yet");
    }
    return versions.promote(
        challenger.entry(),
        last -> {
          challenger.lead(last);
          model.follow(challenger);
          models.swap(name, model, challenger);
        });
  }
}
