package io.margay.gateway.cache;

import io.margay.protocol.caching.CacheControl;
import io.margay.protocol.caching.CacheStatus.Forward;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Why and how a request goes on to what is behind the cache. Immutable but for the fetch, which
/// ends once.
///
/// @param why it goes on
/// @param stored what is kept for it, stale; null = nothing
/// @param asked directives of the request
/// @param stores whether the response may be kept
/// @param fetch for which others may wait; null = this one is for its client alone
/// @param hasWaited whether it has waited for another one
record FetchPlan(
        Target target,
        Forward why,
        @Nullable StoredResponse stored,
        CacheControl asked,
        boolean stores,
        Fetches.@Nullable Fetch fetch,
        boolean hasWaited) {
    /// What is asked for.
    ///
    /// @param key of the request
    /// @param by what answers it
    /// @param mark of the store, from before
    record Target(String key, String by, long mark) {}

    /// What of the client's request is between it and this server, once this server asks itself
    /// whether the stored response is still good.
    private static final Set<String> CONDITIONS =
            Set.of("If-None-Match", "If-Modified-Since", "If-Range", "Range");

    /// Whether the origin is asked if the stored response is still good.
    boolean validates() {
        StoredResponse response = stored;
        return stores && response != null && response.hasValidator();
    }

    /// The request as the origin gets it.
    RequestHead head(RequestHead client) {
        StoredResponse response = stored;
        if (response == null || !validates()) {
            return client;
        }
        Fields left = unconditional(client.fields());
        Fields.Builder all = new Fields.Builder();
        for (int i = 0; i < left.size(); i++) {
            all.add(left.name(i), left.value(i));
        }
        String tag = response.fields().get("ETag");
        if (tag != null) {
            all.add("If-None-Match", tag);
        }
        String modified = response.fields().get("Last-Modified");
        if (modified != null) {
            all.add("If-Modified-Since", modified);
        }
        return client.withFields(all.build());
    }

    /// Fields of a request that asks for the whole.
    static Fields unconditional(Fields fields) {
        return fields.without(CONDITIONS);
    }

    /// Those that wait for it go on.
    void end() {
        if (fetch != null) {
            fetch.end();
        }
    }
}
