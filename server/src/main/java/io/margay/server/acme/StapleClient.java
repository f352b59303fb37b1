package io.margay.server.acme;

import io.margay.transport.TlsConfig;
import java.util.List;

/// What fetches OCSP responses for certificates, on a thread of its own. Thread-safe.
public interface StapleClient extends TlsConfig.Stapling.Responses, AutoCloseable {
    /// How it stands about each certificate.
    List<StapleReading> read();

    /// Ends the thread; responses stay on the disk.
    @Override
    void close();
}
