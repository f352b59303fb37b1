package io.margay.server.config;

import io.margay.protocol.http.HttpVersion;

/// What a client speaks to a listener when it sends a request.
public enum RequestProtocol {
    HTTP_1_0("HTTP/1.0"),
    HTTP_1_1("HTTP/1.1"),
    HTTP_2("HTTP/2"),
    HTTP_3("HTTP/3"),
    AJP("AJP");

    private final String label;

    RequestProtocol(String label) {
        this.label = label;
    }

    /// The one of a message that comes as HTTP.
    public static RequestProtocol of(HttpVersion version) {
        return switch (version) {
            case HTTP_1_0 -> HTTP_1_0;
            case HTTP_1_1 -> HTTP_1_1;
            case HTTP_2 -> HTTP_2;
            case HTTP_3 -> HTTP_3;
        };
    }

    /// Its name in metrics and in the console.
    public String label() {
        return label;
    }
}
