package io.margay.app.config;

/// Whether the server is seen through JMX.
public enum JmxMode {
    /// Where the JVM has an MBean server, because an agent, an option or a program wanted one.
    AUTO,

    /// Always.
    ON,

    /// Never.
    OFF
}
