package org.avm4j;

/**
 * Where a model comes from.
 *
 * @param libraryVersion the version of the library that learned it
 * @param options all options, the seed among them
 * @param instances the number of instances learned
 * @param cells the number of core points
 * @param supportVectors the number of vectors that have weight in w_{T+1}
 * @param atLimit how often the size cap moved or dropped an update
 */
public record Provenance(
    String libraryVersion,
    AvmOptions options,
    long instances,
    int cells,
    int supportVectors,
    long atLimit) {}
