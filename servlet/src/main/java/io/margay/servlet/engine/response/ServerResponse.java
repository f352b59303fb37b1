package io.margay.servlet.engine.response;

import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.request.RequestScope;
import io.margay.servlet.engine.request.ServerRequest;
import io.margay.servlet.engine.request.SessionUrls;
import io.margay.servlet.session.SessionStore;
import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The response of one exchange (Servlet 6.1 §5). Used by one thread at a time; unusable after the
/// exchange ended, and never used for another one.
public final class ServerResponse extends ResponseHead {
    private static final int EARLY_HINTS = 103;

    private final ResponseOutput output;
    private @Nullable ResponseWriter writer;
    private boolean streamTaken;
    private boolean appCommitted;

    /// Its head was to leave, and a session could not be saved.
    private boolean refused;

    /// It is what becomes of the request: nothing more is saved for it.
    private boolean settled;

    private @Nullable String errorMessage;
    private boolean errorPending;

    public ServerResponse(RequestScope cycle, ServerRequest request, Exchange exchange) {
        super(cycle, request, exchange);
        this.output =
                new ResponseOutput(
                        this, exchange, request.home().buffers(), exchange.request().isHead());
    }

    // For the engine

    RequestScope cycle() {
        return cycle;
    }

    public ResponseOutput output() {
        return output;
    }

    public boolean errorPending() {
        return errorPending;
    }

    public @Nullable String errorMessage() {
        return errorMessage;
    }

    /// Opens the response again for an error page.
    public void prepareError(int status) {
        errorPending = false;
        appCommitted = false;
        output.suspend(false);
        resetBuffer();
        forgetContent();
        FieldList fields = exchange.fields();
        for (String name : List.of(CONTENT_LENGTH, "Content-Encoding", "ETag", "Last-Modified")) {
            fields.remove(name);
        }
        if (status != SC_REQUESTED_RANGE_NOT_SATISFIABLE) {
            fields.remove("Content-Range");
        }
        exchange.status(status);
    }

    /// Whether the application could not send what it has answered, for a session was not saved.
    public boolean isRefused() {
        return refused;
    }

    /// Answers that a session could not be saved, in place of what the application has answered.
    public void unsaved() throws IOException {
        settled = true;
        prepareError(SC_SERVICE_UNAVAILABLE);
        exchange.fields().remove("Location");
        setHeader("Retry-After", "1");
        setContentType("text/plain;charset=UTF-8");
        getOutputStream().print("The session cannot be saved now.\n");
    }

    /// The head leaves with the next bytes.
    ///
    /// @throws SessionStore.UnsavedException when it says what is not so
    void commit() {
        if (!exchange.committed() && !cycle.isOver()) {
            if (!settled && (refused || !request.saveSessions())) {
                refused = true;
                throw new SessionStore.UnsavedException();
            }
            settleFields();
            appCommitted = true;
        }
    }

    @Override
    boolean hasWriter() {
        return writer != null;
    }

    @Override
    void promise(long length) {
        output.promise(length);
    }

    /// A forward is over: what the caller writes now is dropped.
    public void closeByForward() {
        finishWriter();
        output.suspend(true);
        appCommitted = true;
    }

    private void finishWriter() {
        ResponseWriter used = writer;
        if (used != null) {
            used.finish();
        }
    }

    /// Ends the response, after what it says was saved.
    public void finish() throws IOException {
        settled = true;
        finishWriter();
        output.suspend(false);
        output.finish();
    }

    /// What is wrong with the length of the content, now that all of it has been written: less than
    /// `Content-Length` announced. Null when nothing is.
    public @Nullable String lengthMistake() {
        finishWriter();
        if (!output.isShort() || !mayHaveContent()) {
            return null;
        }
        return "Content-Length is "
                + output.promised()
                + ", but only "
                + output.written()
                + " bytes were written";
    }

    public void release() {
        output.release(!cycle.isAsync());
    }

    /// Sends a part of a file as the whole content, at the end of the response, when no thread of
    /// the application waits for it any more; the file is closed then.
    ///
    /// @return false, with the file untouched, when this response cannot: something was written, or
    ///   a resource is being included
    public boolean sendFile(FileChannel file, long position, long count) {
        if (isIncluded() || output.written() > 0 || output.isShut() || isCommitted()) {
            return false;
        }
        promisedLength(count);
        output.file(file, position, count);
        commit();
        output.suspend(true);
        return true;
    }

