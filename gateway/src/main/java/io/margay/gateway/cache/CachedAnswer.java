package io.margay.gateway.cache;

import io.margay.protocol.caching.CacheStatus;
import io.margay.protocol.http.ByteRanges;
import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.Preconditions;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Answers a request from a stored response: whole, a range of it, or that the client has it
/// already (RFC 9110 §13, §14). Stateless.
final class CachedAnswer {
    private static final int OK = 200;

    private CachedAnswer() {}

    /// Answers, and does not wait. Of several ranges the whole is sent: a request cannot ask for
    /// more than there is.
    ///
    /// @param exchange that is answered
    /// @param asked fields of the client's request
    /// @param told what is said in `Cache-Status`
    static void send(
            Exchange exchange, Fields asked, StoredResponse stored, String told, long nowSecond)
            throws IOException {
        String method = exchange.request().method();
        EntityTag tag = stored.tag();
        long modified = stored.modifiedSecond();
        Preconditions.Outcome outcome =
                stored.status() == OK
                        ? Preconditions.evaluate(method, asked, tag, modified)
                        : Preconditions.Outcome.PROCEED;
        boolean whole = outcome == Preconditions.Outcome.PROCEED;
        exchange.status(whole ? stored.status() : 304);
        FieldList fields = exchange.fields();
        List<String> policies = fields.all("RateLimit-Policy");
        List<String> left = fields.all("RateLimit"); // of this client
        fields.clear();
        policies.forEach(one -> fields.add("RateLimit-Policy", one));
        left.forEach(one -> fields.add("RateLimit", one));
        for (int i = 0; i < stored.fields().size(); i++) {
            String name = stored.fields().name(i);
            if (whole || !isOfContent(name)) {
                fields.add(name, stored.fields().value(i));
            }
        }
        fields.add("Age", Long.toString(stored.freshness().age(nowSecond)));
        fields.add(CacheStatus.FIELD, told);
        byte[] content = stored.content();
        ByteRanges.Range range = whole ? range(method, asked, stored, tag, modified) : null;
        if (!whole) {
            exchange.end();
        } else if (range != null) {
            part(exchange, content, range);
        } else if (exchange.request().isHead()) {
            fields.add("Content-Length", Integer.toString(content.length));
            exchange.end();
        } else if (content.length == 0) {
            exchange.end();
        } else {
            exchange.endConstant(content, 0, content.length);
        }
    }

    private static void part(Exchange exchange, byte[] content, ByteRanges.Range range)
            throws IOException {
        if (range.length() <= 0) {
            exchange.status(416);
            exchange.fields().set("Content-Range", "bytes */" + content.length);
            exchange.end();
            return;
        }
        exchange.status(206);
        exchange.fields().set("Content-Range", range.contentRange(content.length));
        exchange.endConstant(content, (int) range.first(), (int) range.length());
    }

    /// What of the content is sent; an empty range when there is no such part, null for all.
    private static ByteRanges.@Nullable Range range(
            String method,
            Fields asked,
            StoredResponse stored,
            @Nullable EntityTag tag,
            long modified) {
        String wanted =
                stored.status() == OK && method.equals("GET") && stored.content().length > 0
                        ? asked.get("Range")
                        : null;
        if (wanted == null || !Preconditions.rangeApplies(asked, tag, modified)) {
            return null;
        }
        ByteRanges ranges = ByteRanges.of(wanted, stored.content().length);
        return switch (ranges.kind()) {
            case WHOLE -> null;
            case PARTIAL -> ranges.ranges().size() == 1 ? ranges.ranges().getFirst() : null;
            case UNSATISFIABLE -> new ByteRanges.Range(0, -1);
        };
    }

    /// A 304 tells of the response, but not of the content that is not sent.
    private static boolean isOfContent(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.startsWith("content-") && !lower.equals("content-location");
    }
}
