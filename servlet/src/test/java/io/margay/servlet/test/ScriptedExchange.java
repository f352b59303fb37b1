package io.margay.servlet.test;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// An exchange whose request is written down beforehand and whose response is kept: the container
/// is tested without a server. All its state is guarded by its own monitor.
///
/// Like the real one it refuses to work after its end, enforces a promised length, and gives
/// content piece by piece: [#arrive] adds pieces, so that a test decides when there is something to
/// read.
public final class ScriptedExchange extends ScriptedResponse implements Exchange {
    private String user;

    private ScriptedExchange(RequestHead head, TlsInfo tls) {
        super(head, tls);
    }

    // Writing the script

    /// A GET of `target`.
    public static ScriptedExchange get(String target, String... fieldLines) {
        return of("GET", target, new byte[0], fieldLines);
    }

    /// A request with content; its length is declared.
    public static ScriptedExchange of(
            String method, String target, byte[] body, String... fieldLines) {
        return build(method, target, body, HttpVersion.HTTP_1_1, false, null, fieldLines);
    }

    /// A request over TLS.
    public static ScriptedExchange secure(String target, TlsInfo tls, String... fieldLines) {
        return build("GET", target, new byte[0], HttpVersion.HTTP_1_1, true, tls, fieldLines);
    }

    /// A POST of a form.
    public static ScriptedExchange form(String target, String form, String... fieldLines) {
        String[] all = java.util.Arrays.copyOf(fieldLines, fieldLines.length + 1);
        all[fieldLines.length] = "Content-Type: application/x-www-form-urlencoded";
        return of("POST", target, form.getBytes(StandardCharsets.ISO_8859_1), all);
    }

    private static ScriptedExchange build(
            String method,
            String target,
            byte[] body,
            HttpVersion version,
            boolean secure,
            TlsInfo tls,
            String... fieldLines) {
        Fields.Builder builder = new Fields.Builder();
        builder.add("Host", "localhost:8080");
        if (body.length > 0) {
            builder.add("Content-Length", Integer.toString(body.length));
        }
        int question = target.indexOf('?');
        RequestTarget parsed =
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        target,
                        question < 0 ? target : target.substring(0, question),
                        question < 0 ? null : target.substring(question + 1),
                        secure ? "https" : "http",
                        "localhost:8080");
        Fields fields = fields(builder, fieldLines);
        boolean chunked = fields.contains("transfer-encoding");
        RequestHead head =
                new RequestHead(
                        method.intern(),
                        parsed,
                        version,
                        fields,
                        chunked ? RequestHead.UNKNOWN_LENGTH : body.length,
                        false,
                        true);
        ScriptedExchange made = new ScriptedExchange(head, tls);
        if (body.length > 0) {
            made.content.arrive(body);
        }
        return made;
    }

    private static Fields fields(Fields.Builder builder, String... lines) {
        for (String line : lines) {
            int colon = line.indexOf(':');
            builder.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return builder.build();
    }

    /// The content is not complete: more comes by [#arrive] until [#arriveEnd].
    public ScriptedExchange openEnded() {
        content.open();
        return this;
    }

    /// A piece of content arrives.
    public void arrive(String text) {
        content.arrive(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The content ends.
    public void arriveEnd(String... trailerLines) {
        content.end(fields(new Fields.Builder(), trailerLines));
    }

    /// The client breaks the content off.
    public void breakOff() {
        synchronized (this) {
            failure = new IOException("connection lost");
        }
        content.fail(
                new RequestBodyException(
                        ProtocolError.of(400, "RFC 9112 §8", "Content is incomplete.")));
    }

    /// The peer takes nothing until [#resume].
    public synchronized ScriptedExchange stall() {
        stalled = true;
        return this;
    }

    /// The peer takes everything again.
    public void resume() {
        Runnable task;
        synchronized (this) {
            stalled = false;
            task = writableTask;
            writableTask = null;
        }
        if (task != null) {
            task.run();
        }
    }

    // Reading the outcome

    /// Gives the exchange to a handler and waits for its end.
    public ScriptedExchange run(Handler handler) throws IOException {
        handler.handle(this);
        return await();
    }

    /// Waits for the end.
    public ScriptedExchange await() {
        try {
            if (!over.await(10, TimeUnit.SECONDS)) {
                throw new AssertionError("the exchange did not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Failures.check();
        return this;
    }

    /// Whether it has ended by now.
    public synchronized boolean isOver() {
        return ended || aborted;
    }

    /// The content sent so far.
    public synchronized String body() {
        return new String(sent.bytes(), StandardCharsets.UTF_8);
    }

    /// The content sent so far as bytes.
    public synchronized byte[] bytes() {
        return sent.bytes();
    }

    /// A response field.
    public synchronized String field(String name) {
        return fields.get(name);
    }

    /// Whether the exchange was broken off.
    public synchronized boolean isAborted() {
        return aborted;
    }

    /// Whether the protocol was switched.
    public synchronized boolean isUpgraded() {
        return upgraded;
    }

    /// How often a task was handed to a worker.
    public synchronized int dispatches() {
        return dispatches;
    }

    /// How often content was written before the end.
    public synchronized int writes() {
        return writes;
    }

    /// The trailer fields of the response.
    public synchronized FieldList sentTrailers() {
        return trailers.get();
    }

    /// Says what a front end sends beside the request.
    public ScriptedExchange fromFrontEnd(String userName, Map<String, Object> attributes) {
        user = userName;
        frontEnd = attributes;
        return this;
    }

    // Exchange

    @Override
    public synchronized String remoteUser() {
        return user;
    }

    @Override
    public synchronized void remoteUser(String name) {
        user = name;
    }
}
