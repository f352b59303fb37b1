package io.margay.servlet.engine.response;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.HttpVersion;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.engine.application.ContentTypes;
import io.margay.servlet.engine.request.RequestScope;
import io.margay.servlet.engine.request.ServerRequest;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response of one exchange (Servlet 6.1 §5). Used by one thread at a time; of no use after the
/// exchange ended, and never used for another one.
public final class ServerResponse implements HttpServletResponse {
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String CONTENT_LENGTH = "Content-Length";

    private final RequestScope cycle;
    private final ServerRequest request;
    private final Exchange exchange;
    private final ResponseOutput output;
    private final ContentTypes contentTypes;
    private @Nullable ResponseWriter writer;
    private boolean streamTaken;

    private @Nullable String mediaType;
    private @Nullable String encoding;

    /// Whether the encoding was chosen by a locale only, which gives way to any other choice.
    private boolean encodingByLocale;

    private @Nullable Locale locale;
    private long contentLength = -1;
    private @Nullable Supplier<Map<String, String>> trailers;

    /// More than 0 while an included resource runs, which may add content and nothing else.
    private int includes;

    private boolean appCommitted;
    private @Nullable String errorMessage;
    private boolean errorPending;

    /// The informational status that was set last, or 0.
    private int interim;

    public ServerResponse(RequestScope cycle, ServerRequest request, Exchange exchange) {
        Application app = request.home();
        this.cycle = cycle;
        this.request = request;
        this.exchange = exchange;
        contentTypes = app.contentTypes();
        this.output =
                new ResponseOutput(this, exchange, app.buffers(), exchange.request().isHead());
    }

    // For the engine

    RequestScope cycle() {
        return cycle;
    }

    public ResponseOutput output() {
        return output;
    }

    void requireOpen() {
        if (cycle.isOver()) {
            throw new IllegalStateException("the response has ended");
        }
    }

    public void enterInclude() {
        includes++;
    }

    public void leaveInclude() {
        includes--;
    }

    public boolean errorPending() {
        return errorPending;
    }

    public @Nullable String errorMessage() {
        return errorMessage;
    }

    boolean hasTrailers() {
        return trailers != null;
    }

    /// Whether the status lets the response have content (RFC 9110 §6.4.1).
    boolean mayHaveContent() {
        int status = exchange.status();
        return status != SC_NO_CONTENT && status != SC_NOT_MODIFIED;
    }

    void promisedLength(long length) {
        contentLength = length;
    }

    /// Opens the response again for an error page.
    public void prepareError(int status) {
        errorPending = false;
        appCommitted = false;
        output.suspend(false);
        resetBuffer();
        contentLength = -1;
        output.promise(-1);
        mediaType = null;
        encoding = null;
        writer = null;
        streamTaken = false;
        FieldList fields = exchange.fields();
        for (String name : List.of(CONTENT_LENGTH, "Content-Encoding", "ETag", "Last-Modified")) {
            fields.remove(name);
        }
        if (status != SC_REQUESTED_RANGE_NOT_SATISFIABLE) {
            fields.remove("Content-Range");
        }
        exchange.status(status);
    }

