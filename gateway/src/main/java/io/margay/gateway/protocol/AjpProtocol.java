package io.margay.gateway.protocol;

import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerLimits;
import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpRequestEncoder;
import io.margay.protocol.ajp.AjpResponseDecoder;
import io.margay.protocol.http.Authority;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.ResponseHead;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.TlsInfo;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// AJP13 to a container. Confined to the connection's loop.
///
/// Content goes in data packets: the first at once when its length is declared, the others as the
/// container asks for them.
final class AjpProtocol implements PeerProtocol {
    private static final int FIELDS_MAX = 200;
    private static final String PEM_BEGIN = "-----BEGIN CERTIFICATE-----\n";
    private static final String PEM_END = "\n-----END CERTIFICATE-----\n";
    private static final int PEM_LINE = 64;

    private final PeerConfig config;
    private final AjpLimits limits;
    private final AjpResponseDecoder decoder;
    private boolean contentEnded;

    /// Bytes of content that the container waits for.
    private int asked;

    private int consumed;
    private @Nullable String error;

    private final AddressText addresses;

    AjpProtocol(PeerConfig config, PeerLimits peerLimits, AddressText addresses) {
        this.config = config;
        this.addresses = addresses;
        AjpLimits defaults = AjpLimits.defaults();
        limits =
                new AjpLimits(
                        config.ajp().packetBytesMax(),
                        defaults.targetBytesMax(),
                        Math.max(FIELDS_MAX, peerLimits.responses().fieldsMax()),
                        defaults.attributesMax(),
                        AjpLimits.NO_BODY_LIMIT);
        decoder = new AjpResponseDecoder(limits);
        decoder.reset(false);
    }

    @Override
    public void begin(PeerRequest request, SendBuffer out) {
        decoder.reset(request.method().equals("HEAD"));
        error = null;
        contentEnded = request.contentLength() == RequestHead.NO_BODY;
        asked = request.contentLength() > 0 ? limits.requestDataMax() : 0;
        out.reserve(limits.packetBytesMax());
        int end =
                AjpRequestEncoder.encodeRequest(
                        out.bytes(), out.size(), limits, forward(request), request.fields());
        if (end == AjpRequestEncoder.FULL) {
            throw new LargeHeadException("the request does not fit into an AJP13 packet");
        }
        out.size(end);
    }

    private AjpForwardRequest forward(PeerRequest request) {
        Exchange exchange = request.exchange();
        String asked = exchange.request().target().authority();
        String authority = asked != null ? asked : request.fields().get("Host");
        boolean secure = exchange.scheme().equals("https");
        String host = Authority.host(authority);
        int port = authority == null ? -1 : Authority.port(authority);
        String address = text(exchange.remote());
        return new AjpForwardRequest(
                head(request, authority),
                address,
                address,
                host == null ? text(exchange.local()) : host,
                port >= 0 ? port : host == null ? port(exchange.local()) : secure ? 443 : 80,
                secure,
                attributes(request));
    }

