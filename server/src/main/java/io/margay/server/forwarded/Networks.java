package io.margay.server.forwarded;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/// Addresses and networks, as `10.0.0.0/8` and `::1`. Immutable.
public final class Networks {
    /// Nobody is in them.
    public static final Networks NONE = new Networks(List.of());

    private static final int OCTET_BITS = 8;

    /// @param prefix the octets that decide; of the last one only those bits that `lastMask` has
    @SuppressWarnings("ArrayRecordComponent") // made here, and shared with nobody
    private record Network(byte[] prefix, int lastMask, int octets) {
        boolean contains(byte[] candidate) {
            if (candidate.length != octets) {
                return false;
            }
            int last = prefix.length - 1;
            for (int i = 0; i < last; i++) {
                if (candidate[i] != prefix[i]) {
                    return false;
                }
            }
            return last < 0 || (candidate[last] & lastMask) == (prefix[last] & lastMask);
        }
    }

    private final Network[] networks;

    private Networks(List<Network> networks) {
        this.networks = networks.toArray(Network[]::new);
    }

    /// Reads them.
    ///
    /// @throws IllegalArgumentException for what is neither an address nor a network
    public static Networks of(List<String> texts) {
        List<Network> networks = new ArrayList<>();
        for (String text : texts) {
            networks.add(network(text));
        }
        return new Networks(networks);
    }

    private static Network network(String text) {
        int slash = text.indexOf('/');
        byte[] address =
                InetAddress.ofLiteral(slash < 0 ? text : text.substring(0, slash)).getAddress();
        int bits = address.length * OCTET_BITS;
        if (slash >= 0) {
            String digits = text.substring(slash + 1);
            if (!digits.matches("[0-9]{1,3}") || Integer.parseInt(digits) > bits) {
                throw new IllegalArgumentException(text + " is not a network");
            }
            bits = Integer.parseInt(digits);
        }
        byte[] prefix = new byte[Math.ceilDiv(bits, OCTET_BITS)];
        System.arraycopy(address, 0, prefix, 0, prefix.length);
        int used = bits % OCTET_BITS;
        int mask = used == 0 ? 0xff : 0xff << (OCTET_BITS - used);
        return new Network(prefix, mask, address.length);
    }

    /// Whether an address is one of them, or in one of them.
    public boolean includes(InetAddress address) {
        if (networks.length == 0) {
            return false;
        }
        byte[] octets = address.getAddress();
        for (Network network : networks) {
            if (network.contains(octets)) {
                return true;
            }
        }
        return false;
    }

    /// The same of the end of a connection; false where it has no address.
    public boolean includes(SocketAddress end) {
        return end instanceof InetSocketAddress inet
                && inet.getAddress() != null
                && includes(inet.getAddress());
    }
}
