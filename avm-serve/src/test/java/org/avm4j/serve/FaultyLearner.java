package org.avm4j.serve;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.avm4j.OnlineLearner;
import org.avm4j.pipeline.Pipeline;

/** A learner whose methods throw what a test asks for. */
final class FaultyLearner {
  private final Map<String, Throwable> faults = new ConcurrentHashMap<>();

  /** The next call of a method, by name, throws. */
  void failNext(String method, Throwable fault) {
    faults.put(method, fault);
  }

  /** The pipeline of a specification with this learner in it. */
  Learning in(ModelSpec spec) {
    Pipeline pipeline = spec.pipeline();
    OnlineLearner real = pipeline.learner();
    OnlineLearner faulty =
        (OnlineLearner)
            Proxy.newProxyInstance(
                FaultyLearner.class.getClassLoader(),
                new Class<?>[] {OnlineLearner.class},
                (proxy, method, arguments) -> {
                  Throwable fault = faults.remove(method.getName());
                  if (fault != null) {
                    throw fault;
                  }
                  try {
                    return method.invoke(real, arguments);
                  } catch (InvocationTargetException thrown) {
                    throw thrown.getCause();
                  }
                });
    return Learning.of(new Pipeline(pipeline.preparation(), faulty), spec);
  }
}
