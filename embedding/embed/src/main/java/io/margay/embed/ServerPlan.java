package io.margay.embed;

import io.margay.server.compression.Compression;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpServerConfig;
import io.margay.server.dispatch.Dispatcher;
import io.margay.server.exchange.Handler;
import io.margay.servlet.settings.WebAppSettings;
import io.margay.transport.ListenerConfig;
import io.margay.transport.TransportConfig;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What a server is to do. Immutable.
///
/// @param transport its name; null = the best of this machine
/// @param workers makes what servlets run on
/// @param workersMax threads or requests that these are at most
/// @param handlers by their patterns
/// @param work null = a folder for temporary files, deleted at the end
/// @param compression null = nothing is compressed
@RecordBuilder
record ServerPlan(
        List<Listening> listeners,
        @Nullable String transport,
        TransportConfig transportConfig,
        Supplier<Dispatcher> workers,
        int workersMax,
        HttpServerConfig http,
        List<WebContext> contexts,
        List<War> wars,
        Map<String, Handler> handlers,
        UnaryOperator<WebAppSettings> settings,
        @Nullable Compression compression,
        @Nullable Log accessLog,
        @Nullable Path work,
        Duration drain) {
    /// A listener.
    ///
    /// @param ajp null = HTTP
    /// @param http3 whether HTTP/3 is spoken at the same port of UDP; with TLS alone
    record Listening(ListenerConfig socket, @Nullable AjpConfig ajp, boolean http3) {
        Listening(ListenerConfig socket, @Nullable AjpConfig ajp) {
            this(socket, ajp, false);
        }
    }

    /// An application that is deployed from its file or folder.
    ///
    /// @param path empty for the root
    record War(String path, Path file) {}

    /// The access log.
    record Log(Path file, String format) {}
}
