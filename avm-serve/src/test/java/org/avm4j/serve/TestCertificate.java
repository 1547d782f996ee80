package org.avm4j.serve;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and certificate for this machine, and clients that trust it. */
final class TestCertificate {
  private static final String PASSWORD = "secret1";

  private final Path store;
  private final SSLContext trusting;

  private TestCertificate(Path store, SSLContext trusting) {
    this.store = store;
    this.trusting = trusting;
  }

  /** Makes one in a folder. */
  static TestCertificate in(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "avm",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (keytool.waitFor() != 0) {
      throw new IOException(said);
    }
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()));
    SSLContext trusting = SSLContext.getInstance("TLS");
    trusting.init(null, trust.getTrustManagers(), null);
    return new TestCertificate(store, trusting);
  }

  /** The options of a service that uses it. */
  ServeOptions use(ServeOptions options) {
    return options.withTls(store, PASSWORD);
  }

  HttpClient client(HttpClient.Version version) {
    return HttpClient.newBuilder().sslContext(trusting).version(version).build();
  }
}
