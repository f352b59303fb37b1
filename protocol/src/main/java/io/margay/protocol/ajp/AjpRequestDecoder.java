package io.margay.protocol.ajp;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.Octets;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.http.RequestTarget.Form;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decodes what a front end sends where no content is due: requests and pings. The container's side
/// of AJP13, with [AjpBodyDecoder].
///
/// Confined to the thread that owns the connection; one per connection. Packets are decoded whole,
/// so it needs [AjpLimits#packetBytesMax] bytes of room at most.
///
/// ```
/// 12 34 len | 02 method protocol uri addr host name port tls n (name value)*n (attr value)* ff
/// 12 34 len | 0a                                    CPING
/// ```
public final class AjpRequestDecoder {
    /// What [#decode] found.
    public enum Result {
        /// The packet is not complete yet.
        NEED_MORE,
        /// A request: see [#request].
        REQUEST,
        /// A well-formed packet with a request that must be refused: see [#error], and
        /// [#attributes] for the secret.
        REFUSED,
        /// A CPING, to be answered with CPONG at once.
        PING,
        /// A packet without a meaning here.
        IGNORED,
        /// Not AJP13; see [#error].
        ERROR
    }

    /// Methods whose content is not asked for when no length is declared.
    private static final Set<String> WITHOUT_CONTENT =
            Set.of("GET", "HEAD", "DELETE", "OPTIONS", "TRACE");

    private static final int METHOD_BYTES_MAX = 32;

    private final AjpLimits limits;
    private final RequestTarget.Characters characters;
    private final PacketFrame frame;
    private final PacketReader reader = new PacketReader();
    private final AjpFraming framing = new AjpFraming();

    private @Nullable AjpForwardRequest request;
    private @Nullable AjpAttributes attributes;
    private @Nullable AjpError error;

    /// A decoder for one connection.
    public AjpRequestDecoder(AjpLimits limits) {
        this(limits, RequestTarget.Characters.STRICT);
    }

    /// The same with what request targets may have.
    public AjpRequestDecoder(AjpLimits limits, RequestTarget.Characters characters) {
        this.limits = limits;
        this.characters = characters;
        frame = new PacketFrame(Ajp.TO_CONTAINER, limits.packetBytesMax());
    }

    /// Looks for a packet where a request may come.
    ///
    /// @param buffer holds in `[from,to)` everything received of this packet so far
    public Result decode(byte[] buffer, int from, int to) {
        if (!frame.find(buffer, from, to)) {
            error = frame.error();
            return error == null ? Result.NEED_MORE : Result.ERROR;
        }
        request = null;
        attributes = null;
        reader.reset(buffer, frame.payloadFrom(), frame.payloadTo());
        int type = reader.u8();
        return switch (type) {
            case Ajp.FORWARD_REQUEST -> decodeRequest();
            case Ajp.CPING -> decodeEmpty(Result.PING);
            case Ajp.SHUTDOWN -> decodeEmpty(Result.IGNORED);
            default -> {
                reader.fail(AjpError.UNKNOWN_TYPE);
                error = reader.error();
                yield Result.ERROR;
            }
        };
    }

    private Result decodeEmpty(Result result) {
        reader.end();
        error = reader.error();
        return error == null ? result : Result.ERROR;
    }

    /// Offset after the packet; valid but after NEED_MORE and ERROR.
    public int packetEnd() {
        return frame.payloadTo();
    }

    /// The request, after REQUEST.
    public AjpForwardRequest request() {
        return known(request);
    }

    /// The attributes, after REQUEST and REFUSED.
    public AjpAttributes attributes() {
        return known(attributes);
    }

    /// What is wrong, after REFUSED and ERROR.
    public AjpError error() {
        return known(error);
    }

    private Result decodeRequest() {
        int methodCode = reader.u8();
        String protocol = reader.requiredString();
        String uri = reader.requiredString();
        String remoteAddress = reader.string();
        String remoteHost = reader.string();
        String serverName = reader.string();
        int serverPort = reader.u16();
        boolean secure = reader.bool();
        Refusal refusal = new Refusal();
        Fields fields = decodeFields(refusal);
        AjpAttributes.Builder collected = decodeAttributes();
        String method = decodeMethod(methodCode, collected, refusal);
        HttpVersion version = version(protocol, refusal);
        refusal.or(framing.check(version, limits.bodyBytesMax()));
        String query = collected.get(AjpAttribute.QUERY_STRING);
        RequestTarget target = target(method, uri, query, secure, refusal);
        error = reader.error();
        if (error != null) {
            return Result.ERROR;
        }
        AjpAttributes all = collected.build();
        attributes = all;
        if (refusal.error != null) {
            error = refusal.error;
            return Result.REFUSED;
        }
        RequestHead head =
                new RequestHead(
                        method, target, version, fields, length(method, version), false, true);
        request =
                new AjpForwardRequest(
                        head, remoteAddress, remoteHost, serverName, serverPort, secure, all);
        return Result.REQUEST;
    }