    /// Puts the fields into their final form; the head leaves with the next bytes.
    void commit() {
        if (exchange.committed() || cycle.isOver()) {
            return;
        }
        FieldList fields = exchange.fields();
        String type = getContentType();
        if (type != null) {
            fields.set(CONTENT_TYPE, requireSendable(CONTENT_TYPE, type));
        }
        if (contentLength >= 0 && mayHaveContent()) {
            fields.set(CONTENT_LENGTH, Long.toString(contentLength));
        }
        appCommitted = true;
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

    /// Ends the response.
    public void finish() throws IOException {
        finishWriter();
        output.suspend(false);
        output.finish();
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
        if (includes > 0 || output.written() > 0 || output.isShut() || isCommitted()) {
            return false;
        }
        contentLength = count;
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
        if (includes > 0 || output.written() > 0 || output.isShut() || isCommitted()) {
            return false;
        }
        contentLength = content.length;
        output.constant(content);
        commit();
        output.suspend(true);
        return true;
    }

    private boolean isIgnored() {
        requireOpen();
        return includes > 0 || isCommitted();
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
        encoding = name;
        encodingByLocale = false;
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
            output.spill();
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
        if (includes > 0) {
            return;
        }
        exchange.fields().clear();
        exchange.status(SC_OK);
        interim = 0;
        mediaType = null;
        encoding = null;
        locale = null;
        contentLength = -1;
        output.promise(-1);
        writer = null;
        streamTaken = false;
    }

    @Override
    public boolean isCommitted() {
        requireOpen();
        return appCommitted || exchange.committed() || output.isFulfilled();
    }

    // Type, encoding, locale

    @Override
    public void setContentType(@Nullable String type) {
        if (isIgnored()) {
            return;
        }
        if (type == null) {
            mediaType = null;
            if (writer == null) {
                encoding = null;
            }
            return;
        }
        ContentTypes.Parts parts = contentTypes.of(type);
        mediaType = parts.mediaType();
        if (parts.charset() != null && writer == null) {
            encoding = parts.charset();
            encodingByLocale = false;
        }
    }

    @Override
    public @Nullable String getContentType() {
        requireOpen();
        if (mediaType == null) {
            return null;
        }
        return encoding == null ? mediaType : mediaType + ";charset=" + encoding;
    }

    @Override
    public void setCharacterEncoding(@Nullable String name) {
        if (isIgnored() || writer != null) {
            return;
        }
        encoding = name;
        encodingByLocale = false;
    }

    @Override
    public void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    @Override
    public String getCharacterEncoding() {
        requireOpen();
        if (encoding != null) {
            return encoding;
        }
        String byContext = request.home().context().getResponseCharacterEncoding();
        return byContext != null ? byContext : "ISO-8859-1";
    }

    @Override
    public void setLocale(@Nullable Locale value) {
        if (isIgnored()) {
            return;
        }
        locale = value;
        if (value == null) {
            exchange.fields().remove("Content-Language");
            if (encodingByLocale) {
                encoding = null;
            }
            return;
        }
        exchange.fields().set("Content-Language", value.toLanguageTag());
        if (writer == null && (encoding == null || encodingByLocale)) {
            String byLocale = request.home().encodingOf(value);
            if (byLocale != null) {
                encoding = byLocale;
                encodingByLocale = true;
            }
        }
    }

    @Override
    public Locale getLocale() {
        requireOpen();
        return locale == null ? Locale.getDefault() : locale;
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (isIgnored()) {
            return;
        }
        contentLength = Math.max(-1, length);
        output.promise(contentLength);
    }

    // Status

    @Override
    public void setStatus(int status) {
        if (isIgnored()) {
            return;
        }
        // No response is one of these: the exchange itself sends 101 when it switches protocols.
        interim = status >= SC_CONTINUE && status < SC_OK ? status : 0;
        if (interim == 0) {
            exchange.status(status);
        }
    }

    @Override
    public int getStatus() {
        return interim != 0 ? interim : exchange.status();
    }

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
        if (includes > 0) {
            return;
        }
        resetBuffer();
        exchange.status(status);
        errorMessage = message;
        errorPending = true;
        appCommitted = true;
        output.suspend(true);
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
        if (includes > 0) {
            return;
        }
        boolean absolute = request.home().settings().absoluteRedirects();
        String target = Locations.of(location, request, absolute);
        if (clearBuffer) {
            resetBuffer();
            contentLength = -1;
            output.promise(-1);
        }
        exchange.status(status);
        exchange.fields().set("Location", target);
        if (!clearBuffer) {
            finishWriter();
            output.spill();
        }
        appCommitted = true;
        output.suspend(true);
    }

    // Fields

    @Override
    public void addCookie(Cookie cookie) {
        if (!isIgnored()) {
            String value = CookieFormat.format(cookie, System.currentTimeMillis());
            exchange.fields().add("Set-Cookie", value);
        }
    }

