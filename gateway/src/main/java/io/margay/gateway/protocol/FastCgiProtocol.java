package io.margay.gateway.protocol;

import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.fastcgi.CgiRequest;
import io.margay.protocol.fastcgi.CgiRequestBuilder;
import io.margay.protocol.fastcgi.FastCgiLimits;
import io.margay.protocol.fastcgi.FastCgiParameters;
import io.margay.protocol.fastcgi.FastCgiRequestEncoder;
import io.margay.protocol.fastcgi.FastCgiResponseDecoder;
import io.margay.protocol.http.Authority;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.PercentEncoding;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.TlsInfo;
import java.io.ByteArrayOutputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// FastCGI to an application such as php-fpm. Confined to the connection's loop.
///
/// One request at a time on a connection, which is kept where the pool reuses connections. What the
/// application writes for the log is logged, one record per response.
final class FastCgiProtocol implements PeerProtocol {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway.fastcgi");

    /// Of what one response has for the log; more is dropped.
    private static final int LOG_BYTES_MAX = 8192;

    private final PeerConfig config;
    private final FastCgiResponseDecoder decoder;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream(0);
    private boolean contentEnded;
    private int consumed;
    private @Nullable String error;

    FastCgiProtocol(PeerConfig config) {
        this.config = config;
        decoder = new FastCgiResponseDecoder(FastCgiLimits.defaults());
        decoder.reset(false);
    }

    @Override
    public void begin(PeerRequest request, SendBuffer out) {
        decoder.reset(request.method().equals("HEAD"));
        error = null;
        log.reset();
        CgiRequest cgi = cgi(request);
        if (cgi.error() != null) {
            throw new IllegalArgumentException("the path names no script");
        }
        FastCgiParameters parameters = cgi.parameters();
        if (parameters.length() > FastCgiLimits.defaults().parametersBytesMax()) {
            throw new IllegalArgumentException("the request has too many parameters");
        }
        out.reserve(
                FastCgiRequestEncoder.requestBytes(parameters)
                        + FastCgiRequestEncoder.DATA_PREFIX_BYTES);
        out.size(
                FastCgiRequestEncoder.encodeRequest(
                        out.bytes(), out.size(), config.pool().reuse(), parameters));
        contentEnded = request.contentLength() == RequestHead.NO_BODY;
        if (contentEnded) {
            out.size(FastCgiRequestEncoder.encodeDataEnd(out.bytes(), out.size()));
        }
    }

    private CgiRequest cgi(PeerRequest request) {
        Exchange exchange = request.exchange();
        RequestHead head = head(request);
        String authority = request.fields().get("Host");
        String host = Authority.host(authority);
        int port = authority == null ? -1 : Authority.port(authority);
        boolean secure = exchange.scheme().equals("https");
        String root = config.root();
        return CgiRequestBuilder.builder()
                .head(head)
                .target(PercentEncoding.target(ClientTarget.of(exchange)))
                .path(CanonicalPath.of(head.target().rawPath(), exchange.path().reading()))
                .query(head.target().rawQuery())
                .root(root == null ? "" : withoutSlash(root))
                .remoteAddress(literal(exchange.remote()))
                .remotePort(port(exchange.remote()))
                .serverName(host == null ? literal(exchange.local()) : host)
                .serverAddress(literal(exchange.local()))
                .serverPort(port >= 0 ? port : secure ? 443 : 80)
                .secure(secure)
                .user(exchange.remoteUser())
                .authType(exchange.remoteUser() == null ? null : exchange.authType())
                .extra(attributes(request))
                .known(request.script())
                .build();
    }

    /// Where a client says that there is no content, programs are told so; and which host it asked
    /// for by SNI.
    private static Map<String, String> attributes(PeerRequest request) {
        TlsInfo tls = request.exchange().tls();
        String named = tls == null ? "" : tls.serverName();
        boolean said =
                request.contentLength() == RequestHead.NO_BODY
                        && request.exchange().request().fields().contains("content-length");
        if (!said && named.isEmpty()) {
            return request.attributes();
        }
        Map<String, String> all = new LinkedHashMap<>(request.attributes());
        if (said) {
            all.put("CONTENT_LENGTH", "0");
        }
        if (!named.isEmpty()) {
            all.putIfAbsent("SSL_TLS_SNI", named);
        }
        return all;
    }