    private Fields decodeFields(Refusal refusal) {
        framing.reset();
        int count = reader.u16();
        if (count > limits.fieldsMax()) {
            refusal.or(AjpError.TOO_MANY_FIELDS);
        }
        Fields.Builder fields = new Fields.Builder();
        for (int i = 0; i < count && !reader.failed(); i++) {
            String name = reader.requestFieldName();
            String value = reader.requiredString();
            if (reader.failed()) {
                break;
            }
            if (!Octets.isToken(name)) {
                refusal.or(AjpError.BAD_FIELD_NAME);
            } else if (!isFieldValue(value)) {
                refusal.or(AjpError.BAD_FIELD_VALUE);
            } else if (i < limits.fieldsMax()) {
                String trimmed = trim(value);
                framing.field(name, trimmed);
                fields.add(name, trimmed);
            }
        }
        return fields.build();
    }

    private AjpAttributes.Builder decodeAttributes() {
        AjpAttributes.Builder collected = new AjpAttributes.Builder();
        int count = 0;
        while (!reader.failed()) {
            int code = reader.u8();
            if (code == Ajp.ATTRIBUTES_END) {
                reader.end();
                break;
            }
            if (++count > limits.attributesMax()) {
                reader.fail(AjpError.TOO_MANY_ATTRIBUTES);
            } else if (code == AjpAttribute.NAMED) {
                decodeNamed(collected);
            } else if (code == AjpAttribute.TLS_KEY_BITS) {
                failIf(collected.hasKeyBits(), AjpError.REPEATED_ATTRIBUTE);
                collected.keyBits(reader.u16());
            } else {
                decodeCoded(code, collected);
            }
        }
        return collected;
    }

    private void decodeNamed(AjpAttributes.Builder collected) {
        String name = reader.requiredString();
        String value = reader.requiredString();
        failIf(collected.has(name), AjpError.REPEATED_ATTRIBUTE);
        if (!reader.failed()) {
            collected.set(name, value);
        }
    }

    private void decodeCoded(int code, AjpAttributes.Builder collected) {
        AjpAttribute attribute = AjpAttribute.of(code);
        if (attribute == null) {
            reader.fail(AjpError.UNKNOWN_ATTRIBUTE);
            return;
        }
        failIf(collected.has(attribute), AjpError.REPEATED_ATTRIBUTE);
        String value = reader.requiredString();
        if (!reader.failed()) {
            collected.set(attribute, value);
        }
    }

    private String decodeMethod(int code, AjpAttributes.Builder collected, Refusal refusal) {
        String stored = collected.get(AjpAttribute.STORED_METHOD);
        failIf((stored != null) != (code == Ajp.STORED_METHOD), AjpError.NO_METHOD);
        if (stored != null) {
            if (!Octets.isToken(stored) || stored.length() > METHOD_BYTES_MAX) {
                refusal.or(AjpError.BAD_METHOD);
            }
            return stored;
        }
        String method = Ajp.method(code);
        failIf(method == null, AjpError.UNKNOWN_METHOD);
        return method == null ? "" : method;
    }

    private static HttpVersion version(String protocol, Refusal refusal) {
        return switch (protocol) {
            case "HTTP/1.1" -> HttpVersion.HTTP_1_1;
            case "HTTP/1.0" -> HttpVersion.HTTP_1_0;
            case "HTTP/2.0", "HTTP/2" -> HttpVersion.HTTP_2;
            case "HTTP/3.0", "HTTP/3" -> HttpVersion.HTTP_3;
            default -> {
                refusal.or(AjpError.BAD_VERSION);
                yield HttpVersion.HTTP_1_1;
            }
        };
    }

    private RequestTarget target(
            String method, String uri, @Nullable String query, boolean secure, Refusal refusal) {
        int max = limits.targetBytesMax();
        if (uri.length() > max || (query != null && query.length() > max)) {
            refusal.or(AjpError.TARGET_TOO_LONG);
        }
        String scheme = secure ? "https" : "http";
        if (uri.equals("*") && query == null && method.equals("OPTIONS")) {
            return new RequestTarget(Form.ASTERISK, "*", "*", null, scheme, framing.host());
        }
        String raw = query == null ? uri : uri + "?" + query;
        boolean sound = uri.startsWith("/") && uri.indexOf('?') < 0 && characters.fits(raw);
        if (!sound || method.equals("CONNECT")) {
            refusal.or(AjpError.BAD_TARGET);
        }
        return new RequestTarget(Form.ORIGIN, raw, uri, query, scheme, framing.host());
    }

    /// A length that is not declared is none for methods that usually have no content; for others
    /// the front end is asked, which costs nothing when there is none.
    private long length(String method, HttpVersion version) {
        long declared = framing.contentLength();
        if (declared >= 0) {
            return declared;
        }
        boolean possible = version != HttpVersion.HTTP_1_0 && !WITHOUT_CONTENT.contains(method);
        return framing.chunked() || possible ? RequestHead.UNKNOWN_LENGTH : RequestHead.NO_BODY;
    }

    private void failIf(boolean condition, AjpError fault) {
        if (condition) {
            reader.fail(fault);
        }
    }

    static boolean isFieldValue(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!Octets.isFieldValue((byte) text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static String trim(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && (value.charAt(from) == ' ' || value.charAt(from) == '\t')) {
            from++;
        }
        while (to > from && (value.charAt(to - 1) == ' ' || value.charAt(to - 1) == '\t')) {
            to--;
        }
        return value.substring(from, to);
    }

    private static <T> T known(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("decode has not given this yet");
        }
        return value;
    }

    /// The first thing for which a sound packet's request is refused.
    private static final class Refusal {
        private @Nullable AjpError error;

        void or(@Nullable AjpError other) {
            if (error == null) {
                error = other;
            }
        }
    }
}
