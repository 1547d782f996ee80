package org.avm4j.serve;

import java.time.Duration;

/**
 * Limits on the resources that clients may use.
 *
 * @param maxBody the largest body of a request in bytes, compressed or not
 * @param maxConnections the maximum number of connections; 0 to derive it from the limit of file
 *     descriptors
 * @param headTimeout the time within which the head of a request must arrive
 */
public record HttpLimits(int maxBody, int maxConnections, Duration headTimeout) {
  /** Bodies of 8 MB, heads within 15 seconds. */
  public static final HttpLimits DEFAULT = new HttpLimits(8 << 20, 0, Duration.ofSeconds(15));

  /** Checks that the limits let requests through. */
  public HttpLimits {
    if (maxBody < 1 || maxConnections < 0 || headTimeout.isNegative() || headTimeout.isZero()) {
      throw new IllegalArgumentException("HTTP limits must be positive");
    }
  }

  /** The same with another maximum size of a body. */
  public HttpLimits withMaxBody(int bytes) {
    return new HttpLimits(bytes, maxConnections, headTimeout);
  }

  /** The same with another maximum number of connections. */
  public HttpLimits withMaxConnections(int number) {
    return new HttpLimits(maxBody, number, headTimeout);
  }

  /** The same with another time for the head of a request. */
  public HttpLimits withHeadTimeout(Duration time) {
    return new HttpLimits(maxBody, maxConnections, time);
  }
}
