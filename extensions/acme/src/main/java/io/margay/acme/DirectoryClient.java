package io.margay.acme;

import io.margay.server.acme.AcmeLimits;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProxySelector;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.connector.Connection;
import org.shredzone.acme4j.connector.DefaultConnection;
import org.shredzone.acme4j.connector.HttpConnector;
import org.shredzone.acme4j.connector.NetworkSettings;
import org.shredzone.acme4j.provider.GenericAcmeProvider;

/// How an authority's directory is spoken with: by HTTPS, trusting what the configuration says, and
/// reading no response without an end, no faster than the pace allows. Thread-safe; each of its
/// sessions sends one request at a time.
final class DirectoryClient extends GenericAcmeProvider implements AutoCloseable {
    private final HttpClient client;
    private final AcmeLimits limits;
    private final AuthorityPace pace;
    private final OrderRun.Pause pause;

    /// @param roots PEM file of the authorities to be trusted; null = those of the JDK
    DirectoryClient(
            @Nullable Path roots, AcmeLimits limits, AuthorityPace pace, OrderRun.Pause pause)
            throws IOException {
        this.limits = limits;
        this.pace = pace;
        this.pause = pause;
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .connectTimeout(limits.requestTimeout())
                        .proxy(ProxySelector.getDefault());
        if (roots != null) {
            builder.sslContext(trusting(roots));
        }
        client = builder.build();
    }

    private static SSLContext trusting(Path roots) throws IOException {
        try (InputStream in = Files.newInputStream(roots)) {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate one :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                trusted.setCertificateEntry(String.valueOf(trusted.size()), one);
            }
            TrustManagerFactory trust =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(roots + ": no certificates in PEM form", e);
        }
    }

    /// A session with a directory.
    Session session(URI directory) {
        Session session = new Session(directory, this);
        session.networkSettings().setTimeout(limits.requestTimeout());
        // What is packed has no size that could be bounded here.
        session.networkSettings().setCompressionEnabled(false);
        return session;
    }

    @Override
    public HttpClient createHttpClient(NetworkSettings settings) {
        return client;
    }

    @Override
    public Connection connect(URI directory, NetworkSettings settings, HttpClient http) {
        return new BoundedConnection(createHttpConnector(settings, http));
    }

    @Override
    public void close() {
        client.shutdownNow();
    }

    /// A connection whose responses are read up to the limit.
    private final class BoundedConnection extends DefaultConnection {
        BoundedConnection(HttpConnector connector) {
            super(connector);
        }

        @Override
        protected void sendRequest(Session session, URL url, Consumer<HttpRequest.Builder> body)
                throws IOException {
            try {
                pause.forTime(Duration.ofNanos(pace.requestNanos()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("the server ends");
            }
            super.sendRequest(session, url, body);
            HttpResponse<InputStream> response = lastResponse;
            if (response != null) {
                lastResponse =
                        new Bounded(
                                response,
                                new BoundedStream(response.body(), limits.responseBytesMax()));
            }
        }
    }

    /// A response with another body.
    private record Bounded(HttpResponse<InputStream> of, InputStream body)
            implements HttpResponse<InputStream> {
        @Override
        public int statusCode() {
            return of.statusCode();
        }

        @Override
        public HttpRequest request() {
            return of.request();
        }

        @Override
        public Optional<HttpResponse<InputStream>> previousResponse() {
            return of.previousResponse();
        }

        @Override
        public HttpHeaders headers() {
            return of.headers();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return of.sslSession();
        }

        @Override
        public URI uri() {
            return of.uri();
        }

        @Override
        public HttpClient.Version version() {
            return of.version();
        }
    }

    /// Fails after so many bytes.
    private static final class BoundedStream extends FilterInputStream {
        private int left;

        BoundedStream(InputStream in, int bytesMax) {
            super(in);
            left = bytesMax;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            count(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int read = super.read(into, offset, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int bytes) throws IOException {
            left -= bytes;
            if (left < 0) {
                throw new IOException("the response of the authority is too long");
            }
        }
    }
}
