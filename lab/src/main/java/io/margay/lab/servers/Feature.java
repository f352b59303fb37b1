package io.margay.lab.servers;

/// What a server can do, as far as presets ask for it.
public enum Feature {
    /// Plain HTTP.
    HTTP,
    /// HTTP over TLS.
    HTTPS,
    /// The example applications, pages of JSP included.
    JSP,
    /// The servlets of the example applications, without JSP.
    SERVLET,
    /// Files.
    FILES,
    /// The page `heartbeat.php`.
    PHP,
    /// Can stand behind a front end that speaks AJP.
    AJP
}
