package org.avm4j.serve;

import java.nio.file.Path;

/**
 * The options of a service.
 *
 * @param folder the folder of the store; created if it does not exist
 * @param host the address to listen at; any but a loopback address needs tokens
 * @param port the port, 0 for a free one
 * @param tokens the access tokens; null if everybody on this computer may do everything
 * @param keyStore a PKCS #12 file with the key for TLS, null for plain HTTP
 * @param keyPassword the password of that file, null for none
 * @param cors another origin whose pages may use the service; null for none
 * @param limits the limits of the store
 * @param http the limits on clients
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
    HttpLimits http,
    boolean logsRequests) {
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
        HttpLimits.DEFAULT,
        false);
  }

  /** The same at another port. */
  public ServeOptions withPort(int other) {
    return new ServeOptions(
        folder, host, other, tokens, keyStore, keyPassword, cors, limits, http, logsRequests);
  }

  /** The same at another address and with other tokens, which may be null. */
  public ServeOptions withHost(String other, Tokens those) {
    return new ServeOptions(
        folder, other, port, those, keyStore, keyPassword, cors, limits, http, logsRequests);
  }

  /** The same with TLS, by the key in a PKCS #12 file. */
  public ServeOptions withTls(Path file, String password) {
    return new ServeOptions(
        folder, host, port, tokens, file, password, cors, limits, http, logsRequests);
  }

  /** The same with another origin whose pages may use the service; null for none. */
  public ServeOptions withCors(String origin) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, origin, limits, http, logsRequests);
  }

  /** The same with other limits of the store. */
  public ServeOptions withLimits(StoreLimits those) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, cors, those, http, logsRequests);
  }

  /** The same with other limits on clients. */
  public ServeOptions withHttp(HttpLimits those) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, cors, limits, those, logsRequests);
  }

  /** The same with the logging of all requests turned on or off. */
  public ServeOptions withRequestLog(boolean all) {
    return new ServeOptions(
        folder, host, port, tokens, keyStore, keyPassword, cors, limits, http, all);
  }
}
