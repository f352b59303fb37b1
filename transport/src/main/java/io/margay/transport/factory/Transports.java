package io.margay.transport.factory;

import io.margay.transport.TlsClientConfig;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsSetupException;
import io.margay.transport.Transport;
import io.margay.transport.TransportConfig;
import io.margay.transport.blocking.BlockingTransport;
import io.margay.transport.datagram.UdpListener;
import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.handover.DatagramSockets;
import io.margay.transport.nio.NioSockets;
import io.margay.transport.quic.DatagramListener;
import io.margay.transport.tls.TlsLayer;
import io.margay.transport.tls.certificate.CertifiedKey;
import io.margay.transport.tls.certificate.ClientTrust;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Makes transports by name. Immutable and stateless.
public final class Transports {
    /// A transport and why it was taken, for the start-up line.
    public record Choice(Transport transport, String reason) {}

    private Transports() {}

    /// The names that [#open] knows.
    public static List<String> names() {
        return List.of("blocking", "nio", "native");
    }

    /// Makes a transport.
    ///
    /// @throws IllegalArgumentException when there is none of that name, or this machine has it
    ///   not; the message says why and names the others
    public static Transport open(String name, TransportConfig config) throws IOException {
        return switch (name) {
            case "blocking" -> new BlockingTransport(config);
            case "nio" -> NioSockets.transport(config);
            case "native" -> openNative(config);
            default ->
                    throw new IllegalArgumentException(
                            "no transport '" + name + "'; there are " + names());
        };
    }

    private static Transport openNative(TransportConfig config) throws IOException {
        Optional<String> obstacle = EpollSockets.probe();
        if (obstacle.isPresent()) {
            throw new IllegalArgumentException(obstacle.get() + "; use nio or blocking");
        }
        return EpollSockets.transport(config);
    }

    /// Makes the best transport of this machine: native where it can be had, else nio.
    public static Choice best(TransportConfig config) throws IOException {
        Optional<String> obstacle = EpollSockets.probe();
        return obstacle.isPresent()
                ? new Choice(NioSockets.transport(config), "nio, as " + obstacle.get())
                : new Choice(EpollSockets.transport(config), "native");
    }

    /// Why [#datagrams] cannot be had on this machine, and what is needed; null when it can.
    public static @Nullable String datagramProblem() {
        return TlsLayer.quicProblem();
    }

    /// Whether datagrams of [#datagrams] leave from the address that was asked where a listener has
    /// every address of the machine.
    public static boolean datagramsKnowTheirAddress() {
        return EpollSockets.probe().isEmpty();
    }

    /// Makes ready a port of UDP with loops of its own, and the handshakes of QUIC on them.
    ///
    /// @param tls with the protocol that is offered above QUIC
    /// @param kept sockets of the server before, which are owned from now on, or null
    /// @param whenAlone runs what is to be done when that server receives no more
    /// @throws TlsSetupException when this machine has no OpenSSL that can, or a file cannot be
    ///   used
    public static DatagramListener.Prepared datagrams(
            TlsConfig tls,
            TransportConfig config,
            @Nullable DatagramSockets kept,
            Consumer<Runnable> whenAlone) {
        return UdpListener.prepare(tls, config, kept, whenAlone);
    }

    /// Gives the system back the memory that the JVM has freed, and the C library kept: what the
    /// JIT compilers have used, above all. Takes some milliseconds; nobody else waits for long.
    ///
    /// @return false where it cannot be done: without native access, or with another library than
    ///   glibc
    public static boolean trimNativeHeap() {
        return EpollSockets.trimHeap();
    }

    /// The certificate of files, which are read, and must belong together.
    ///
    /// @throws TlsSetupException when a file cannot be used
    public static X509Certificate certificate(TlsConfig.Certificate files) {
        return CertifiedKey.read(files).chain().getFirst();
    }

    /// A context for JSSE that trusts those whom the configuration trusts and shows its
    /// certificates, for connections beside the transports.
    ///
    /// @throws TlsSetupException when a file cannot be used
    public static SSLContext clientContext(TlsClientConfig config) {
        return ClientTrust.context(config);
    }
}
