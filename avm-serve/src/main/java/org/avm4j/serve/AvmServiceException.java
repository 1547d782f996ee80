package org.avm4j.serve;

/** Thrown if a service refuses a request. The message is that of the service. */
public final class AvmServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  AvmServiceException(int status, String detail) {
    super(detail);
    this.status = status;
  }

  /** The HTTP status: 429 means to try again later, 507 that the disk is full. */
  public int status() {
    return status;
  }
}
