package io.margay.protocol.caching;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;

/// Requests and responses of tests, of lines as `NAME: VALUE`.
final class Exchanged {
    /// When responses of tests come: Sun, 06 Nov 1994 08:49:37 GMT.
    static final long NOW = 784_111_777L;

    static final String DATE = "Date: Sun, 06 Nov 1994 08:49:37 GMT";

    private Exchanged() {}

    static FieldList response(String... lines) {
        FieldList fields = new FieldList();
        for (String line : lines) {
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return fields;
    }

    static Fields fields(String... lines) {
        Fields.Builder fields = new Fields.Builder();
        for (String line : lines) {
            int colon = line.indexOf(':');
            fields.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        return fields.build();
    }

    static RequestHead request(String method, String... lines) {
        return new RequestHead(
                method,
                new RequestTarget(
                        RequestTarget.Form.ORIGIN, "/page", "/page", null, null, "shop.example"),
                HttpVersion.HTTP_1_1,
                fields(lines),
                RequestHead.NO_BODY,
                false,
                true);
    }

    static Freshness freshness(CachePolicy policy, String... lines) {
        return Freshness.of(200, response(lines), policy, NOW, NOW);
    }

    static Freshness freshness(String... lines) {
        return freshness(CachePolicy.EXPLICIT, lines);
    }

    static Storing.Verdict verdict(int status, RequestHead request, String... lines) {
        FieldList response = response(lines);
        Freshness freshness = Freshness.of(status, response, CachePolicy.EXPLICIT, NOW, NOW);
        return Storing.of(request, status, response, freshness, CachePolicy.EXPLICIT);
    }
}
