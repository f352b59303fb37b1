package io.margay.servlet.engine.request;

import io.margay.protocol.http.FieldParameters;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.files.NoRoomException;
import io.margay.servlet.security.Authenticator;
import io.margay.servlet.settings.WebAppSettings;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The content of one request in the form that the application asks for: bytes, characters,
/// parameters or parts (Servlet 6.1 §3.1, §3.2, §3.12). The first that asks decides. Used by one
/// thread at a time.
final class RequestContent {
    private static final String FORM = "application/x-www-form-urlencoded";

    /// What is held for a form before it has come, whatever length it announces.
    private static final int FORM_FIRST_BYTES = 8_192;

    private static final String MULTIPART = "multipart/form-data";

    private final ServerRequest request;

    /// What the client sent; kept once it is read, because the content can be read only once.
    private @Nullable RequestParameters base;

    /// The queries of the dispatches under way, the innermost first.
    private @Nullable String dispatchQuery;

    /// Both together; null = to be put together.
    private @Nullable RequestParameters parameters;

    private @Nullable RequestInput input;
    private @Nullable BufferedReader reader;
    private @Nullable RequestParts parts;
    private @Nullable String encoding;

    /// What the form makes the server hold until the end of the request; null for next to nothing.
    private MemoryBudget.@Nullable Share held;

    RequestContent(ServerRequest request) {
        this.request = request;
    }

    // Parameters

    RequestParameters parameters() {
        request.cycle.requireOpen();
        RequestParameters known = parameters;
        if (known != null) {
            return known;
        }
        RequestParameters own = base;
        if (own == null) {
            own = readParameters();
            base = own;
        }
        String added = dispatchQuery;
        known =
                added == null
                        ? own
                        : RequestParameters.merged(added, own, parametersMax(), firstOnly());
        parameters = known;
        return known;
    }

    private int parametersMax() {
        return request.home().settings().limits().parametersMax();
    }

    private boolean firstOnly() {
        return request.home().settings().firstParameters();
    }

    /// A dispatch adds parameters.
    void addQuery(@Nullable String query) {
        if (query != null) {
            dispatchQuery = dispatchQuery == null ? query : query + "&" + dispatchQuery;
            parameters = null;
        }
    }

    @Nullable String dispatchQuery() {
        return dispatchQuery;
    }

    void dispatchQuery(@Nullable String query) {
        if (!Objects.equals(dispatchQuery, query)) {
            dispatchQuery = query;
            parameters = null;
        }
    }

    private RequestParameters readParameters() {
        String query = request.head.target().rawQuery();
        RequestParameters read = new RequestParameters();
        if (query != null) {
            read.add(RequestParameters.decodeQuery(query, parametersMax(), firstOnly()));
        }
        String contentType = request.head.field("content-type");
        if (contentType == null || input != null || reader != null) {
            return read;
        }
        FieldParameters parsed = FieldParameters.parse(contentType);
        String media = parsed == null ? "" : parsed.value();
        try {
            if (media.equals(FORM) && request.head.method().equals("POST")) {
                readForm(read);
            } else if (media.equals(MULTIPART) && multipartConfig() != null) {
                parts().addTo(read, formCharset(), parametersMax(), firstOnly());
            }
        } catch (NoRoomException e) {
            throw new BadRequestException(e.status(), String.valueOf(e.getMessage()), e);
        } catch (IOException | ServletException e) {
            throw new BadRequestException(400, "the form cannot be read", e);
        }
        return read;
    }

    /// Takes a form for the content, which is thereby read.
    void restore(Authenticator.Form form) {
        RequestParameters read = new RequestParameters();
        String query = request.head.target().rawQuery();
        if (query != null) {
            read.add(RequestParameters.decodeQuery(query, parametersMax(), firstOnly()));
        }
        byte[] body = form.content().getBytes(StandardCharsets.ISO_8859_1);
        int left = Math.max(0, parametersMax() - read.count());
        Charset charset = Charset.forName(form.charset());
        read.add(RequestParameters.decodeForm(body, body.length, charset, left, firstOnly()));
        base = read;
        parameters = null;
    }