    /// Sends these bytes as the whole content, without a copy where the protocol can. Nobody may
    /// change them any more.
    ///
    /// @return false when this response cannot, see [#sendFile]
    public boolean sendConstant(byte[] content) {
        if (isIncluded() || output.written() > 0 || output.isShut() || isCommitted()) {
            return false;
        }
        promisedLength(content.length);
        output.constant(content);
        commit();
        output.suspend(true);
        return true;
    }

    // Content

    @Override
    public ServletOutputStream getOutputStream() {
        requireOpen();
        if (writer != null) {
            throw new IllegalStateException("getWriter has been called for this response");
        }
        streamTaken = true;
        return output;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        requireOpen();
        if (streamTaken) {
            throw new IllegalStateException("getOutputStream has been called for this response");
        }
        ResponseWriter existing = writer;
        if (existing != null) {
            return existing;
        }
        String name = getCharacterEncoding();
        Charset charset;
        try {
            charset = charset(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new UnsupportedEncodingException(name);
        }
        settleEncoding(name);
        ResponseWriter created = new ResponseWriter(output, charset);
        writer = created;
        return created;
    }

    private static Charset charset(String name) {
        if (name.equalsIgnoreCase("utf-8")) {
            return StandardCharsets.UTF_8;
        }
        return name.equalsIgnoreCase("iso-8859-1")
                ? StandardCharsets.ISO_8859_1
                : Charset.forName(name);
    }

    @Override
    public void setBufferSize(int bytes) {
        requireOpen();
        if (isCommitted() || output.written() > 0) {
            throw new IllegalStateException("content has been written already");
        }
        output.capacity(bytes);
    }

    @Override
    public int getBufferSize() {
        requireOpen();
        return output.capacity();
    }

    @Override
    public void flushBuffer() throws IOException {
        requireOpen();
        if (!output.isShut()) {
            output.push();
        }
    }

    @Override
    public void resetBuffer() {
        requireOpen();
        if (exchange.committed()) {
            throw new IllegalStateException("the response has been committed");
        }
        output.clear();
    }

    @Override
    public void reset() {
        resetBuffer();
        if (isIncluded()) {
            return;
        }
        clear();
        forgetContent();
    }

    /// Nothing of the content that was to come remains: neither its description nor its writer.
    private void forgetContent() {
        forgetType();
        output.promise(-1);
        writer = null;
        streamTaken = false;
    }

    @Override
    public boolean isCommitted() {
        requireOpen();
        return appCommitted || exchange.committed() || output.isFulfilled();
    }

    // Errors and redirects

    @Override
    public void sendError(int status) throws IOException {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        requireOpen();
        if (isCommitted()) {
            throw new IllegalStateException("the response has been committed");
        }
        if (isIncluded()) {
            return;
        }
        if (status == EARLY_HINTS) {
            sendEarlyHints();
            return;
        }
        resetBuffer();
        exchange.status(status);
        errorMessage = message;
        errorPending = true;
        appCommitted = true;
        output.suspend(true);
    }

    /// Sends the fields that have been set so far ahead of the response (RFC 8297), as Tomcat and
    /// Jetty do for `sendError(103)`; the response goes on as if nothing had been sent. Cookies
    /// wait for it: they may be changed, and whoever passes early hints on need not keep them.
    private void sendEarlyHints() throws IOException {
        FieldList all = exchange.fields();
        FieldList early = new FieldList();
        for (int i = 0; i < all.size(); i++) {
            if (!all.nameIs(i, "Set-Cookie")) {
                early.add(all.name(i), all.value(i));
            }
        }
        exchange.interim(EARLY_HINTS, early);
    }

    @Override
    public void sendRedirect(@Nullable String location, int status, boolean clearBuffer)
            throws IOException {
        requireOpen();
        if (isCommitted()) {
            throw new IllegalStateException("the response has been committed");
        }
        if (location == null) {
            throw new IllegalArgumentException("no location to redirect to");
        }
        if (isIncluded()) {
            return;
        }
        boolean absolute = request.home().settings().absoluteRedirects();
        String target = Locations.of(location, request, absolute);
        if (clearBuffer) {
            resetBuffer();
            promisedLength(-1);
            output.promise(-1);
        }
        exchange.status(status);
        exchange.fields().set("Location", target);
        if (!clearBuffer) {
            finishWriter();
            output.push();
        }
        appCommitted = true;
        output.suspend(true);
    }

    // URLs

    @Override
    public String encodeURL(String url) {
        requireOpen();
        return new SessionUrls(request).encode(url, true);
    }

    @Override
    public String encodeRedirectURL(String url) {
        requireOpen();
        return new SessionUrls(request).encode(url, false);
    }
}
