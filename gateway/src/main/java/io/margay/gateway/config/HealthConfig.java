package io.margay.gateway.config;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How peers are tried without a client's request. Immutable.
///
/// @param uri path and query that is asked for, by every kind but `TCP`, `CPING`
/// @param host the `Host` sent; null = the peer's
/// @param passes good responses in a row that bring a peer back
/// @param fails bad ones in a row that put it into error
/// @param timeout for the whole check
/// @param answer what answer is good
/// @param pingFirst whether an AJP13 peer must answer CPING before it is asked, on one connection
/// @param answers other good responses by name, of which one can be chosen at run time
/// @param port where it is asked instead, by HTTP in clear text; 0 = where and as requests are sent
@RecordBuilder
public record HealthConfig(
        Kind kind,
        String uri,
        @Nullable String host,
        Duration every,
        int passes,
        int fails,
        Duration timeout,
        ExpectedResponse answer,
        boolean pingFirst,
        Map<String, ExpectedResponse> answers,
        int port)
        implements HealthConfigBuilder.With {
    public HealthConfig {
        answers = Map.copyOf(answers);
    }

    /// A good response.
    ///
    /// @param statusFrom the lowest status
    /// @param statusTo the highest
    /// @param body what its first 64 KiB contain; null = anything
    public record ExpectedResponse(int statusFrom, int statusTo, @Nullable String body) {}

    /// What is done.
    public enum Kind {
        /// A connection is made.
        TCP,

        /// AJP's CPING is answered.
        CPING,

        /// A request by the peer's own protocol: HTTP, AJP or FastCGI.
        OPTIONS,
        HEAD,
        GET
    }

    /// A check with mod_proxy_hcheck's defaults: every 30 s, one pass, one failure, 200 to 399.
    public static HealthConfig of(Kind kind, String uri) {
        return new HealthConfig(
                kind,
                uri,
                null,
                Duration.ofSeconds(30),
                1,
                1,
                Duration.ofSeconds(5),
                new ExpectedResponse(200, 399, null),
                false,
                Map.of(),
                0);
    }
}
