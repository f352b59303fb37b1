package io.margay.gateway.rules;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// From whom a host believes where its clients are. Immutable.
///
/// @param field in which they tell, such as `X-Forwarded-For`
/// @param trusted addresses and networks of those who are believed when they tell of an address of
///   the Internet
/// @param internal of those who are believed whatever address they tell of; with neither, everybody
///   is trusted
/// @param proxies field in which a request lists who of the trusted has told; null = none
public record ClientAddress(
        String field, List<String> trusted, List<String> internal, @Nullable String proxies) {
    /// Nobody is listed.
    public ClientAddress(String field, List<String> trusted, List<String> internal) {
        this(field, trusted, internal, null);
    }

    public ClientAddress {
        trusted = List.copyOf(trusted);
        internal = List.copyOf(internal);
    }
}