    private static String withoutSlash(String root) {
        return root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
    }

    private static RequestHead head(PeerRequest request) {
        String target = request.target();
        int question = target.indexOf('?');
        Fields.Builder fields = new Fields.Builder();
        FieldList list = request.fields();
        for (int i = 0; i < list.size(); i++) {
            fields.add(list.name(i), list.value(i));
        }
        return new RequestHead(
                request.method(),
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        target,
                        question < 0 ? target : target.substring(0, question),
                        question < 0 ? null : target.substring(question + 1),
                        null,
                        null),
                HttpVersion.HTTP_1_1,
                fields.build(),
                request.contentLength(),
                false,
                true);
    }

    private static String literal(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return "127.0.0.1";
        }
        return AddressText.of(inet);
    }

    private static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    @Override
    public int contentRoom() {
        return contentEnded ? 0 : FastCgiRequestEncoder.DATA_BYTES_MAX;
    }

    @Override
    public void content(byte[] source, int offset, int length, SendBuffer out) {
        out.reserve(length + FastCgiRequestEncoder.DATA_PREFIX_BYTES);
        out.size(FastCgiRequestEncoder.encodeDataPrefix(out.bytes(), out.size(), length));
        out.put(source, offset, length);
    }

    @Override
    public void contentEnd(FieldList trailers, SendBuffer out) {
        if (!contentEnded) {
            contentEnded = true;
            out.reserve(FastCgiRequestEncoder.DATA_PREFIX_BYTES);
            out.size(FastCgiRequestEncoder.encodeDataEnd(out.bytes(), out.size()));
        }
    }

    @Override
    public boolean ping(SendBuffer out) {
        return false;
    }

    @Override
    public Step decode(byte[] buffer, int from, int to) {
        consumed = from;
        while (true) {
            FastCgiResponseDecoder.Result result = decoder.decode(buffer, consumed, to);
            consumed = decoder.consumed();
            switch (result) {
                case LOG -> keepForLog(buffer, decoder.dataFrom(), decoder.dataTo());
                case NEED_MORE -> {
                    return Step.NEED_MORE;
                }
                case HEAD -> {
                    return Step.HEAD;
                }
                case DATA -> {
                    return Step.DATA;
                }
                case END -> {
                    writeLog();
                    return Step.END;
                }
                case OVERLOADED -> {
                    error = "the application takes no more requests";
                    return Step.ERROR;
                }
                case ERROR -> {
                    writeLog();
                    error = decoder.error().text();
                    return Step.ERROR;
                }
            }
        }
    }

    private void keepForLog(byte[] buffer, int from, int to) {
        log.write(buffer, from, Math.min(to - from, LOG_BYTES_MAX - log.size()));
    }

    private void writeLog() {
        if (log.size() > 0) {
            String text = printable(log.toString(StandardCharsets.UTF_8));
            log.reset();
            LOG.log(Level.WARNING, "{0}: {1}", config.name(), text);
        }
    }

    /// One event is one line, whatever the application wrote.
    private static String printable(String received) {
        String text = received.strip();
        StringBuilder line = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean control = c < ' ' || (c >= 0x7f && c < 0xa0);
            line.append(c == '\n' ? " | " : control ? "?" : String.valueOf(c));
        }
        return line.toString();
    }

    @Override
    public Step inputEnded() {
        writeLog();
        error = "the application closed the connection before the end of its response";
        return Step.ERROR;
    }

    @Override
    public int consumed() {
        return consumed;
    }

    @Override
    public ResponseHead head() {
        return decoder.head();
    }

    @Override
    public int dataFrom() {
        return decoder.dataFrom();
    }

    @Override
    public int dataTo() {
        return decoder.dataTo();
    }

    @Override
    public boolean reusable() {
        return contentEnded && config.pool().reuse();
    }

    @Override
    public String error() {
        return error == null ? "unknown" : error;
    }
}
