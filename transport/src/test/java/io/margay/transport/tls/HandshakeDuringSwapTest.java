package io.margay.transport.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.SelfSigned;
import io.margay.transport.TlsConfig;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Handshakes wait for no swap of certificates: one is held in its middle, and they go on.
@Timeout(60)
final class HandshakeDuringSwapTest {
    @TempDir Path folder = Path.of("");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);
    private List<SelfSigned> made = List.of();

    @BeforeEach
    void make() {
        made =
                List.of(
                        SelfSigned.make(folder, "one", "EC", List.of("DNS:a.example")),
                        SelfSigned.make(folder, "other", "EC", List.of("DNS:b.example")),
                        SelfSigned.make(folder, "renewed", "EC", List.of("DNS:b.example")));
    }

    private CertifiedKey key(int which, String name) {
        SelfSigned of = made.get(which);
        return new CertifiedKey(List.of(of.certificate()), of.privateKey(), List.of(name), null);
    }

    /// Certificates of which nobody gets to the second before the test is done with it.
    private final class Held extends AbstractList<CertifiedKey> {
        private final List<CertifiedKey> keys;

        Held(List<CertifiedKey> keys) {
            this.keys = keys;
        }

        @Override
        public CertifiedKey get(int index) {
            if (index > 0) {
                begun.countDown();
                awaited(done);
            }
            return keys.get(index);
        }

        @Override
        public int size() {
            return keys.size();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void openSsl_withASwapInItsMiddle_showsWhatWasThere() throws Exception {
        handshakes((config, keys) -> new OpenSslEngines(config, keys, ClientAuthorities.NONE));
    }

    @Test
    void jsse_withASwapInItsMiddle_showsWhatWasThere() throws Exception {
        handshakes((config, keys) -> new JsseEngines(config, keys, ClientAuthorities.NONE));
    }

    private void handshakes(BiFunction<TlsConfig, List<CertifiedKey>, TlsEngines> how)
            throws Exception {
        CertifiedKey kept = key(0, "a.example");
        List<CertifiedKey> before = List.of(kept, key(1, "b.example"));
        TlsConfig config = TlsConfig.of(made.get(0).cert(), made.get(0).key());
        TlsEngines engines = how.apply(config, before);
        CompletableFuture<Void> swap =
                CompletableFuture.runAsync(
                        () -> engines.keys(new Held(List.of(kept, key(2, "b.example")))));
        awaited(begun);
        try {
            // Neither has been used before: both are made ready now.
            assertEquals(made.get(0).certificate(), shown(engines, "a.example"));
            assertEquals(made.get(1).certificate(), shown(engines, "b.example"));
        } finally {
            done.countDown();
        }
        swap.join();
        assertEquals(made.get(0).certificate(), shown(engines, "a.example"));
        assertEquals(made.get(2).certificate(), shown(engines, "b.example"));
        engines.close();
    }

    /// The certificate that a client is shown in a full handshake.
    private Certificate shown(TlsEngines engines, String host) throws Exception {
        SSLEngine server = engines.engine();
        int which = host.equals("a.example") ? 0 : done.getCount() > 0 ? 1 : 2;
        SSLEngine client = made.get(which).trusting().createSSLEngine(host, 443);
        client.setUseClientMode(true);
        ByteBuffer toServer = ByteBuffer.allocate(1 << 16);
        ByteBuffer toClient = ByteBuffer.allocate(1 << 16);
        client.beginHandshake();
        server.beginHandshake();
        while (isUnderWay(client) || isUnderWay(server)) {
            step(client, toClient, toServer);
            step(server, toServer, toClient);
        }
        TlsEngines.release(server);
        return client.getSession().getPeerCertificates()[0];
    }

    private static boolean isUnderWay(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
                && engine.getHandshakeStatus() != HandshakeStatus.FINISHED;
    }

    private static void step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws Exception {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask();
                        task != null;
                        task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> {
                var _ = engine.wrap(ByteBuffer.allocate(0), out);
            }
            default -> {
                in.flip();
                var _ = engine.unwrap(in, ByteBuffer.allocate(1 << 16));
                in.compact();
            }
        }
    }
}
