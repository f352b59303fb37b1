package io.margay.transport.tls;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.ClientTrust;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Makes the engines of outbound TLS connections of one configuration. Thread-safe.
final class ClientEngines {
    private final TlsClientConfig config;
    private final SSLContext context;

    /// @throws TlsSetupException when the file of authorities cannot be used
    ClientEngines(TlsClientConfig config) {
        this.config = config;
        context = ClientTrust.context(config);
    }

    /// An engine for one connection. It knows the server's name, so that sessions are resumed.
    SSLEngine engine() {
        String name = config.serverName();
        SSLEngine engine = context.createSSLEngine(name, -1);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        if (config.verify()) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        if (isName(name)) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        if (!config.applicationProtocols().isEmpty()) {
            parameters.setApplicationProtocols(
                    config.applicationProtocols().toArray(new String[0]));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Whether it is a DNS name and no address literal (RFC 6066 §3).
    private static boolean isName(String name) {
        if (name.isEmpty() || name.indexOf(':') >= 0) {
            return false;
        }
        char last = name.charAt(name.length() - 1);
        return last < '0' || last > '9';
    }
}
