package io.margay.server.shared;

/// Opens the engines that servers share. A service: implementations are found by
/// `java.util.ServiceLoader`, are loaded only when a configuration needs one, and have a public
/// constructor without parameters.
public interface SharedStoreProvider {
    /// Makes what asks the engine, which is not asked yet.
    ///
    /// @param url where it is
    /// @param group the servers that share, by a name of letters, digits, "-", "." and "_"
    /// @throws IllegalArgumentException when the URL makes no sense; the message does not show it
    SharedStore open(String url, String group, SharedLimits limits);
}
