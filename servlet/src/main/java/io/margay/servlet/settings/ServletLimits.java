package io.margay.servlet.settings;

import java.time.Duration;

/// Bounds on what a client may make the container hold.
///
/// @param parametersMax query and form parameters of one request; more answer 413 (CVE-2011-4858);
///   Tomcat's default; more are an attack on hash tables (CVE-2011-4858)
/// @param formBytesMax bytes of a form body that are read into parameters; more answer 413;
///   Tomcat's default; larger forms are uploads, which have parts
/// @param partsMax parts of a multipart body; more answer 413 (CVE-2023-24998); Tomcat's default
///   (CVE-2023-24998)
/// @param partHeaderBytesMax bytes of header fields of one part; Tomcat's default (CVE-2025-48988)
/// @param sessionsMax sessions one application holds; more make `getSession` fail; an empty session
///   takes some hundred bytes: a bound before the heap's
/// @param asyncTimeout default timeout of asynchronous requests; the specification's default
/// @param dispatchDepthMax forwards and includes nested in one request; a loop of forwards ends
///   before the stack does
public record ServletLimits(
        int parametersMax,
        int formBytesMax,
        int partsMax,
        int partHeaderBytesMax,
        int sessionsMax,
        Duration asyncTimeout,
        int dispatchDepthMax) {
    public ServletLimits {
        if (parametersMax < 1 || formBytesMax < 1 || partsMax < 1 || partHeaderBytesMax < 64) {
            throw new IllegalArgumentException("a limit is too small to serve any request");
        }
        if (sessionsMax < 1 || dispatchDepthMax < 1 || asyncTimeout.isNegative()) {
            throw new IllegalArgumentException("a limit is too small to serve any request");
        }
    }

    /// 1000 parameters, 2 MiB forms, 50 parts of 512 header bytes, a million sessions, 30 seconds,
    /// 64 nested dispatches.
    public static ServletLimits defaults() {
        return new ServletLimits(1000, 2 << 20, 50, 512, 1_000_000, Duration.ofSeconds(30), 64);
    }
}
