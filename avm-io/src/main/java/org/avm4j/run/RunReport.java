package org.avm4j.run;

import java.util.List;
import java.util.Map;
import org.avm4j.Status;
import org.avm4j.eval.Inspection;
import org.avm4j.eval.Metrics;

/**
 * What came of a run.
 *
 * @param metrics the prequential figures over all instances
 * @param figures the same by name, with the labels of the data, in the order for people to read
 * @param status size, settings and history of the learner at the end
 * @param scaling how features were scaled, as given or as automatic mode chose, in a word
 * @param curve the figures along the way
 * @param seconds the time that was spent, all resumed parts together
 * @param leftOut what was not learned
 */
public record RunReport(
    Metrics metrics,
    Map<String, Object> figures,
    Status status,
    String scaling,
    List<Inspection> curve,
    double seconds,
    LeftOut leftOut) {}
