package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.protocol.ProxyPrefix;
import io.margay.transport.TlsSetupException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// One check of one peer, on a connection of its own. Run by one thread; [#giveUp] by any.
final class HealthProbe {
    private final PeerConfig peer;
    private final HealthConfig config;
    private final SocketChannel channel;
    private volatile boolean late;
    private boolean passedBy;

    HealthProbe(PeerConfig peer, HealthConfig config) {
        this.peer = asked(peer, config.port());
        this.config = config;
        try {
            channel =
                    peer.address().socket() == null
                            ? SocketChannel.open()
                            : SocketChannel.open(StandardProtocolFamily.UNIX);
        } catch (IOException e) {
            throw new IllegalStateException("no socket for a check", e);
        }
    }

    /// The peer as it is asked: where its requests are sent, or at another port of its host.
    private static PeerConfig asked(PeerConfig peer, int port) {
        return port == 0 || peer.address().socket() != null
                ? peer
                : PeerConfig.of(
                        peer.name(), PeerAddress.of(PeerScheme.HTTP, peer.address().host(), port));
    }

    /// Ends the check since its time is up.
    void giveUp() {
        late = true;
        close();
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is not used any more either way.
            late = true;
        }
    }

    /// Does the check.
    ///
    /// @return null when it is good, else why not
    @Nullable String run() {
        try {
            connect();
            Channels.newOutputStream(channel).write(ProxyPrefix.own(peer.pool().proxyProtocol()));
            return config.kind() == HealthConfig.Kind.TCP ? null : talk();
        } catch (Http2Probe.PassedByException e) {
            passedBy = true;
            return e.getMessage();
        } catch (IOException | TlsSetupException | IllegalArgumentException e) {
            return late ? "no response within " + config.timeout() : String.valueOf(e.getMessage());
        } finally {
            close();
        }
    }

    /// Whether the peer went away before it looked at the request, which says nothing of it.
    boolean wasPassedBy() {
        return passedBy;
    }

    private void connect() throws IOException {
        PeerAddress address = peer.address();
        Path file = address.socket();
        if (file != null) {
            channel.connect(UnixDomainSocketAddress.of(file));
            return;
        }
        InetSocketAddress target = new InetSocketAddress(address.host(), address.port());
        if (target.isUnresolved()) {
            throw new IOException("the name " + address.host() + " is unknown");
        }
        channel.connect(target);
    }

    private @Nullable String talk() throws IOException {
        PeerScheme scheme = peer.address().scheme();
        if (scheme.isSecure()) {
            try (var tls = ProbeTls.over(channel, peer)) {
                return talk(tls.getInputStream(), tls.getOutputStream());
            }
        }
        return talk(Channels.newInputStream(channel), Channels.newOutputStream(channel));
    }

    private @Nullable String talk(InputStream in, OutputStream out) throws IOException {
        if (config.pingFirst() && peer.address().scheme() == PeerScheme.AJP) {
            HealthConfig ping = config.withKind(HealthConfig.Kind.CPING);
            String bad = new AjpProbe(peer, ping).run(in, out);
            if (bad != null) {
                return bad;
            }
        }
        ProbeDialogue dialogue =
                switch (peer.address().scheme()) {
                    case HTTP, HTTPS -> new HttpProbe(peer, config);
                    case H2, H2C -> new Http2Probe(peer, config);
                    case AJP -> new AjpProbe(peer, config);
                    case FCGI -> new FastCgiProbe(peer, config);
                };
        return dialogue.run(in, out);
    }
}
