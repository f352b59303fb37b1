package io.margay.servlet.settings;

/// What a filter that believes a proxy tells the container about a request. Constants.
public final class ForwardedRequests {
    /// Request attribute, a `Boolean`: whether the client asked the proxy over TLS, so that the
    /// session cookie is `Secure` though the last hop was not (CVE-2023-28708).
    public static final String SECURE = "io.margay.servlet.forwardedSecure";

    private ForwardedRequests() {}
}
