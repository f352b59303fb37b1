package io.margay.lab.servers;

/// What a server can do, as far as presets ask for it.
public enum Feature {
    /// Plain HTTP.
    HTTP,
    /// HTTP over TLS.
    HTTPS,
    /// HTTP/2 over TLS, by ALPN.
    HTTP2,
    /// HTTP/2 in clear text, by prior knowledge.
    HTTP2_CLEAR,
    /// HTTP/3.
    HTTP3,
    /// The pages of the example applications.
    JSP,
    /// The lab's own servlets.
    SERVLET,
    /// Any web application.
    WAR,
    /// Files.
    FILES,
    /// Files, compressed where the client takes them so.
    GZIP,
    /// The page `heartbeat.php`.
    PHP,
    /// The pages of the application made with Spring Boot.
    BOOT,
    /// Keeps sessions somewhere, for the lab's own servlets.
    SESSION,
    /// The pages of the lab's shop.
    SHOP,
    /// The page of the server of known cost.
    KNOWN,
    /// Can stand behind a front end that speaks AJP.
    AJP
}
