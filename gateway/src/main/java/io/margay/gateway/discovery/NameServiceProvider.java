package io.margay.gateway.discovery;

import java.net.InetSocketAddress;
import java.util.List;

/// Knows how name services are asked. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when a source of members needs one, and have a public
/// constructor without parameters.
public interface NameServiceProvider {
    /// Makes what asks.
    ///
    /// @param servers that are asked, one after the other; empty = those of the system
    NameService open(List<InetSocketAddress> servers);
}
