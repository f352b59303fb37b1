package io.margay.transport.tls;

import io.margay.transport.TlsConfig;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientAuthorities;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/// Engines of OpenSSL for one listener, or for some of its names. Thread-safe: contexts are swapped
/// under a lock that a handshake holds only to take one.
final class OpenSslEngines implements TlsEngines {
    private static final MemorySegment SET_CONTEXT = OpenSsl.ssl("SSL_set_SSL_CTX");

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

    private List<CertifiedKey> keys;
    private ClientAuthorities authorities;

    /// Whether all keys sign quickly, whichever a client is shown.
    private boolean quick;

    /// Whether some certificate may have a response.
    private volatile boolean staples;

    /// By the certificates that are in it.
    private Map<List<CertifiedKey>, OpenSslContext> contexts = Map.of();

    /// Address of that for clients that name no host, with which each handshake begins.
    private long first;

    /// Those before the last swap: handshakes that began with them may still ask back.
    private List<OpenSslContext> retired = List.of();

    OpenSslEngines(TlsConfig config, List<CertifiedKey> keys, ClientAuthorities authorities) {
        this.config = config;
        this.keys = keys;
        this.authorities = authorities;
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
        build(Map.of());
    }

    /// Makes the contexts for the keys in force.
    ///
    /// @param usable those that need not be made
    private synchronized void build(Map<List<CertifiedKey>, OpenSslContext> usable) {
        Map<List<CertifiedKey>, OpenSslContext> made = new HashMap<>();
        List<List<CertifiedKey>> wanted = new ArrayList<>();
        wanted.add(SniKeys.ofEachType(keys, null));
        for (CertifiedKey key : keys) {
            for (String name : key.names()) {
                // Any label serves to ask for a wildcard.
                wanted.add(SniKeys.ofEachType(keys, name.replace("*", "any")));
            }
        }
        Map<List<CertifiedKey>, OpenSslContext> next = new HashMap<>();
        try {
            for (List<CertifiedKey> one : new HashSet<>(wanted)) {
                OpenSslContext there = usable.get(one);
                if (there == null) {
                    there = new OpenSslContext(config, one, authorities, idContext);
                    made.put(one, there);
                }
                next.put(one, there);
            }
        } catch (RuntimeException e) {
            made.values().forEach(OpenSslContext::free);
            throw e;
        }
        retired.forEach(context -> OpenSslCallbacks.forget(context.address(), this));
        retired = contexts.values().stream().filter(one -> !next.containsValue(one)).toList();
        contexts = next;
        first = context(null).address();
        contexts.values().forEach(context -> OpenSslCallbacks.own(context.address(), this));
        retired.forEach(OpenSslContext::free);
        if (config.tickets() != null) {
            tickets.bind(TicketSettings.digest(config, keys, authorities));
        }
        quick = keys.stream().allMatch(CertifiedKey::signsQuickly);
        TlsConfig.Stapling stapling = config.stapling();
        staples =
                keys.stream()
                        .anyMatch(key ->
                                key.ocsp() != null
                                        || (stapling.from() != null
                                                && key.isStapled(stapling.which())));
    }

    @Override
    public synchronized SSLEngine engine() {
        boolean asks = config.clients().auth() != TlsConfig.ClientAuth.NONE;
        return new OpenSslEngine(first, asks, quick);
    }

    private OpenSslContext context(@Nullable String host) {
        OpenSslContext found = contexts.get(SniKeys.ofEachType(keys, host));
        if (found == null) {
            throw new IllegalStateException("no context for " + host);
        }
        return found;
    }

    @Override
    public synchronized void keys(List<CertifiedKey> fresh) {
        List<CertifiedKey> old = keys;
        keys = List.copyOf(fresh);
        try {
            build(contexts);
        } catch (RuntimeException e) {
            keys = old;
            throw e;
        }
    }

    @Override
    public synchronized void trust(ClientAuthorities fresh) {
        ClientAuthorities old = authorities;
        authorities = fresh;
        try {
            build(Map.of());
        } catch (RuntimeException e) {
            authorities = old;
            throw e;
        }
        tickets.renew();
    }

    // What OpenSSL asks back

    TicketKeys tickets() {
        return tickets;
    }

    /// Has a handshake go on with the certificate for a name.
    synchronized void useCertificateFor(long ssl, String name) {
        OpenSsl.call(SET_CONTEXT, ssl, context(name).address());
    }

    /// Hands over the OCSP response for the certificate that the handshake shows.
    ///
    /// @return false when there is none
    boolean staple(long ssl) throws CertificateException {
        long shown = OpenSsl.call(GET_CERTIFICATE, ssl);
        List<CertifiedKey> all;
        synchronized (this) {
            all = keys;
        }
        if (shown == 0 || !staples) {
            return false;
        }
        X509Certificate certificate = OpenSslSession.certificate(shown);
        for (CertifiedKey key : all) {
            ByteBuffer response = key.ocsp();
            if (response != null && key.chain().getFirst().equals(certificate)) {
                staple(ssl, response.slice());
                return true;
            }
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
