package org.avm4j.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.avm4j.codec.ModelFile;
import org.avm4j.io.DataReader;
import org.avm4j.lab.Generator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The jars say which version they are, so that files say which version wrote them. Where the build
 * has made no jars yet, as with {@code mvnw test}, there is nothing to look at.
 */
class VersionTest {
  private static final String VERSION = System.getProperty("project.version");

  @ParameterizedTest
  @ValueSource(classes = {ModelFile.class, DataReader.class, Generator.class})
  void aPublishedJarKnowsItsVersion(Class<?> inside) {
    assumeJar(inside);
    assertThat(inside.getPackage().getImplementationVersion()).isEqualTo(VERSION);
  }

  @Test
  void whoEmbedsTheLibraryWritesItsVersionIntoFiles() {
    assumeJar(ModelFile.class);
    assertThat(ModelFile.libraryVersionOfThis()).isEqualTo(VERSION);
  }

  private static void assumeJar(Class<?> inside) {
    String place = inside.getProtectionDomain().getCodeSource().getLocation().getPath();
    assumeTrue(place.endsWith(".jar"), place + " is not a jar");
  }
}