    private void readForm(RequestParameters into) throws IOException {
        int bytesMax = request.home().settings().limits().formBytesMax();
        long declared = request.head.contentLength();
        if (declared > bytesMax) {
            throw tooLarge();
        }
        int end = declared < 0 ? bytesMax + 1 : (int) declared + 1;
        byte[] body = new byte[Math.min(end, FORM_FIRST_BYTES)];
        int length = 0;
        RequestInput content = new RequestInput(request.cycle, request.exchange);
        for (int count = 0; count >= 0; length += Math.max(0, count)) {
            if (length > bytesMax) {
                throw tooLarge();
            }
            if (length == body.length) {
                hold(Math.min(length * 2L, end));
                body = Arrays.copyOf(body, (int) Math.min(length * 2L, end));
            }
            count = content.read(body, length, body.length - length);
        }
        int left = Math.max(0, parametersMax() - into.count());
        into.add(RequestParameters.decodeForm(body, length, formCharset(), left, firstOnly()));
    }

    /// Says what a form takes, of which the first bytes are not counted.
    private void hold(long bytes) {
        if (bytes <= FORM_FIRST_BYTES && held == null) {
            return;
        }
        MemoryBudget.Share share = held;
        if (share == null) {
            share = request.home().settings().memory().share(FORM_FIRST_BYTES);
            held = share;
        }
        if (!share.hold(bytes)) {
            String text = "there is no memory for the form now";
            throw new BadRequestException(503, text, new IOException(text));
        }
    }

    private static BadRequestException tooLarge() {
        String text = "the form is larger than it may be";
        return new BadRequestException(413, text, new IOException(text));
    }

    // Parts

    private @Nullable MultipartConfigElement multipartConfig() {
        MultipartConfigElement own = request.route().servlet().multipart();
        WebAppSettings settings = request.home().settings();
        if (own != null || !settings.casualMultipart()) {
            return own;
        }
        int bytesMax = settings.limits().formBytesMax(); // As for a form, on Tomcat too.
        return new MultipartConfigElement("", bytesMax, bytesMax, bytesMax);
    }

    RequestParts parts() throws IOException, ServletException {
        request.cycle.requireOpen();
        RequestParts known = parts;
        if (known != null) {
            return known;
        }
        MultipartConfigElement config = multipartConfig();
        if (config == null) {
            throw new IllegalStateException("the servlet has no multipart configuration");
        }
        RequestInput content = new RequestInput(request.cycle, request.exchange);
        known =
                RequestParts.read(
                        request.head.field("content-type"),
                        content,
                        config,
                        request.home(),
                        this::hold);
        parts = known;
        return known;
    }

    /// Removes temporary files and gives memory back, at the end of the request.
    void discard() {
        MemoryBudget.Share share = held;
        if (share != null) {
            share.release();
        }
        RequestParts read = parts;
        if (read != null) {
            read.discard(request.home());
        }
    }

    // Bytes and characters

    RequestInput inputStream() {
        request.cycle.requireOpen();
        if (reader != null) {
            throw new IllegalStateException("getReader has been called for this request");
        }
        RequestInput known = input;
        if (known == null) {
            known = new RequestInput(request.cycle, request.exchange);
            input = known;
        }
        return known;
    }

    BufferedReader reader() throws IOException {
        request.cycle.requireOpen();
        BufferedReader known = reader;
        if (known != null) {
            return known;
        }
        if (input != null) {
            throw new IllegalStateException("getInputStream has been called for this request");
        }
        String name = encoding();
        Charset charset = name == null ? StandardCharsets.ISO_8859_1 : requireCharset(name);
        known = new BufferedReader(new InputStreamReader(inputStream(), charset));
        reader = known;
        return known;
    }

    static Charset requireCharset(String name) throws UnsupportedEncodingException {
        try {
            return Charset.forName(name);
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            throw new UnsupportedEncodingException(name);
        }
    }

    private Charset formCharset() throws UnsupportedEncodingException {
        String name = encoding();
        return name == null ? StandardCharsets.UTF_8 : requireCharset(name);
    }

    @Nullable String encoding() {
        request.cycle.requireOpen();
        if (encoding != null) {
            return encoding;
        }
        String contentType = request.head.field("content-type");
        FieldParameters parsed = contentType == null ? null : FieldParameters.parse(contentType);
        String charset = parsed == null ? null : parsed.parameter("charset");
        return charset != null ? charset : request.app().context().getRequestCharacterEncoding();
    }

    /// Sets the encoding; without effect when parameters or characters have been read.
    void encoding(@Nullable String name) {
        request.cycle.requireOpen();
        if (reader == null && base == null) {
            encoding = name;
        }
    }
}
