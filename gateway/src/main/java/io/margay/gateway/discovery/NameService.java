package io.margay.gateway.discovery;

import java.net.InetAddress;

/// Asks a name service, and waits for what it says. Used by one thread.
public interface NameService {
    /// The addresses of a host.
    ///
    /// @param name without a search path, whether it ends in a dot or not
    /// @param ipv6 whether those of IPv6 are meant, and not those of IPv4
    NameAnswer addresses(String name, boolean ipv6);

    /// The names of an address, as PTR records say them; who has the address says so, and others
    /// may not agree.
    default NameAnswer names(InetAddress address) {
        return new NameAnswer.Failed("this name service is not asked for names of addresses");
    }

    /// Where a service is, as SRV records say it (RFC 2782).
    NameAnswer services(String name);
}
