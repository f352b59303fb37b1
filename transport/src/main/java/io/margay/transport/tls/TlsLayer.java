package io.margay.transport.tls;

import io.margay.transport.ConnectionHandler;
import io.margay.transport.TlsConfig;
import io.margay.transport.TransportConfig;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// TLS for the listeners of one transport. Thread-safe.
public final class TlsLayer implements AutoCloseable {
    /// What a listener uses instead of the plain handlers.
    ///
    /// @param reload reads the certificate files again
    /// @param close ends the watch over them
    public record Secured(ConnectionHandler.Factory handlers, Runnable reload, Runnable close) {}

    public TlsLayer(TransportConfig config, boolean inline) {}

    /// Puts TLS between the connections and the handlers; without `tls`, changes nothing.
    public Secured secure(@Nullable TlsConfig tls, ConnectionHandler.Factory handlers)
            throws IOException {
        if (tls != null) {
            throw new IOException("TLS is not available");
        }
        return new Secured(handlers, () -> {}, () -> {});
    }

    @Override
    public void close() {}
}
