package io.margay.protocol.http2;

import static io.margay.protocol.http.Octets.equalsIgnoreCase;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.RequestTarget.Form;
import io.margay.protocol.http.ResponseHead;
import io.margay.protocol.http.TrailerFilter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Makes heads and trailers of decoded fields, and checks them (RFC 9113 §8.2, §8.3; RFC 9114 §4.2,
/// §4.3 for HTTP/3). Made for one header block; confined to the thread that receives.
///
/// A message that is malformed ends its stream. One that is too large, or that asks for what cannot
/// be had, gets an answer.
public final class HeadCollector implements HpackDecoder.Sink {
    /// What a header block is.
    public enum Kind {
        REQUEST,
        RESPONSE,
        TRAILERS
    }

    private final Kind kind;
    private final HttpVersion version;
    private final Http2Limits limits;
    private final int fieldsMax;
    private final Fields.Builder fields = new Fields.Builder();
    private final boolean secure;
    private final RequestTarget.Characters characters;
    private int kept;
    private long decoded;
    private boolean malformed;
    private boolean tooLarge;
    private boolean regularSeen;

    private @Nullable String method;
    private @Nullable String scheme;
    private @Nullable String authority;
    private @Nullable String path;
    private @Nullable String protocol;
    private @Nullable String host;
    private int status = -1;
    private long contentLength = Http2Stream.UNKNOWN;
    private @Nullable StringBuilder cookies;
    private boolean expectContinue;
    private @Nullable ProtocolError refusal;

    /// @param version what heads say they are of
    /// @param secure whether the connection is encrypted
    public HeadCollector(
            Kind kind,
            HttpVersion version,
            Http2Limits limits,
            boolean secure,
            RequestTarget.Characters characters) {
        this.kind = kind;
        this.version = version;
        this.characters = characters;
        this.limits = limits;
        this.secure = secure;
        fieldsMax = kind == Kind.TRAILERS ? limits.trailersMax() : limits.fieldsMax();
    }

    /// Whether so much was decoded that the connection is to end.
    public boolean isBomb() {
        return decoded > limits.decodedBytesMax();
    }

    /// Whether the message breaks the rules.
    public boolean isMalformed() {
        return malformed;
    }

    /// `Content-Length`, or -1.
    public long contentLength() {
        return contentLength;
    }

    /// Octets of the names and values that were looked at.
    int octets() {
        return kept;
    }

    /// Whether it has more than the limits allow.
    public boolean isTooLarge() {
        return tooLarge;
    }

    @Override
    public void field(byte[] name, int nf, int nt, byte[] value, int vf, int vt) {
        decoded += nt - nf + vt - vf + HpackDecoder.ENTRY_OVERHEAD;
        if (malformed || isBomb()) {
            return;
        }
        if (!isValue(value, vf, vt) || nf == nt) {
            malformed = true;
        } else if (name[nf] == ':') {
            kept += nt - nf + vt - vf;
            tooLarge |= kept > limits.headBytesMax();
            pseudo(text(name, nf, nt), value, vf, vt);
        } else {
            regularSeen = true;
            kept += nt - nf + vt - vf;
            tooLarge |= kept > limits.headBytesMax() || fields.size() >= fieldsMax;
            tooLarge |= kind != Kind.TRAILERS && nt - nf + 2 + vt - vf > limits.fieldOctetsMax();
            if (!isName(name, nf, nt)) {
                malformed = true;
            } else if (!tooLarge) {
                regular(name, nf, nt, value, vf, vt);
            }
        }
    }

    private static boolean isName(byte[] name, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Octets.isToken(name[i]) || (name[i] >= 'A' && name[i] <= 'Z')) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValue(byte[] value, int from, int to) {
        for (int i = Octets.skipPrintable(value, from, to); i < to; i++) {
            if (!Octets.isFieldValue(value[i])) {
                return false;
            }
        }
        return from == to || (!isBlank(value[from]) && !isBlank(value[to - 1]));
    }

    private static boolean isBlank(byte octet) {
        return octet == ' ' || octet == '\t';
    }

    private void pseudo(String name, byte[] value, int from, int to) {
        String before =
                switch (kind) {
                    case REQUEST ->
                            switch (name) {
                                case ":method" -> method;
                                case ":scheme" -> scheme;
                                case ":authority" -> authority;
                                case ":path" -> path;
                                case ":protocol" -> protocol;
                                default -> name;
                            };
                    case RESPONSE -> name.equals(":status") && status < 0 ? null : name;
                    case TRAILERS -> name;
                };
        if (before != null || regularSeen) {
            malformed = true;
            return;
        }
        switch (name) {
            case ":method" -> method = method(value, from, to);
            case ":scheme" -> scheme = text(value, from, to);
            case ":authority" -> authority = authority(value, from, to);
            case ":path" -> path = path(value, from, to);
            case ":protocol" -> protocol = text(value, from, to);
            default -> status = status(value, from, to);
        }
    }

    private String method(byte[] value, int from, int to) {
        if (to - from == 3 && value[from] == 'G' && value[from + 1] == 'E') {
            if (value[from + 2] == 'T') {
                return "GET";
            }
        }
        String text = text(value, from, to);
        malformed |= !Octets.isToken(text);
        return switch (text) {
            case "POST" -> "POST";
            case "HEAD" -> "HEAD";
            case "PUT" -> "PUT";
            default -> text;
        };
    }

    private String authority(byte[] value, int from, int to) {
        if (!Authority.isValid(value, from, to)) {
            refuse(Http2Error.BAD_HOST);
        }
        return text(value, from, to);
    }

    private String path(byte[] value, int from, int to) {
        if (to - from > limits.targetBytesMax()) {
            refuse(Http2Error.TARGET_TOO_LONG);
            return "/";
        }
        malformed |= from == to;
        if (!characters.fits(value, from, to)) {
            refuse(Http2Error.BAD_TARGET);
        }
        return text(value, from, to);
    }

    private int status(byte[] value, int from, int to) {
        int code = 0;
        for (int i = from; i < to; i++) {
            code = Octets.isDigit(value[i]) && code < 1000 ? code * 10 + value[i] - '0' : 9999;
        }
        malformed |= to - from != 3 || code < 100 || code > 599 || code == 101;
        return code;
    }

    private void refuse(ProtocolError error) {
        if (refusal == null) {
            refusal = error;
        }
    }

    private void regular(byte[] name, int nf, int nt, byte[] value, int vf, int vt) {
        boolean keep = true;
        switch (nt - nf) {
            case 2 ->
                    malformed |=
                            equalsIgnoreCase(name, nf, nt, "te")
                                    && !equalsIgnoreCase(value, vf, vt, "trailers");
            case 4 -> keep = !(equalsIgnoreCase(name, nf, nt, "host") && host(value, vf, vt));
            case 6 -> {
                if (equalsIgnoreCase(name, nf, nt, "cookie")) {
                    keep = !cookie(value, vf, vt);
                } else if (equalsIgnoreCase(name, nf, nt, "expect")) {
                    expect(value, vf, vt);
                }
            }
            case 7 -> malformed |= equalsIgnoreCase(name, nf, nt, "upgrade");
            case 10 ->
                    malformed |=
                            equalsIgnoreCase(name, nf, nt, "connection")
                                    || equalsIgnoreCase(name, nf, nt, "keep-alive");
            case 14 -> {
                if (equalsIgnoreCase(name, nf, nt, "content-length")) {
                    length(value, vf, vt);
                    keep = kind != Kind.TRAILERS;
                }
            }
            case 16 -> malformed |= equalsIgnoreCase(name, nf, nt, "proxy-connection");
            case 17 -> malformed |= equalsIgnoreCase(name, nf, nt, "transfer-encoding");
            default -> {}
        }
        if (keep && !malformed) {
            fields.add(name, nf, nt, value, vf, vt);
        }
    }

    /// Notes a request's host; true when it is not to be kept here.
    private boolean host(byte[] value, int from, int to) {
        if (kind == Kind.TRAILERS) {
            return true;
        }
        if (kind == Kind.REQUEST) {
            malformed |= host != null;
            if (!Authority.isValid(value, from, to)) {
                refuse(Http2Error.BAD_HOST);
            }
            host = text(value, from, to);
        }
        return kind == Kind.REQUEST;
    }

    /// Joins the crumbs of cookies (RFC 9113 §8.2.3).
    private boolean cookie(byte[] value, int from, int to) {
        if (kind != Kind.REQUEST) {
            return false;
        }
        StringBuilder all = cookies;
        if (all == null) {
            all = new StringBuilder(to - from + 16);
            cookies = all;
        } else {
            all.append("; ");
        }
        all.append(text(value, from, to));
        tooLarge |= "cookie: ".length() + all.length() > limits.fieldOctetsMax();
        return true;
    }

    private void expect(byte[] value, int from, int to) {
        if (kind == Kind.REQUEST) {
            if (expectContinue || !equalsIgnoreCase(value, from, to, "100-continue")) {
                refuse(Http2Error.EXPECTATION_UNKNOWN);
            }
            expectContinue = true;
        }
    }

    private void length(byte[] value, int from, int to) {
        long length = to - from > 18 ? -1 : Octets.decimal(value, from, to);
        if (contentLength != Http2Stream.UNKNOWN || length < 0) {
            malformed = true;
        } else {
            contentLength = length;
        }
    }

    // Results

    /// Why the request gets an answer without being handled, or null.
    public @Nullable ProtocolError refusal(long bodyBytesMax) {
        if (tooLarge) {
            return Http2Error.HEAD_TOO_LARGE;
        }
        if (refusal == null && bodyBytesMax >= 0 && contentLength > bodyBytesMax) {
            return Http2Error.CONTENT_TOO_LARGE;
        }
        return refusal;
    }

    /// The request; null when it is malformed.
    ///
    /// @param ends whether no content follows
    public @Nullable RequestHead request(boolean ends) {
        boolean connect = "CONNECT".equals(method);
        boolean extended = protocol != null;
        if (malformed || method == null || (extended && !connect)) {
            return null;
        }
        boolean plainConnect = connect && !extended;
        if (plainConnect
                ? scheme != null || path != null || authority == null
                : path == null || !isScheme()) {
            return null;
        }
        if (ends && contentLength > 0) {
            return null;
        }
        String named = hostOf();
        RequestTarget target = plainConnect ? authorityForm(named) : target(named);
        if (extended) {
            if (!"websocket".equals(protocol)) {
                refuse(Http2Error.PROTOCOL_UNKNOWN);
            }
            asUpgrade();
        }
        long length = ends ? RequestHead.NO_BODY : contentLength;
        if (extended) {
            length = RequestHead.NO_BODY;
        } else if (!ends && contentLength == Http2Stream.UNKNOWN) {
            length = RequestHead.UNKNOWN_LENGTH;
        }
        return new RequestHead(
                extended ? "GET" : method,
                target,
                version,
                requestFields(named),
                length,
                expectContinue && length != RequestHead.NO_BODY,
                true);
    }

    private boolean isScheme() {
        return "https".equals(scheme) || "http".equals(scheme);
    }

    private @Nullable String hostOf() {
        if (authority != null && host != null && !authority.equalsIgnoreCase(host)) {
            refuse(Http2Error.BAD_HOST);
        }
        String named = authority != null ? authority : host;
        if (named == null) {
            refuse(Http2Error.HOST_MISSING);
        }
        return named;
    }

    private RequestTarget authorityForm(@Nullable String named) {
        if (named == null || Authority.port(named) < 0) {
            refuse(Http2Error.BAD_TARGET);
        }
        String raw = named == null ? "-" : named;
        return new RequestTarget(Form.AUTHORITY, raw, "", null, null, named);
    }

    private RequestTarget target(@Nullable String named) {
        String raw = path == null ? "/" : path;
        String theScheme = secure ? "https" : "http";
        if (raw.equals("*") && "OPTIONS".equals(method)) {
            return new RequestTarget(Form.ASTERISK, raw, raw, null, theScheme, named);
        }
        if (raw.charAt(0) != '/') {
            refuse(Http2Error.BAD_TARGET);
            raw = "/";
        }
        int mark = raw.indexOf('?');
        return new RequestTarget(
                Form.ORIGIN,
                raw,
                mark < 0 ? raw : raw.substring(0, mark),
                mark < 0 ? null : raw.substring(mark + 1),
                theScheme,
                named);
    }

    /// Says the extended CONNECT (RFC 8441) as HTTP/1.1 says it, so that above here there is one
    /// way to upgrade. The key is not needed for what it is there for, which is to tell that the
    /// server has understood.
    private void asUpgrade() {
        fields.add("upgrade", "websocket");
        fields.add("connection", "Upgrade");
        fields.add("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==");
    }

    private Fields requestFields(@Nullable String named) {
        if (named != null) {
            fields.add("host", named);
        }
        if (cookies != null) {
            fields.add("cookie", cookies.toString());
        }
        return fields.build();
    }

    /// The response; null when it is malformed.
    public @Nullable ResponseHead response(boolean ends, boolean toHead) {
        if (malformed || tooLarge || status < 0) {
            return null;
        }
        boolean silent = toHead || status < 200 || status == 204 || status == 304;
        if (ends && contentLength > 0 && !silent) {
            return null;
        }
        long length =
                ends || silent
                        ? 0
                        : contentLength == Http2Stream.UNKNOWN
                                ? ResponseHead.UNKNOWN_LENGTH
                                : contentLength;
        return new ResponseHead(version, status, "", fields.build(), length, true);
    }

    /// The trailers that may come after the content.
    public Fields trailers() {
        return TrailerFilter.allowed(fields.build());
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
