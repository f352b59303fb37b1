package io.margay.gateway.discovery;

/// Asks a name service, and waits for what it says. Used by one thread.
public interface NameService {
    /// The addresses of a host.
    ///
    /// @param name without a search path, whether it ends in a dot or not
    /// @param ipv6 whether those of IPv6 are meant, and not those of IPv4
    NameAnswer addresses(String name, boolean ipv6);

    /// Where a service is, as SRV records say it (RFC 2782).
    NameAnswer services(String name);
}
