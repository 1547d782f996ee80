package org.avm4j.serve;

import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Replies to requests that fail before they reach {@link Api}, for instance because their head is
 * malformed or too large. Their path may be unknown, so a reply is a problem document that also has
 * the {@code error} of the Open Inference Protocol.
 */
final class EarlyErrors implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus() >= 400 ? response.getStatus() : 400;
    String detail = "the head of the request is malformed or too large";
    Map<String, Object> document =
        new Problem(status, detail).with("error", detail).document("none");
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
    response.write(true, ByteBuffer.wrap(JsonValues.bytes(document)), callback);
    return true;
  }
}
