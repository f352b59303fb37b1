package io.margay.protocol.http;

/// A version of HTTP that Margay speaks (RFC 9110 §2.5).
public enum HttpVersion {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2.0"),
    HTTP_3("HTTP/3.0");

    private final String text;

    HttpVersion(String text) {
        this.text = text;
    }

    /// The name as it stands on the wire and in access logs, such as `HTTP/1.1`.
    public String text() {
        return text;
    }

    /// Whether a connection of it carries many messages at a time, each on a stream of its own.
    public boolean isMultiplexed() {
        return this == HTTP_2 || this == HTTP_3;
    }
}
