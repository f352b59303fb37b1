package io.margay.app.config.listener;

import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.transport.TlsConfig;
import io.margay.transport.factory.Transports;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What `check` says of listeners with HTTP/3, whose handshakes are always OpenSSL's, by TLS 1.3.
public final class Http3Check {
    private static final String NEWEST = "TLSv1.3";

    private Http3Check() {}

    /// The same as [#errors(Path, List, String)] for this machine, whose library is only looked at
    /// where a listener has HTTP/3.
    public static List<String> errors(Path path, List<ListenerSettings> listeners) {
        boolean asked = listeners.stream().anyMatch(ListenerSettings::http3);
        return errors(path, listeners, asked ? Transports.datagramProblem() : null);
    }

    /// What keeps HTTP/3 from being spoken, or from being spoken as is said.
    ///
    /// @param problem why this machine has no HTTP/3, or null
    public static List<String> errors(
            Path path, List<ListenerSettings> listeners, @Nullable String problem) {
        List<String> errors = new ArrayList<>();
        for (ListenerSettings listener : listeners) {
            TlsConfig tls = listener.tls();
            if (!listener.http3() || tls == null) {
                continue;
            }
            String place = path + ": https " + listener.endpoint() + ": ";
            if (problem != null) {
                errors.add(place + problem);
            }
            if (all(tls).anyMatch(one -> one.clients().asksResponders())) {
                errors.add(
                        place
                                + "HTTP/3 cannot be spoken with ocsp-check, which the JDK's TLS"
                                + " does; leave out one of both");
            }
            if (all(tls).anyMatch(one -> !one.protocols().contains(NEWEST))) {
                errors.add(
                        place
                                + "HTTP/3 speaks TLS 1.3, which protocols does not have; add it, or"
                                + " leave out http3");
            }
        }
        return errors;
    }

    private static Stream<TlsConfig> all(TlsConfig tls) {
        return Stream.concat(Stream.of(tls), tls.named().stream().map(TlsConfig.Named::tls));
    }

    /// What holds on some machines only.
    ///
    /// @param addresses that this machine has, those of itself excepted
    public static List<String> notes(Path path, List<ListenerSettings> listeners, int addresses) {
        if (addresses < 2) {
            return List.of();
        }
        return listeners.stream()
                .filter(ListenerSettings::http3)
                .filter(one -> isAny(one.endpoint()))
                .map(one ->
                        path
                                + ": https "
                                + one.endpoint()
                                + ": answers of HTTP/3 leave from the address that the system"
                                + " chooses; give the listener one of the "
                                + addresses
                                + " addresses of this machine if clients use several")
                .toList();
    }

    private static boolean isAny(Endpoint at) {
        return at.address() instanceof InetSocketAddress inet
                && !inet.isUnresolved()
                && inet.getAddress().isAnyLocalAddress();
    }

    /// The addresses of this machine that others can use, of IPv4 or of IPv6, whichever are more; 0
    /// where answers leave from the one that was asked.
    public static int localAddresses() {
        if (Transports.datagramsKnowTheirAddress()) {
            return 0;
        }
        try {
            List<InetAddress> all =
                    NetworkInterface.networkInterfaces()
                            .flatMap(NetworkInterface::inetAddresses)
                            .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
                            .toList();
            long old = all.stream().filter(Inet4Address.class::isInstance).count();
            return (int) Math.max(old, all.size() - old);
        } catch (SocketException e) {
            return 0;
        }
    }
}
