package io.margay.servlet.engine.response;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.HttpVersion;
import io.margay.server.exchange.Exchange;
import io.margay.servlet.engine.application.ContentTypes;
import io.margay.servlet.engine.request.RequestScope;
import io.margay.servlet.engine.request.ServerRequest;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The head of a response: status, fields, what is said of the content, trailer fields. What it is
/// the head of, [ServerResponse] has. Used by one thread at a time.
public abstract sealed class ResponseHead implements HttpServletResponse permits ServerResponse {
    static final String CONTENT_TYPE = "Content-Type";
    static final String CONTENT_LENGTH = "Content-Length";

    final RequestScope cycle;
    final ServerRequest request;
    final Exchange exchange;

    private @Nullable String mediaType;
    private @Nullable String encoding;

    /// Whether the encoding was chosen by a locale only, which gives way to any other choice.
    private boolean encodingByLocale;

    private @Nullable Locale locale;
    private long contentLength = -1;
    private @Nullable Supplier<Map<String, String>> trailers;

    /// More than 0 while an included resource runs, which may add content and nothing else.
    private int includes;

    /// The informational status that was set last, or 0.
    private int interim;

    ResponseHead(RequestScope cycle, ServerRequest request, Exchange exchange) {
        this.cycle = cycle;
        this.request = request;
        this.exchange = exchange;
    }

    // For the engine

    /// Whether characters are being written, so that their encoding stays as it is.
    abstract boolean hasWriter();

    /// Content is to be as long as this; -1 = as it comes.
    abstract void promise(long length);

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

    final boolean isIncluded() {
        return includes > 0;
    }

    /// Whether what is set now is dropped: the head has left, or is another resource's.
    final boolean isIgnored() {
        requireOpen();
        return includes > 0 || isCommitted();
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

    /// Nothing is known of the content any more.
    final void forgetType() {
        mediaType = null;
        encoding = null;
        contentLength = -1;
    }

    final void clear() {
        exchange.fields().clear();
        exchange.status(SC_OK);
        interim = 0;
        locale = null;
    }

    /// Characters are written in this encoding from now on.
    final void settleEncoding(String name) {
        encoding = name;
        encodingByLocale = false;
    }

    /// Puts the fields into their final form.
    final void settleFields() {
        FieldList fields = exchange.fields();
        String type = getContentType();
        if (type != null) {
            fields.set(CONTENT_TYPE, requireSendable(CONTENT_TYPE, type));
        }
        if (contentLength >= 0 && mayHaveContent()) {
            fields.set(CONTENT_LENGTH, Long.toString(contentLength));
        }
        if (exchange.request().method().equals("OPTIONS")) {
            allowNoTrace(fields);
        }
    }

    /// `HttpServlet` offers TRACE wherever it is asked, though no application gets it.
    private void allowNoTrace(FieldList fields) {
        String allowed = fields.get("Allow");
        if (allowed != null && !request.home().settings().trace()) {
            List<String> methods = new ArrayList<>(List.of(allowed.split("\\s*,\\s*")));
            if (methods.remove("TRACE")) {
                fields.set("Allow", String.join(", ", methods));
            }
        }
    }

    // Type, encoding, locale

    @Override
    public final void setContentType(@Nullable String type) {
        if (isIgnored()) {
            return;
        }
        if (type == null) {
            mediaType = null;
            if (!hasWriter()) {
                encoding = null;
            }
            return;
        }
        ContentTypes.Parts parts = request.home().contentTypes().of(type);
        mediaType = parts.mediaType();
        if (parts.charset() != null && !hasWriter()) {
            encoding = parts.charset();
            encodingByLocale = false;
        }
    }

    @Override
    public final @Nullable String getContentType() {
        requireOpen();
        if (mediaType == null) {
            return null;
        }
        return encoding == null ? mediaType : mediaType + ";charset=" + encoding;
    }

    @Override
    public final void setCharacterEncoding(@Nullable String name) {
        if (isIgnored() || hasWriter()) {
            return;
        }
        encoding = name;
        encodingByLocale = false;
    }

    @Override
    public final void setCharacterEncoding(@Nullable Charset charset) {
        setCharacterEncoding(charset == null ? null : charset.name());
    }

    @Override
    public final String getCharacterEncoding() {
        requireOpen();
        if (encoding != null) {
            return encoding;
        }
        String byContext = request.home().context().getResponseCharacterEncoding();
        return byContext != null ? byContext : "ISO-8859-1";
    }

    @Override
    public final void setLocale(@Nullable Locale value) {
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
        if (!hasWriter() && (encoding == null || encodingByLocale)) {
            String byLocale = request.home().encodingOf(value);
            if (byLocale != null) {
                encoding = byLocale;
                encodingByLocale = true;
            }
        }
    }

    @Override
    public final Locale getLocale() {
        requireOpen();
        return locale == null ? Locale.getDefault() : locale;
    }

    @Override
    public final void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public final void setContentLengthLong(long length) {
        if (isIgnored()) {
            return;
        }
        contentLength = Math.max(-1, length);
        promise(contentLength);
    }

    // Status

    @Override
    public final void setStatus(int status) {
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
    public final int getStatus() {
        return interim != 0 ? interim : exchange.status();
    }

    // Fields

    @Override
    public final void addCookie(Cookie cookie) {
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
    public final boolean containsHeader(String name) {
        return getHeader(name) != null;
    }

    @Override
    public final void setHeader(String name, @Nullable String value) {
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
    public final void addHeader(String name, @Nullable String value) {
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
    public final void setDateHeader(String name, long millis) {
        setHeader(name, HttpDate.format(Math.floorDiv(millis, 1000L)));
    }

    @Override
    public final void addDateHeader(String name, long millis) {
        addHeader(name, HttpDate.format(Math.floorDiv(millis, 1000L)));
    }

    @Override
    public final void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public final void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public final @Nullable String getHeader(String name) {
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
    public final Collection<String> getHeaders(String name) {
        requireOpen();
        if (name.equalsIgnoreCase(CONTENT_TYPE) || name.equalsIgnoreCase(CONTENT_LENGTH)) {
            String value = getHeader(name);
            return value == null ? List.of() : List.of(value);
        }
        return exchange.fields().all(name);
    }

    @Override
    public final Collection<String> getHeaderNames() {
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
    public final void setTrailerFields(@Nullable Supplier<Map<String, String>> supplier) {
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
    public final @Nullable Supplier<Map<String, String>> getTrailerFields() {
        return trailers;
    }
}
