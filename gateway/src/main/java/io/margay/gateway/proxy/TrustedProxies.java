package io.margay.gateway.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Whose `X-Forwarded-*` and `Forwarded` fields are believed: networks of other front ends.
/// Immutable; nobody unless listed.
public final class TrustedProxies {
    /// Nobody is believed.
    public static final TrustedProxies NONE = new TrustedProxies(List.of());

    @SuppressWarnings("ArrayRecordComponent") // made here, and shared with nobody
    private record Network(byte[] address, int bits) {
        boolean contains(byte[] candidate) {
            if (candidate.length != address.length) {
                return false;
            }
            for (int i = 0; i < bits; i++) {
                int mask = 0x80 >> (i & 7);
                if ((candidate[i >> 3] & mask) != (address[i >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private final List<Network> networks;

    private TrustedProxies(List<Network> networks) {
        this.networks = List.copyOf(networks);
    }

    /// Reads addresses and networks such as `10.0.0.0/8` and `::1`.
    ///
    /// @throws IllegalArgumentException for what is neither
    public static TrustedProxies of(List<String> texts) {
        List<Network> networks = new ArrayList<>();
        for (String text : texts) {
            networks.add(network(text));
        }
        return networks.isEmpty() ? NONE : new TrustedProxies(networks);
    }

    private static Network network(String text) {
        int slash = text.indexOf('/');
        byte[] address =
                InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
        int bits = address.length * 8;
        if (slash >= 0) {
            String digits = text.substring(slash + 1);
            if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) > bits) {
                throw new IllegalArgumentException(text + " is no network");
            }
            bits = Integer.parseInt(digits);
        }
        return new Network(address, bits);
    }

    /// Whether what comes from that address is believed.
    public boolean includes(SocketAddress remote) {
        if (networks.isEmpty()
                || !(remote instanceof InetSocketAddress inet)
                || inet.getAddress() == null) {
            return false;
        }
        byte[] address = inet.getAddress().getAddress();
        for (Network network : networks) {
            if (network.contains(address)) {
                return true;
            }
        }
        return false;
    }
}
