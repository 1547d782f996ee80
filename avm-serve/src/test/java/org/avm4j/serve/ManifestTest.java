package org.avm4j.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The manifests in the folder deploy. {@code kubernetes.json} lists those fields of Kubernetes that
 * they use or may use, and which are required; any other field is taken for a misspelled one.
 */
class ManifestTest {
  private SchemaCheck check;

  @BeforeEach
  void readTheSchemas() throws IOException {
    try (InputStream in = getClass().getResourceAsStream("kubernetes.json")) {
      check = new SchemaCheck(JsonValues.object(in.readAllBytes()));
    }
  }

  /** The documents of a file, read by Python's parser of YAML. */
  static List<Object> yaml(String text) throws IOException, InterruptedException {
    Process python = null;
    try {
      python =
          new ProcessBuilder(
                  System.getenv().getOrDefault("AVM_PYTHON", "python3"),
                  "-c",
                  "import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(sys.stdin))))")
              .start();
    } catch (IOException absent) {
      assumeTrue(false, "python3 is not installed");
    }
    python.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    python.getOutputStream().close();
    byte[] json = python.getInputStream().readAllBytes();
    assumeTrue(python.waitFor() == 0, "python3 with yaml is not installed");
    return new ArrayList<>((List<?>) JsonValues.parse(json));
  }

  static String file(String name) throws IOException {
    return Files.readString(Path.of("deploy", name));
  }

  private List<String> faults(String text) throws IOException, InterruptedException {
    List<String> faults = new ArrayList<>();
    for (Object document : yaml(text)) {
      Object schema = Map.of("$ref", "#/schemas/" + at(document, "kind"));
      faults.addAll(check.faults(schema, document));
    }
    return faults;
  }

  private static Object at(Object value, String... keys) {
    Object found = value;
    for (String key : keys) {
      found =
          found instanceof List<?> list
              ? list.get(Integer.parseInt(key))
              : ((Map<?, ?>) found).get(key);
    }
    return found;
  }

  private static List<Object> each(Object list, String... keys) {
    List<Object> found = new ArrayList<>();
    ((List<?>) list).forEach(one -> found.add(at(one, keys)));
    return found;
  }

  @Test
  void theManifestsHaveTheFieldsOfKubernetesAndNoOthers() throws Exception {
    assertThat(faults(file("kubernetes.yaml"))).isEmpty();
    assertThat(faults(file("servicemonitor.yaml"))).isEmpty();
  }

  @Test
  void aMisspelledOrMissingFieldIsNoticed() throws Exception {
    String good = file("kubernetes.yaml");
    for (String[] change :
        new String[][] {
          {"livenessProbe:", "livenesProbe:"},
          {"readOnlyRootFilesystem: true", "readOnlyRootFileSystem: true"},
          {"replicas: 1", "replicas: one"},
          {"mountPath: /tmp", "path: /tmp"},
          {"containerPort: 8080", "hostPort: 8080"},
          {"value: \"-XX", "valeu: \"-XX"},
          {"apiVersion: apps/v1", "apiVersion: apps/v1beta1"},
          {
            "              port: http\n            periodSeconds: 10",
            "            periodSeconds: 10"
          }
        }) {
      assertThat(good).contains(change[0]);
      assertThat(faults(good.replace(change[0], change[1]))).as(change[1]).isNotEmpty();
    }
  }

  @Test
  void whatTheManifestsReferToIsThere() throws Exception {
    List<Object> all = yaml(file("kubernetes.yaml"));
    assertThat(each(all, "kind")).containsExactly("ConfigMap", "Service", "StatefulSet");
    Object service = all.get(1);
    Object set = at(all.get(2), "spec");
    Object pod = at(set, "template", "spec");
    Object container = at(pod, "containers", "0");
    Object labels = at(set, "template", "metadata", "labels");
    assertThat(at(set, "selector", "matchLabels")).isEqualTo(labels);
    assertThat(at(service, "spec", "selector")).isEqualTo(labels);
    assertThat(at(set, "serviceName")).isEqualTo(at(service, "metadata", "name"));
    List<Object> ports = each(at(container, "ports"), "name");
    assertThat(ports).contains(at(service, "spec", "ports", "0", "targetPort"));
    for (String probe : List.of("livenessProbe", "readinessProbe")) {
      assertThat(ports).contains(at(container, probe, "httpGet", "port"));
    }
    List<Object> volumes = each(at(pod, "volumes"), "name");
    volumes.addAll(each(at(set, "volumeClaimTemplates"), "metadata", "name"));
    assertThat(each(at(container, "volumeMounts"), "name"))
        .containsExactlyInAnyOrderElementsOf(volumes);
    assertThat(at(pod, "volumes", "0", "configMap", "name"))
        .isEqualTo(at(all.get(0), "metadata", "name"));
  }

  @Test
  void theMonitorSelectsTheServiceOfTheManifestAndSendsAToken() throws Exception {
    List<Object> manifest = yaml(file("kubernetes.yaml"));
    Object monitor = yaml(file("servicemonitor.yaml")).get(0);
    assertThat(at(manifest.get(1), "metadata", "labels"))
        .isNotNull()
        .isEqualTo(at(monitor, "spec", "selector", "matchLabels"));
    assertThat(at(manifest.get(1), "spec", "ports", "0", "name"))
        .isEqualTo(at(monitor, "spec", "endpoints", "0", "port"));
    assertThat(at(monitor, "spec", "endpoints", "0", "authorization", "credentials"))
        .isEqualTo(Map.of("name", "avm-metrics", "key", "token"));
    assertThat(at(manifest.get(2), "spec", "template", "metadata").toString())
        .doesNotContain("prometheus.io");
  }
}