    /// Replaces the session cookie of this response, also while a resource is included.
    public void setSessionCookie(Cookie cookie) {
        if (exchange.committed()) {
            return;
        }
        FieldList fields = exchange.fields();
        String prefix = cookie.getName() + "=";
        List<String> others = new ArrayList<>(fields.all("Set-Cookie"));
        if (others.removeIf(line -> line.startsWith(prefix))) {
            fields.remove("Set-Cookie");
            others.forEach(line -> fields.add("Set-Cookie", line));
        }
        fields.add("Set-Cookie", CookieFormat.format(cookie, System.currentTimeMillis()));
    }

    @Override
    public boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (name == null || name.isEmpty() || isIgnored() || isSpecial(name, value)) {
            return;
        }
        if (value == null) {
            exchange.fields().remove(name);
        } else {
            exchange.fields().set(name, requireSendable(name, value));
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (name == null || name.isEmpty() || value == null || isIgnored()) {
            return;
        }
        if (!isSpecial(name, value)) {
            exchange.fields().add(name, requireSendable(name, value));
        }
    }

    /// A line break in a field would split the response: a space takes its place. What is beyond
    /// ISO 8859-1, such as a file name in `Content-Disposition`, cannot be sent: a question mark
    /// takes its place.
    private static String requireSendable(String name, String value) {
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) <= ' ' || name.charAt(i) == ':' || name.charAt(i) >= 127) {
                throw new IllegalArgumentException("no name for a header field");
            }
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 127 || c > 255) {
                return value.replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", " ")
                        .replaceAll("[^\\x00-\\xff]", "?");
            }
        }
        return value;
    }

    /// Fields that are kept as values of their own.
    private boolean isSpecial(String name, @Nullable String value) {
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            setContentType(value);
            return true;
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            if (value == null) {
                setContentLengthLong(-1);
            } else if (value.matches("[0-9]{1,18}")) {
                setContentLengthLong(Long.parseLong(value));
            }
            return true;
        }
        return false;
    }

    @Override
    public void setDateHeader(String name, long millis) {
        setHeader(name, HttpDate.format(Math.floorDiv(millis, 1000L)));
    }

    @Override
    public void addDateHeader(String name, long millis) {
        addHeader(name, HttpDate.format(Math.floorDiv(millis, 1000L)));
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public @Nullable String getHeader(String name) {
        requireOpen();
        if (name.equalsIgnoreCase(CONTENT_TYPE)) {
            return getContentType();
        }
        if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
            return contentLength < 0 ? null : Long.toString(contentLength);
        }
        return exchange.fields().get(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        requireOpen();
        if (name.equalsIgnoreCase(CONTENT_TYPE) || name.equalsIgnoreCase(CONTENT_LENGTH)) {
            String value = getHeader(name);
            return value == null ? List.of() : List.of(value);
        }
        return exchange.fields().all(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        requireOpen();
        Set<String> names = new LinkedHashSet<>(exchange.fields().names());
        if (mediaType != null) {
            names.add(CONTENT_TYPE);
        }
        if (contentLength >= 0) {
            names.add(CONTENT_LENGTH);
        }
        return names;
    }

    @Override
    public void setTrailerFields(@Nullable Supplier<Map<String, String>> supplier) {
        requireOpen();
        if (isCommitted() || exchange.request().version() == HttpVersion.HTTP_1_0) {
            throw new IllegalStateException("trailer fields cannot be sent with this response");
        }
        trailers = supplier;
        exchange.trailers(() -> {
            FieldList fields = new FieldList();
            Map<String, String> map = supplier == null ? null : supplier.get();
            if (map != null) {
                map.forEach((n, v) -> fields.add(n, requireSendable(n, v)));
            }
            return fields;
        });
    }

    @Override
    public @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return trailers;
    }

    // URLs

    @Override
    public String encodeURL(String url) {
        requireOpen();
        return request.sessionUrls().encode(url, true);
    }

    @Override
    public String encodeRedirectURL(String url) {
        requireOpen();
        return request.sessionUrls().encode(url, false);
    }
}
