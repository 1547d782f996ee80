package org.avm4j.app;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.avm4j.run.RunReport;

/** The report of several runs: mean and standard deviation of every number that all runs have. */
final class RepeatedRunsReport {
  private static final List<String> BY_CLASS_OR_TIME =
      List.of(
          ("curve search drift interval f1 precision recall confusion worseThan "
                  + "processorSeconds")
              .split(" "));

  private RepeatedRunsReport() {}

  static Report of(List<RunReport> runs) {
    Report report = new Report();
    report.values().putAll(RunText.values(runs.get(0)));
    report.values().keySet().removeAll(BY_CLASS_OR_TIME);
    List<Map<String, Object>> singles = new ArrayList<>();
    for (RunReport run : runs) {
      Map<String, Object> single = RunText.values(run);
      single.keySet().removeAll(List.of("learner", "scale", "processorSeconds"));
      singles.add(single);
    }
    addMeans(singles, report);
    report.values().put("runs", singles);
    return report;
  }

  private static void addMeans(List<Map<String, Object>> singles, Report report) {
    Map<String, Object> means = new LinkedHashMap<>();
    Map<String, Object> deviations = new LinkedHashMap<>();
    report.rows().put("runs", Integer.toString(singles.size()));
    for (String name : singles.get(0).keySet()) {
      if (singles.stream().allMatch(run -> run.get(name) instanceof Number)) {
        double[] all =
            singles.stream().mapToDouble(run -> ((Number) run.get(name)).doubleValue()).toArray();
        means.put(name, FigureText.mean(all));
        deviations.put(name, FigureText.deviation(all));
        report.rows().put(FigureText.words(name), FigureText.meanAndDeviation(name, all));
      }
    }
    report.values().putAll(means);
    report.values().put("mean", means);
    report.values().put("standardDeviation", deviations);
  }
}
