package io.margay.gateway.discovery;

import io.margay.server.Extensions;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/// Knows how name services are asked. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when members or bots are looked up, and have a public
/// constructor without parameters.
public interface NameServiceProvider {
    /// Makes what asks.
    ///
    /// @param servers that are asked, one after the other; empty = those of the system
    NameService open(List<InetSocketAddress> servers);

    /// The first implementation; empty = there is none.
    static Optional<NameServiceProvider> first() {
        return ServiceLoader.load(NameServiceProvider.class, Extensions.loader()).findFirst();
    }
}
