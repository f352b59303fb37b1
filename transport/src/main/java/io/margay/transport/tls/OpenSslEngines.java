package io.margay.transport.tls;

import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.tls.certificate.CertificateIndex;
import io.margay.transport.tls.certificate.CertificateIndex.Shown;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import io.margay.transport.tls.certificate.TicketSettings;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// Engines of OpenSSL for one listener, or for some of its names. Thread-safe: handshakes read what
/// is active as one reference, without a lock; swaps come one after the other.
final class OpenSslEngines implements TlsEngines {
    private static final MemorySegment GET_CERTIFICATE = OpenSsl.ssl("SSL_get_certificate");
    private static final MemorySegment CTRL = OpenSsl.ssl("SSL_ctrl");
    private static final MemorySegment MALLOC = OpenSsl.crypto("CRYPTO_malloc");
    private static final int CTRL_STATUS_RESPONSE = 71;
    private static final int ID_CONTEXT_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final TlsConfig config;
    private final List<byte[]> protocols = new ArrayList<>();
    private final TicketKeys tickets;

    /// Sessions are resumed only where this is the same: not with the engines of other names.
    private final byte[] idContext;

    private final OpenSslKeyCache opened = new OpenSslKeyCache(OpenSslKeyCache.KEPT_MAX);

    private volatile InForce current;

    /// What handshakes use.
    ///
    /// @param quick whether all keys sign quickly, whichever a client is shown
    /// @param staples whether some certificate may have a response
    private record InForce(
            List<CertifiedKey> keys,
            CertificateIndex<OpenSslKeys> index,
            ClientAuthorities authorities,
            OpenSslContext context,
            boolean quick,
            boolean staples) {}

    OpenSslEngines(TlsConfig config, List<CertifiedKey> keys, ClientAuthorities authorities) {
        this.config = config;
        tickets = new TicketKeys(System::nanoTime, config.tickets());
        if (config.tickets() == null) {
            idContext = new byte[ID_CONTEXT_BYTES];
            RANDOM.nextBytes(idContext);
        } else {
            // The same at all servers; it is the keys of tickets that keep sessions apart.
            byte[] digest = TicketSettings.digest(config, List.of(), ClientAuthorities.NONE);
            idContext = Arrays.copyOf(digest, ID_CONTEXT_BYTES);
        }
        for (String protocol : config.applicationProtocols()) {
            protocols.add(protocol.getBytes(StandardCharsets.US_ASCII));
        }
        OpenSslContext context = new OpenSslContext(config, authorities, idContext, this);
        CertificateIndex<OpenSslKeys> index = new CertificateIndex<>(keys);
        tried(index.all(), context);
        current = inForce(keys, index, authorities, context);
    }

    /// Has OpenSSL try a certificate of each kind: what it refuses, as keys that are too short, is
    /// the same for all of a kind.
    private void tried(Set<Shown<OpenSslKeys>> all, OpenSslContext context) {
        Set<List<String>> kinds = new HashSet<>();
        for (Shown<OpenSslKeys> one : all) {
            boolean fresh = false;
            for (CertifiedKey key : one.keys()) {
                fresh |= kinds.add(key.kinds());
            }
            if (fresh) {
                tried(one, context);
            }
        }
    }

    private void tried(Shown<OpenSslKeys> one, OpenSslContext context) {
        OpenSslKeys keys = null;
        try {
            keys = opened.take(one);
            context.check(keys);
        } catch (TlsSetupException e) {
            X509Certificate first = one.keys().getFirst().chain().getFirst();
            throw new TlsSetupException(
                    e.getMessage() + ": certificate of " + first.getSubjectX500Principal(), e);
        } finally {
            if (keys != null) {
                keys.give();
            }
        }
    }

