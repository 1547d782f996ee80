package org.avm4j.serve;

import java.lang.ref.SoftReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cache of the stored versions that clients request by number. */
final class VersionCache {
  private static final int REMEMBERED = 16;

  private final Map<Key, SoftReference<Published>> remembered =
      new LinkedHashMap<>(REMEMBERED, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SoftReference<Published>> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Key(long model, long version) {}

  /** The numbers of the versions of a model, the newest first. */
  static List<Long> numbers(ServedModel model) {
    return model.versions().stream().map(Version::number).toList();
  }

  /** A version of a model; throws a {@link Problem} if it is not stored. */
  Published get(ServedModel model, String number) {
    long version = number.matches("[1-9][0-9]{0,17}") ? Long.parseLong(number) : 0;
    if (!numbers(model).contains(version)) {
      throw new Problem(
          404, "version " + number + " of model '" + model.name() + "' is not stored");
    }
    Key key = new Key(model.id(), version);
    Published known = remembered(key);
    if (known == null) {
      known = model.version(version);
      remember(key, known);
    }
    return known;
  }

  private synchronized Published remembered(Key key) {
    SoftReference<Published> known = remembered.get(key);
    return known == null ? null : known.get();
  }

  private synchronized void remember(Key key, Published version) {
    remembered.put(key, new SoftReference<>(version));
  }
}
