package org.avm4j.serve;

/** A service refused a request. The message is its sentence. */
public final class AvmServiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  AvmServiceException(int status, String detail) {
    super(detail);
    this.status = status;
  }

  /** The status of the reply: 429 means to come again later, 507 that the disk is full. */
  public int status() {
    return status;
  }
}