    private static RequestHead head(PeerRequest request, @Nullable String authority) {
        String target = request.target();
        int question = target.indexOf('?');
        return new RequestHead(
                request.method(),
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        target,
                        question < 0 ? target : target.substring(0, question),
                        question < 0 ? null : target.substring(question + 1),
                        null,
                        authority),
                HttpVersion.HTTP_1_1,
                Fields.EMPTY, // they are given beside it
                request.contentLength(),
                false,
                true);
    }

    private AjpAttributes attributes(PeerRequest request) {
        Exchange exchange = request.exchange();
        AjpAttributes.Builder attributes =
                new AjpAttributes.Builder()
                        .set(AjpAttribute.REMOTE_USER, exchange.remoteUser())
                        .set(AjpAttribute.SECRET, config.ajp().secret());
        if (exchange.remoteUser() != null) {
            attributes.set(AjpAttribute.AUTH_TYPE, exchange.authType());
        }
        if (!config.share().route().isEmpty()) {
            attributes.set(AjpAttribute.ROUTE, config.share().route());
        }
        attributes.set("AJP_REMOTE_PORT", Integer.toString(port(exchange.remote())));
        attributes.set("AJP_LOCAL_ADDR", text(exchange.local()));
        TlsInfo tls = exchange.tls();
        if (tls != null) {
            tls(attributes, tls);
        }
        request.attributes().forEach(attributes::set);
        return attributes.build();
    }

    private static void tls(AjpAttributes.Builder attributes, TlsInfo tls) {
        attributes.set(AjpAttribute.TLS_CIPHER, tls.cipherSuite());
        if (!tls.sessionId().isEmpty()) {
            attributes.set(AjpAttribute.TLS_SESSION, tls.sessionId());
        }
        if (tls.keyBits() > 0) {
            attributes.keyBits(tls.keyBits());
        }
        attributes.set("AJP_SSL_PROTOCOL", tls.protocol());
        if (!tls.peerCertificates().isEmpty()) {
            try {
                byte[] der = tls.peerCertificates().getFirst().getEncoded();
                attributes.set(
                        AjpAttribute.TLS_CERTIFICATE,
                        PEM_BEGIN
                                + Base64.getMimeEncoder(PEM_LINE, new byte[] {'\n'})
                                        .encodeToString(der)
                                + PEM_END);
            } catch (CertificateEncodingException e) {
                throw new IllegalArgumentException("the client's certificate is malformed", e);
            }
        }
    }

    /// An address; that of the loopback for a socket that has none.
    private String text(SocketAddress address) {
        return addresses.of(address, "127.0.0.1");
    }

    private static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : 0;
    }

    @Override
    public int contentRoom() {
        return contentEnded ? 0 : asked;
    }

    @Override
    public void content(byte[] source, int offset, int length, SendBuffer out) {
        asked = 0;
        out.reserve(length + AjpRequestEncoder.DATA_PREFIX_BYTES);
        out.size(AjpRequestEncoder.encodeDataPrefix(out.bytes(), out.size(), length));
        out.put(source, offset, length);
    }

    @Override
    public void contentEnd(FieldList trailers, SendBuffer out) {
        contentEnded = true;
        if (asked > 0) {
            putEnd(out);
        }
    }

    private void putEnd(SendBuffer out) {
        asked = 0;
        out.reserve(AjpRequestEncoder.DATA_PREFIX_BYTES);
        out.size(AjpRequestEncoder.encodeDataEnd(out.bytes(), out.size()));
    }

    @Override
    public boolean ping(SendBuffer out) {
        decoder.reset(false);
        out.reserve(AjpRequestEncoder.DATA_PREFIX_BYTES);
        out.size(AjpRequestEncoder.encodePing(out.bytes(), out.size()));
        return true;
    }

    @Override
    public Step decode(byte[] buffer, int from, int to) {
        consumed = from;
        if (from == to) {
            return Step.NEED_MORE;
        }
        AjpResponseDecoder.Result result = decoder.decode(buffer, from, to);
        switch (result) {
            case NEED_MORE -> {
                return Step.NEED_MORE;
            }
            case ERROR -> {
                error = decoder.error().cause().text();
                return Step.ERROR;
            }
            case GET_BODY -> asked = Math.max(1, decoder.requestedBytes());
            case HEAD, DATA, FLUSH, END, PONG -> {}
        }
        consumed = decoder.packetEnd();
        return switch (result) {
            case HEAD -> Step.HEAD;
            case DATA -> Step.DATA;
            case FLUSH -> Step.FLUSH;
            case GET_BODY -> Step.ROOM;
            case END -> Step.END;
            case PONG -> Step.PONG;
            case NEED_MORE, ERROR -> throw new IllegalStateException("handled above");
        };
    }

    @Override
    public Step inputEnded() {
        error = "the container closed the connection before the end of its response";
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
        return decoder.reusable() && config.pool().reuse();
    }

    @Override
    public String error() {
        return error == null ? "unknown" : error;
    }
}
