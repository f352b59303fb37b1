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
/// @param hops how many addresses of the list are believed at most; 0 = as many as those who are
///   trusted have told of
/// @param keepsField whether the field is read as by nginx (blanks separate addresses, too, and
///   they may have ports) and stays as it came
public record ClientAddress(
        String field,
        List<String> trusted,
        List<String> internal,
        @Nullable String proxies,
        int hops,
        boolean keepsField) {
    /// As mod_remoteip believes.
    public ClientAddress(
            String field, List<String> trusted, List<String> internal, @Nullable String proxies) {
        this(field, trusted, internal, proxies, 0, false);
    }

    /// Nobody is listed.
    public ClientAddress(String field, List<String> trusted, List<String> internal) {
        this(field, trusted, internal, null);
    }

    public ClientAddress {
        trusted = List.copyOf(trusted);
        internal = List.copyOf(internal);
    }
}