    private InForce inForce(
            List<CertifiedKey> keys,
            CertificateIndex<OpenSslKeys> index,
            ClientAuthorities authorities,
            OpenSslContext context) {
        if (config.tickets() != null) {
            tickets.bind(TicketSettings.digest(config, keys, authorities));
        }
        TlsConfig.Stapling stapling = config.stapling();
        boolean staples =
                index.hasResponses()
                        || (stapling.from() != null
                                && keys.stream().anyMatch(key -> key.isStapled(stapling.which())));
        boolean quick = keys.stream().allMatch(CertifiedKey::signsQuickly);
        return new InForce(List.copyOf(keys), index, authorities, context, quick, staples);
    }

    @Override
    public SSLEngine engine() {
        InForce now = current;
        return new OpenSslEngine(this, now.context, asks(), now.quick);
    }

    /// A connection in no state yet, which must be freed; 0 for want of memory.
    long connect() {
        return current.context.connect();
    }

    /// Whether clients are asked for certificates.
    boolean asks() {
        return config.clients().auth() != TlsConfig.ClientAuth.NONE;
    }

    @Override
    public synchronized void keys(List<CertifiedKey> fresh) {
        InForce before = current;
        CertificateIndex<OpenSslKeys> index = before.index.with(fresh);
        Set<Shown<OpenSslKeys>> inForce = index.all();
        Set<Shown<OpenSslKeys>> added = new HashSet<>(inForce);
        added.removeAll(before.index.all());
        try {
            for (Shown<OpenSslKeys> one : added) {
                tried(one, before.context);
            }
        } catch (TlsSetupException e) {
            opened.retain(before.index.all());
            throw e;
        }
        current = inForce(fresh, index, before.authorities, before.context);
        opened.retain(inForce);
    }

    @Override
    public synchronized void trust(ClientAuthorities fresh) {
        InForce before = current;
        OpenSslContext context = new OpenSslContext(config, fresh, idContext, this);
        current = inForce(before.keys, before.index, fresh, context);
        tickets.renew();
    }

    @Override
    public void close() {
        opened.close();
    }

    // What OpenSSL asks back

    TicketKeys tickets() {
        return tickets;
    }

    /// Has a handshake go on with the certificates for a name.
    void showCertificateFor(long ssl, @Nullable String name) {
        OpenSslKeys keys = opened.take(current.index.of(name));
        try {
            keys.show(ssl);
        } finally {
            keys.give();
        }
    }

    /// Hands over the OCSP response for the certificate that the handshake shows.
    ///
    /// @return false when there is none
    boolean staple(long ssl) throws CertificateException {
        long shown = OpenSsl.call(GET_CERTIFICATE, ssl);
        InForce now = current;
        if (shown == 0 || !now.staples) {
            return false;
        }
        X509Certificate certificate = OpenSslSession.certificate(shown);
        ByteBuffer response = now.index.response(certificate);
        if (response != null) {
            staple(ssl, response.slice());
            return true;
        }
        TlsConfig.Stapling.Responses from = config.stapling().from();
        byte[] fetched = from == null ? null : from.of(certificate);
        if (fetched != null) {
            staple(ssl, ByteBuffer.wrap(fetched));
        }
        return fetched != null;
    }

    private static void staple(long ssl, ByteBuffer response) {
        int length = response.remaining();
        long copy = OpenSsl.call(MALLOC, length); // OpenSSL frees it
        OpenSsl.memory(copy, length).copyFrom(MemorySegment.ofBuffer(response));
        OpenSsl.call(CTRL, ssl, CTRL_STATUS_RESPONSE, length, copy);
    }

    /// The position of the length byte of the protocol that is best for the server, or -1.
    int chooseProtocol(byte[] offered) {
        for (byte[] protocol : protocols) {
            for (int at = 0; at < offered.length; at += 1 + (offered[at] & 0xff)) {
                int from = at + 1;
                int to = from + (offered[at] & 0xff);
                if (to <= offered.length
                        && Arrays.equals(offered, from, to, protocol, 0, protocol.length)) {
                    return at;
                }
            }
        }
        return -1;
    }
}
