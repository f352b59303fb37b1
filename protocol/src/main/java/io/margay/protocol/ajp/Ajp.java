package io.margay.protocol.ajp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.margay.protocol.http.Octets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The numbers of AJP13: packet types and the codes that stand for methods and field names.
///
/// ```
/// 0x12 0x34 | length (2) | payload      front end to container
/// 'A'  'B'  | length (2) | payload      container to front end
/// ```
final class Ajp {
    /// Bytes before the payload.
    static final int HEADER_BYTES = 4;

    /// What a SEND_BODY_CHUNK has beside its content: type, length and a final NUL.
    static final int CHUNK_EXTRA_BYTES = 4;

    /// First two bytes of a packet to the container.
    static final int TO_CONTAINER = 0x1234;

    /// First two bytes of a packet to the front end.
    static final int TO_FRONT_END = 0x4142;

    // Types of packets to the container; data packets have none.
    static final int FORWARD_REQUEST = 2;
    static final int SHUTDOWN = 7;
    static final int CPING = 10;

    // Types of packets to the front end.
    static final int SEND_BODY_CHUNK = 3;
    static final int SEND_HEADERS = 4;
    static final int END_RESPONSE = 5;
    static final int GET_BODY_CHUNK = 6;
    static final int CPONG = 9;

    /// The method is in attribute `stored_method`.
    static final int STORED_METHOD = 0xff;

    /// A string's length that stands for no string at all; no NUL follows.
    static final int NULL_STRING = 0xffff;

    /// The high byte of a code in the place of a field name.
    static final int NAME_CODE = 0xa0;

    /// Ends the attributes.
    static final int ATTRIBUTES_END = 0xff;

    private static final List<String> METHODS =
            List.of(
                    "OPTIONS",
                    "GET",
                    "HEAD",
                    "POST",
                    "PUT",
                    "DELETE",
                    "TRACE",
                    "PROPFIND",
                    "PROPPATCH",
                    "MKCOL",
                    "COPY",
                    "MOVE",
                    "LOCK",
                    "UNLOCK",
                    "ACL",
                    "REPORT",
                    "VERSION-CONTROL",
                    "CHECKIN",
                    "CHECKOUT",
                    "UNCHECKOUT",
                    "SEARCH",
                    "MKWORKSPACE",
                    "UPDATE",
                    "LABEL",
                    "MERGE",
                    "BASELINE-CONTROL",
                    "MKACTIVITY");

    private static final List<String> REQUEST_FIELDS =
            List.of(
                    "Accept",
                    "Accept-Charset",
                    "Accept-Encoding",
                    "Accept-Language",
                    "Authorization",
                    "Connection",
                    "Content-Type",
                    "Content-Length",
                    "Cookie",
                    "Cookie2",
                    "Host",
                    "Pragma",
                    "Referer",
                    "User-Agent");

    private static final List<String> RESPONSE_FIELDS =
            List.of(
                    "Content-Type",
                    "Content-Language",
                    "Content-Length",
                    "Date",
                    "Last-Modified",
                    "Location",
                    "Set-Cookie",
                    "Set-Cookie2",
                    "Servlet-Engine",
                    "Status",
                    "WWW-Authenticate");

    private static final List<byte[]> RESPONSE_FIELD_BYTES =
            RESPONSE_FIELDS.stream().map(name -> name.getBytes(ISO_8859_1)).toList();

    private static final byte[] NONE = {};

    private static final Map<String, Integer> METHOD_CODES = codes(METHODS, false);
    private static final Map<String, Integer> REQUEST_FIELD_CODES = codes(REQUEST_FIELDS, true);
    private static final Map<String, Integer> RESPONSE_FIELD_CODES = codes(RESPONSE_FIELDS, true);

    private Ajp() {}

    /// The method that a code from 1 stands for, or null.
    static @Nullable String method(int code) {
        return at(METHODS, code);
    }

    /// The code of a method, or [#STORED_METHOD].
    static int methodCode(String method) {
        return METHOD_CODES.getOrDefault(method, STORED_METHOD);
    }

    /// The request field that the low byte of a name code stands for, or null.
    static @Nullable String requestField(int code) {
        return at(REQUEST_FIELDS, code);
    }

    /// The response field that the low byte of a name code stands for; empty for none.
    static byte[] responseFieldBytes(int code) {
        boolean known = code >= 1 && code <= RESPONSE_FIELD_BYTES.size();
        return known ? RESPONSE_FIELD_BYTES.get(code - 1) : NONE;
    }

    /// The low byte of a request field's name code, or 0.
    static int requestFieldCode(String name) {
        return fieldCode(REQUEST_FIELD_CODES, REQUEST_FIELDS, name);
    }

    /// The low byte of a response field's name code, or 0.
    static int responseFieldCode(String name) {
        return fieldCode(RESPONSE_FIELD_CODES, RESPONSE_FIELDS, name);
    }

    private static int fieldCode(Map<String, Integer> codes, List<String> names, String name) {
        Integer code = codes.get(name);
        if (code != null) {
            return code;
        }
        for (int i = 0; i < names.size(); i++) {
            if (Octets.equalsIgnoreCase(names.get(i), name)) {
                return i + 1;
            }
        }
        return 0;
    }

    private static @Nullable String at(List<String> names, int code) {
        return code >= 1 && code <= names.size() ? names.get(code - 1) : null;
    }

    /// Codes by name as it stands in the table and, for field names, in lower case: the spellings
    /// that are usual.
    private static Map<String, Integer> codes(List<String> names, boolean caseless) {
        Map<String, Integer> codes = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            codes.put(names.get(i), i + 1);
            if (caseless) {
                codes.put(names.get(i).toLowerCase(Locale.ROOT), i + 1);
            }
        }
        return Map.copyOf(codes);
    }
}
