package io.margay.gateway.rules;

import java.util.List;

/// From whom a host believes where its clients are. Immutable.
///
/// @param field in which they tell, such as `X-Forwarded-For`
/// @param trusted addresses and networks of those who are believed when they tell of an address of
///   the Internet
/// @param internal of those who are believed whatever address they tell of; with neither, everybody
///   is trusted
public record ClientAddress(String field, List<String> trusted, List<String> internal) {
    public ClientAddress {
        trusted = List.copyOf(trusted);
        internal = List.copyOf(internal);
    }
}
