package io.margay.server.config;

import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http2.Http2Limits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/// Every limit of HTTP connections beyond the sizes of a message. Immutable; all are in
/// `docs/reference/limits.md`.
///
/// @param http1 sizes of heads, chunks, trailers and content
/// @param http2 numbers and sizes of HTTP/2's streams and frames
/// @param headTimeout from the first byte of a head to its last (or from accept to the first byte);
///   absolute from the first byte, so that a drip of fields gains nothing (CVE-2007-6750); ten
///   times what a slow mobile link needs
/// @param idleTimeout between the end of a response and the next request's first byte; what Tomcat
///   ships; an idle connection costs a descriptor and little else
/// @param bodyTimeout longest pause of the client within a request's content; a pause that long is
///   no longer a slow link. In a gateway below what its members grant, which are Tomcat or Margay
///   as a rule
/// @param writeTimeout longest pause of the client in taking a response; longest time in which the
///   client takes nothing; on a blocking connection, in which it does not take 128 KiB
/// @param rateGrace waiting for the client that is free before a rate is asked for
/// @param bodyRateMin content the client must send, bytes per second of waiting for it; one byte
///   per pause would otherwise hold a worker for days; time that the handler takes does not count
/// @param writeRateMin response the client must take, bytes per second of waiting for it
/// @param requestsMax requests on one connection; a bound on how long one client stays with one
///   server after a change of routes
/// @param drainBytesMax unread content that is skipped to keep a connection, bytes; unread content
///   up to this is cheaper to skip than a new connection
/// @param drainTimeout time for that
/// @param lingerBytesMax input that is thrown away before a close, bytes; input thrown away so that
///   an early answer to an upload, such as 413 or a redirect, is not destroyed by a reset: many
///   clients read only when they have sent all. Nothing of it is kept
/// @param lingerTimeout time for that; what nginx grants
/// @param lingerPause longest pause of the client within it
/// @param inputBufferBytes first size of the input buffer, bytes; a usual head; none while idle
/// @param outputBufferBytes size of the output buffer, bytes; so much content leaves with the head;
///   a head and a servlet's whole buffer (32 768) leave in one write
/// @param responseHeadBytesMax head of a response, bytes; heads that large are a fault of the
///   application
/// @param pendingBytesMax an offer is refused while the peer has more than this to take of earlier
///   ones, bytes; a single offer may be longer, as far as the memory for clients goes
@RecordBuilder
public record HttpLimits(
        Http1Limits http1,
        Http2Limits http2,
        Duration headTimeout,
        Duration idleTimeout,
        Duration bodyTimeout,
        Duration writeTimeout,
        Duration rateGrace,
        int bodyRateMin,
        int writeRateMin,
        int requestsMax,
        long drainBytesMax,
        Duration drainTimeout,
        long lingerBytesMax,
        Duration lingerTimeout,
        Duration lingerPause,
        int inputBufferBytes,
        int outputBufferBytes,
        int responseHeadBytesMax,
        int pendingBytesMax)
        implements HttpLimitsBuilder.With {
    public HttpLimits {
        positive("headTimeout", headTimeout);
        positive("idleTimeout", idleTimeout);
        positive("bodyTimeout", bodyTimeout);
        positive("writeTimeout", writeTimeout);
        positive("drainTimeout", drainTimeout);
        positive("lingerTimeout", lingerTimeout);
        positive("lingerPause", lingerPause);
        if (rateGrace.isNegative() || bodyRateMin < 0 || writeRateMin < 0) {
            throw new IllegalArgumentException("rates and their grace must not be negative");
        }
        if (requestsMax < 1 || drainBytesMax < 0 || lingerBytesMax < 0) {
            throw new IllegalArgumentException(
                    "requestsMax must be at least 1, drainBytesMax and lingerBytesMax at least 0");
        }
        if (inputBufferBytes < 512 || outputBufferBytes < 2048) {
            throw new IllegalArgumentException("buffers must have 512 (in) and 2048 (out) bytes");
        }
        if (responseHeadBytesMax < outputBufferBytes || pendingBytesMax < outputBufferBytes) {
            throw new IllegalArgumentException(
                    "responseHeadBytesMax and pendingBytesMax must be at least outputBufferBytes");
        }
    }

    /// The figures that `docs/reference/limits.md` gives.
    public static HttpLimits defaults() {
        return new HttpLimits(
                Http1Limits.defaults(),
                Http2Limits.defaults(),
                Duration.ofSeconds(10),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                Duration.ofSeconds(20),
                Duration.ofSeconds(10),
                256,
                256,
                1_000_000,
                65_536,
                Duration.ofSeconds(2),
                16_777_216,
                Duration.ofSeconds(30),
                Duration.ofSeconds(2),
                2_048,
                16_384,
                65_536,
                1_048_576);
    }

    /// The same with other deadlines.
    public HttpLimits withTimeouts(Duration head, Duration idle, Duration body, Duration write) {
        return with().headTimeout(head)
                .idleTimeout(idle)
                .bodyTimeout(body)
                .writeTimeout(write)
                .build();
    }

    /// The same with another rule for slow clients.
    public HttpLimits withRates(Duration grace, int body, int write) {
        return with().rateGrace(grace).bodyRateMin(body).writeRateMin(write).build();
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive");
        }
    }
}
