package org.avm4j.serve;

import java.nio.file.Path;

/**
 * How a service runs.
 *
 * @param folder where the store is; made if it does not exist
 * @param host the address to listen at; any but a loopback address needs tokens
 * @param port the port, 0 for a free one
 * @param tokens who may do what, null if everybody on this computer may do everything
 * @param keyStore a PKCS #12 file with the key for TLS, null for plain HTTP
 * @param keyPassword the password of that file, null for none
 * @param cors the origin whose pages may use the service, null for none but its own
 * @param limits how much the store keeps
 * @param maxBody the largest body of a request in bytes
 * @param logsRequests whether every request gets a line in the log, and not only changes and errors
 */
public record ServeOptions(
    Path folder,
    String host,
    int port,
    Tokens tokens,
    Path keyStore,
    String keyPassword,
    String cors,
    StoreLimits limits,
    int maxBody,
    boolean logsRequests) {
  /** The largest body unless another is given: 8 MB. */
  public static final int DEFAULT_BODY = 8 << 20;

  /** Plain HTTP on the loopback address, port 8080. */
  public static ServeOptions of(Path folder) {
    return new ServeOptions(
        folder,
        "127.0.0.1",
        8080,
        null,
        null,
        null,
        null,
        StoreLimits.DEFAULT,
        DEFAULT_BODY,
        false);
  }

  /** The same at another port. */
  public ServeOptions withPort(int other) {
    return new ServeOptions(
        folder, host, other, tokens, keyStore, keyPassword, cors, limits, maxBody, logsRequests);
  }

  /** The same at another address, with tokens or null. */
  public ServeOptions withHost(String other, Tokens those) {
    return new ServeOptions(
        folder, other, port, those, keyStore, keyPassword, cors, limits, maxBody, logsRequests);
  }

  /** The same with TLS. */
  public ServeOptions withTls(Path file, String password) {
    return new ServeOptions(
        folder, host, port, tokens, file, password, cors, limits, maxBody, logsRequests);
  }

  /** The same with a page of another origin let in, or null. */
  public ServeOptions withCors(String origin) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, origin, limits, maxBody, logsRequests);
  }

  /** The same with other limits of the store. */
  public ServeOptions withLimits(StoreLimits those) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, cors, those, maxBody, logsRequests);
  }

  /** The same with another largest body. */
  public ServeOptions withMaxBody(int bytes) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, cors, limits, bytes, logsRequests);
  }

  /** The same with every request logged, or not. */
  public ServeOptions withRequestLog(boolean all) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, cors, limits, maxBody, all);
  }
}
