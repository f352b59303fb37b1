package io.margay.gateway.discovery;

/// Knows an engine in which members register. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when a configuration needs one, and have a public
/// constructor without parameters.
public interface MemberRegistryProvider {
    /// Makes what asks the engine, which is not asked yet.
    ///
    /// @param url where it is
    /// @throws IllegalArgumentException when that makes no sense; the message does not show it
    MemberRegistry open(String url, DiscoveryLimits limits);
}
