package org.avm4j.flink.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.YamlParserUtils;
import org.junit.jupiter.api.Test;

/** The manifest for Kubernetes names what there is. */
class ManifestTest {
  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Map<String, Object> of, String key) {
    return (Map<String, Object>) of.get(key);
  }

  private static Map<String, Object> spec() throws Exception {
    return map(YamlParserUtils.loadYamlFile(new File("src/cluster/kubernetes.yaml")), "spec");
  }

  @Test
  void everySettingIsOneOfFlink() throws Exception {
    Set<String> known = new TreeSet<>();
    for (Class<?> options :
        List.of(
            CheckpointingOptions.class,
            HighAvailabilityOptions.class,
            RestartStrategyOptions.class,
            StateBackendOptions.class,
            TaskManagerOptions.class)) {
      for (Field field : options.getFields()) {
        if (field.getType() == ConfigOption.class) {
          known.add(((ConfigOption<?>) field.get(null)).key());
        }
      }
    }
    Map<String, Object> settings = map(spec(), "flinkConfiguration");
    assertThat(settings).hasSizeGreaterThan(5);
    assertThat(known).containsAll(settings.keySet());
    Configuration flink = new Configuration();
    settings.forEach((key, value) -> flink.setString(key, value.toString()));
    assertThat(flink.get(CheckpointingOptions.CHECKPOINTING_INTERVAL)).hasMinutes(1);
    assertThat(flink.get(HighAvailabilityOptions.HA_MODE)).isEqualTo("kubernetes");
  }

  @Test
  void theJobIsThatOfTheJar() throws Exception {
    Map<String, Object> job = map(spec(), "job");
    assertThat(Class.forName((String) job.get("entryClass"))).isEqualTo(FlinkMain.class);
    String[] args =
        ((List<?>) job.get("args")).stream().map(Object::toString).toArray(String[]::new);
    var learn = FlinkMain.commandLine().parseArgs(args).subcommand();
    assertThat(learn.commandSpec().name()).isEqualTo("learn");
    assertThat(learn.unmatched()).isEmpty();
  }
}
