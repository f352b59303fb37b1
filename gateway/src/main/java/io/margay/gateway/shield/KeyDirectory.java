package io.margay.gateway.shield;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/// What fetches the keys of bots, and lists of their networks. Thread-safe; whoever calls it waits,
/// within a bound.
@FunctionalInterface
public interface KeyDirectory {
    /// A key by Ed25519.
    ///
    /// @param x its 32 octets in Base64 for URLs
    /// @param notBefore in seconds since 1970; 0 = it does not say
    /// @param notAfter the same
    record Key(String x, long notBefore, long notAfter) {}

    /// Fetches the keys of a site.
    List<Key> fetch(URI directory) throws IOException;

    /// Fetches a list of networks, as the owners of crawlers publish them.
    default List<String> networks(URI list) throws IOException {
        throw new IOException("nothing fetches " + list);
    }

    /// Fetches none.
    static KeyDirectory none() {
        return directory -> {
            throw new IOException("nothing fetches " + directory);
        };
    }
}
