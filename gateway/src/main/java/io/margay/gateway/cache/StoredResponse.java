package io.margay.gateway.cache;

import io.margay.protocol.caching.Freshness;
import io.margay.protocol.caching.Vary;
import io.margay.protocol.http.EntityTag;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.FieldNames;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpDate;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A response that is kept. Immutable; its arrays and fields are not changed.
///
/// @param by what has answered, where several answer a URL
/// @param fields without those of the connection, `Age` and `Content-Length`; not yet changed by
///   the host
/// @param content whole
/// @param isShared whether it is also for requests with `Authorization` (RFC 9111 §3.5)
record StoredResponse(
        String by,
        int status,
        FieldList fields,
        Content content,
        Vary vary,
        Freshness freshness,
        boolean isShared) {
    private static final int FIELD_BYTES = 56;
    private static final int OVERHEAD_BYTES = 400;
    private static final int TAGS_MAX = 64;

    /// Fields that the cache says itself, beside those of one connection.
    private static final Set<String> DROPPED =
            Set.of(
                    "age",
                    "content-length",
                    "proxy-authenticate",
                    "proxy-authentication-info",
                    "proxy-authorization",
                    "ratelimit", // of the client that was answered
                    "ratelimit-policy");

    /// Fields of a 304 that do not tell of the stored content (RFC 9111 §3.2).
    private static final Set<String> OF_CONTENT =
            Set.of("content-encoding", "content-type", "content-range", "content-md5");

    /// The fields of a response that may be kept.
    ///
    /// @param nowSecond its `Date`, where it has none
    static FieldList kept(FieldList fields, long nowSecond) {
        Set<String> dropped = new HashSet<>(DROPPED);
        dropped.addAll(FieldNames.OF_CONNECTION);
        for (String line : fields.all("Connection")) {
            for (String name : line.split(",", -1)) {
                dropped.add(name.strip().toLowerCase(Locale.ROOT));
            }
        }
        FieldList kept = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            if (!dropped.contains(fields.name(i).toLowerCase(Locale.ROOT))) {
                kept.add(fields.name(i), fields.value(i));
            }
        }
        if (!kept.contains("Date")) {
            kept.add("Date", HttpDate.format(nowSecond));
        }
        kept.trim();
        return kept;
    }

    /// Its fields with those of a 304 in their place.
    FieldList updated(FieldList notModified, long nowSecond) {
        FieldList news = kept(notModified, nowSecond);
        FieldList all = new FieldList();
        for (int i = 0; i < fields.size(); i++) {
            String name = fields.name(i);
            if (isOfContent(name) || !news.contains(name)) {
                all.add(name, fields.value(i));
            }
        }
        for (int i = 0; i < news.size(); i++) {
            if (!isOfContent(news.name(i))) {
                all.add(news.name(i), news.value(i));
            }
        }
        all.trim();
        return all;
    }

    private static boolean isOfContent(String name) {
        return OF_CONTENT.contains(name.toLowerCase(Locale.ROOT));
    }

    /// The same with its content.
    StoredResponse with(Content whole) {
        return new StoredResponse(by, status, fields, whole, vary, freshness, isShared);
    }

    /// Whether it is for a request.
    boolean matches(String answering, Fields request) {
        return by.equals(answering) && vary.matches(request);
    }

    /// Whether another one is for the same requests.
    boolean isAlike(StoredResponse other) {
        return by.equals(other.by) && vary.equals(other.vary);
    }

    @Nullable EntityTag tag() {
        String tag = fields.get("ETag");
        return tag == null ? null : EntityTag.parse(tag);
    }

    /// When it was last modified, in seconds since 1970; where it does not say, when it was made
    /// (RFC 9111 §4.3.2).
    long modifiedSecond() {
        String modified = fields.get("Last-Modified");
        long second = modified == null ? HttpDate.INVALID : HttpDate.parse(modified);
        if (second != HttpDate.INVALID) {
            return second;
        }
        String date = fields.get("Date");
        long made = date == null ? HttpDate.INVALID : HttpDate.parse(date);
        return made == HttpDate.INVALID ? freshness.bornSecond() : made;
    }

    /// Whether the origin can say that it is still the same.
    boolean hasValidator() {
        return fields.contains("ETag") || fields.contains("Last-Modified");
    }

    /// Whether it has a tag by which it is removed, of `Cache-Tag` or `Surrogate-Key`.
    boolean hasTag(String tag) {
        return isAmong(tag, fields.all("Cache-Tag"), ",")
                || isAmong(tag, fields.all("Surrogate-Key"), " ");
    }

    private static boolean isAmong(String tag, List<String> lines, String separator) {
        int seen = 0;
        for (String line : lines) {
            for (String one : line.split(separator, -1)) {
                if (one.strip().equals(tag)) {
                    return true;
                }
                if (++seen > TAGS_MAX) {
                    return false;
                }
            }
        }
        return false;
    }

    /// What it takes of the memory, about.
    int bytes() {
        long all = (long) OVERHEAD_BYTES + content.held() + by.length();
        for (int i = 0; i < fields.size(); i++) {
            all += FIELD_BYTES + fields.nameLength(i) + fields.valueLength(i);
        }
        for (String value : vary.values()) {
            all += FIELD_BYTES + value.length();
        }
        return (int) Math.min(Integer.MAX_VALUE, all);
    }
}
