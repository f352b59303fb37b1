package io.margay.gateway.cache;

import io.margay.protocol.caching.CacheStatus;
import io.margay.protocol.http.ByteRanges;
import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.Preconditions;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Answers a request from a stored response: whole, a range of it, or that the client has it
/// already (RFC 9110 §13, §14). Stateless.
final class CachedAnswer {
    private static final int OK = 200;

    private CachedAnswer() {}

    /// The same for one whose content may be in a file.
    ///
    /// @return false where its file is not what it was: nothing is sent then
    static boolean open(
            Exchange exchange, Fields asked, StoredResponse stored, String told, long nowSecond)
            throws IOException {
        return open(exchange, asked, stored, told, nowSecond, null);
    }

    /// The same.
    ///
    /// @param opened its file, which is closed; null = it is opened if there is one
    static boolean open(
            Exchange exchange,
            Fields asked,
            StoredResponse stored,
            String told,
            long nowSecond,
            @Nullable FileChannel opened)
            throws IOException {
        if (stored.content().bytes() != null) {
            send(exchange, asked, stored, told, nowSecond, null);
            return true;
        }
        FileChannel file = opened != null ? opened : stored.content().open();
        if (file == null) {
            return false;
        }
        send(exchange, asked, stored, told, nowSecond, file);
        return true;
    }

    /// Answers, and does not wait. Of several ranges the whole is sent: a request cannot ask for
    /// more than there is.
    ///
    /// @param exchange that is answered
    /// @param asked fields of the client's request
    /// @param told what is said in `Cache-Status`
    /// @param file with its content; null = it is in memory
    private static void send(
            Exchange exchange,
            Fields asked,
            StoredResponse stored,
            String told,
            long nowSecond,
            @Nullable FileChannel file)
            throws IOException {
        String method = exchange.request().method();
        boolean asks = asksMore(asked);
        EntityTag tag = asks ? stored.tag() : null;
        long modified = asks ? stored.modifiedSecond() : HttpDate.INVALID;
        Preconditions.Outcome outcome =
                asks && stored.status() == OK
                        ? Preconditions.evaluate(method, asked, tag, modified)
                        : Preconditions.Outcome.PROCEED;
        boolean whole = outcome == Preconditions.Outcome.PROCEED;
        exchange.status(whole ? stored.status() : 304);
        FieldList fields = exchange.fields();
        if (fields.size() > 0) {
            List<String> policies = fields.all("RateLimit-Policy");
            List<String> left = fields.all("RateLimit"); // of this client
            fields.clear();
            policies.forEach(one -> fields.add("RateLimit-Policy", one));
            left.forEach(one -> fields.add("RateLimit", one));
        }
        for (int i = 0; i < stored.fields().size(); i++) {
            String name = stored.fields().name(i);
            if (whole || !isOfContent(name)) {
                fields.add(name, stored.fields().value(i));
            }
        }
        fields.add("Age", Long.toString(stored.freshness().age(nowSecond)));
        fields.add(CacheStatus.FIELD, told);
        Content content = stored.content();
        int length = content.length();
        ByteRanges.Range range = whole && asks ? range(method, asked, stored, tag, modified) : null;
        boolean isEmpty = range == null ? length == 0 : range.length() <= 0;
        if (!whole || isEmpty || exchange.request().isHead()) {
            if (file != null) {
                file.close();
            }
            if (whole && range != null && isEmpty) {
                exchange.status(416);
                fields.set("Content-Range", "bytes */" + length);
            } else if (whole && exchange.request().isHead()) {
                fields.add("Content-Length", Integer.toString(length));
            }
            exchange.end();
            return;
        }
        if (range != null) {
            exchange.status(206);
            fields.set("Content-Range", range.contentRange(length));
        }
        int from = range == null ? 0 : (int) range.first();
        body(exchange, content, from, range == null ? length : (int) range.length(), file);
    }

    /// Whether a request has conditions, or asks for ranges: others need not know of tags and
    /// dates.
    private static boolean asksMore(Fields asked) {
        for (int i = 0; i < asked.size(); i++) {
            if (asked.nameBegins(i, "if-") || asked.nameIs(i, "range")) {
                return true;
            }
        }
        return false;
    }

    private static void body(
            Exchange exchange, Content content, int from, int length, @Nullable FileChannel file)
            throws IOException {
        byte[] bytes = content.bytes();
        DiskFile known = content.file();
        if (bytes != null) {
            if (bytes.length >= Lent.BYTES_MIN) {
                Lent lent = content.lent();
                Runnable sent = lent::end;
                lent.begin();
                exchange.onEnd(sent);
            }
            exchange.endConstant(bytes, from, length);
        } else if (file != null && known != null) {
            exchange.fields().set("Content-Length", Integer.toString(length));
            exchange.dispatch(() -> {
                try {
                    exchange.endFile(file, known.head() + (long) from, length);
                } catch (IOException e) {
                    exchange.abort();
                }
            });
        }
    }

    /// What of the content is sent; an empty range when there is no such part, null for all.
    private static ByteRanges.@Nullable Range range(
            String method,
            Fields asked,
            StoredResponse stored,
            @Nullable EntityTag tag,
            long modified) {
        String wanted =
                stored.status() == OK && method.equals("GET") && stored.content().length() > 0
                        ? asked.get("Range")
                        : null;
        if (wanted == null || !Preconditions.rangeApplies(asked, tag, modified)) {
            return null;
        }
        ByteRanges ranges = ByteRanges.of(wanted, stored.content().length());
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
