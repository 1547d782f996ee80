package org.avm4j.serve;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;

/**
 * HTTP/2 without TLS for clients that start with HTTP/2. A request to upgrade from HTTP/1.1 is
 * answered in HTTP/1.1: RFC 9113 deprecates the upgrade, on a busy machine Jetty never answers some
 * of the upgraded requests, and a proxy that forwards them can be tunnelled through.
 */
final class PlainHttp2 extends HTTP2CServerConnectionFactory {
  PlainHttp2(HttpConfiguration configuration) {
    super(configuration);
  }

  @Override
  public Connection upgradeConnection(
      Connector connector, EndPoint endPoint, MetaData.Request request, HttpFields.Mutable reply) {
    boolean isPreface = HttpMethod.PRI.is(request.getMethod());
    return isPreface ? super.upgradeConnection(connector, endPoint, request, reply) : null;
  }
}
