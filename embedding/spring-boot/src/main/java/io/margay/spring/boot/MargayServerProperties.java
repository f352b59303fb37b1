package io.margay.spring.boot;

import io.margay.server.dispatch.WorkerLimits;
import io.margay.transport.TlsConfig;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/// The properties `server.margay.*`. Immutable.
///
/// @param transport how bytes are moved: `blocking`, `nio`, `native`; unset = `nio`, with TLS the
///   best of the machine
/// @param dispatch what servlets run on, unless virtual threads are switched on
/// @param maxConnections open connections at most
/// @param acceptCount connections that wait to be accepted
/// @param maxKeepAliveRequests requests on one connection
/// @param connectionTimeout for the head of a request; unset = 10 s
/// @param keepAliveTimeout between two requests; unset = 20 s
/// @param maxHttpFormPostSize length of a form
/// @param maxParameterCount parameters of a request
/// @param maxPartCount parts of a multipart request
/// @param maxPartHeaderSize fields of one part
/// @param maxSwallowSize content that nobody reads and that is skipped to keep a connection
/// @param maxSessions live sessions
/// @param trimNativeHeap whether memory that the JVM has freed, and pages of its class archives
///   that nobody reads, go back to the system when the process rests
/// @param useRelativeRedirects whether locations of redirects are without scheme and host
/// @param relaxedPathChars that clients may leave unencoded in paths
/// @param relaxedQueryChars that clients may leave unencoded in queries
/// @param sslProvider who speaks TLS
/// @param http3 whether HTTP/3 is spoken, too, at the same port of UDP; with `server.ssl` alone
/// @param tomcatMeters whether meters have the names and the tag of Tomcat's
@ConfigurationProperties("server.margay")
public record MargayServerProperties(
        @Nullable String transport,
        @DefaultValue("pool") Dispatch dispatch,
        @DefaultValue Threads threads,
        @DefaultValue("20000") int maxConnections,
        @DefaultValue("4096") int acceptCount,
        @DefaultValue("1000000") int maxKeepAliveRequests,
        @Nullable Duration connectionTimeout,
        @Nullable Duration keepAliveTimeout,
        @DefaultValue("2MB") DataSize maxHttpFormPostSize,
        @DefaultValue("1000") int maxParameterCount,
        @Nullable Integer maxPartCount,
        @Nullable DataSize maxPartHeaderSize,
        @Nullable DataSize maxSwallowSize,
        @Nullable Integer maxSessions,
        @DefaultValue("true") boolean trimNativeHeap,
        @DefaultValue("false") boolean useRelativeRedirects,
        @DefaultValue List<Character> relaxedPathChars,
        @DefaultValue List<Character> relaxedQueryChars,
        @DefaultValue("auto") TlsConfig.Provider sslProvider,
        @DefaultValue("false") boolean http3,
        @DefaultValue("false") boolean tomcatMeters,
        @DefaultValue AccessLog accesslog,
        @DefaultValue Ajp ajp) {
    public MargayServerProperties {
        relaxedPathChars = List.copyOf(relaxedPathChars);
        relaxedQueryChars = List.copyOf(relaxedQueryChars);
    }

    /// What servlets run on.
    public enum Dispatch {
        /// A pool of platform threads.
        POOL,
        /// A virtual thread for each request.
        VIRTUAL,
        /// The loop of the connection while a servlet is quick, else the pool.
        INLINE
    }

    /// The pool.
    ///
    /// @param max threads at most
    /// @param minSpare threads that stay when they have nothing to do
    /// @param maxQueueCapacity requests that wait for a thread
    public record Threads(
            @DefaultValue("200") int max,
            @DefaultValue("10") int minSpare,
            @DefaultValue("10000") int maxQueueCapacity) {
        WorkerLimits limits() {
            return new WorkerLimits(
                    max, minSpare, maxQueueCapacity, WorkerLimits.defaults().idleTimeout());
        }
    }

    /// The access log.
    ///
    /// @param file unset = nothing is logged
    /// @param format `common`, `combined`, `json`, or as Apache's `LogFormat`
    public record AccessLog(@Nullable Path file, @DefaultValue("combined") String format) {}

    /// A listener for AJP13.
    ///
    /// @param port 0 lets the system choose; unset = there is none
    /// @param address unset = this machine's own
    /// @param secret that the web server in front shares
    public record Ajp(
            @Nullable Integer port, @Nullable InetAddress address, @Nullable String secret) {
        /// Without the secret.
        @Override
        public String toString() {
            return "Ajp[port=" + port + ", address=" + address + "]";
        }
    }
}
