package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.ClientAddress;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.RequestId;
import io.margay.server.forwarded.Networks;
import io.margay.server.forwarded.NodeAddress;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds where clients are by what front ends tell, as mod_remoteip does: from the end of the list,
/// each address is believed as long as the one before it is trusted. Immutable.
public final class ClientAddresses {
    /// What is no address of the Internet.
    private static final Networks PRIVATE =
            Networks.of(
                    List.of(
                            "10.0.0.0/8",
                            "127.0.0.0/8",
                            "169.254.0.0/16",
                            "172.16.0.0/12",
                            "192.168.0.0/16"));

    private static final Networks INTERNET_6 = Networks.of(List.of("2000::/3"));

    /// Between addresses, as nginx takes them.
    private static final Pattern SEPARATORS = Pattern.compile("[ ,]+");

    private final String field;
    private final Networks trusted;
    private final Networks internal;
    private final boolean everybody;
    private final @Nullable String proxies;
    private final int hopsMax;
    private final boolean keepsField;

    private ClientAddresses(ClientAddress config) {
        field = config.field();
        trusted = Networks.of(config.trusted());
        internal = Networks.of(config.internal());
        proxies = config.proxies();
        hopsMax = config.hops() == 0 ? Integer.MAX_VALUE : config.hops();
        keepsField = config.keepsField();
        everybody = config.trusted().isEmpty() && config.internal().isEmpty();
    }

    /// Reads the networks.
    ///
    /// @throws IllegalArgumentException for what is none
    public static ClientAddresses of(ClientAddress config) {
        return new ClientAddresses(config);
    }

    /// Notes where the client of an exchange is, when somebody who is believed tells.
    public void note(Exchange exchange) {
        if (exchange.notes().client() == null
                && exchange.remote() instanceof InetSocketAddress remote) {
            if (trusts(remote)) {
                exchange.notes().requestId(exchange.request().field(RequestId.FIELD));
            }
            Found found = find(exchange.request().fields(), remote);
            if (found.hops() > 0) {
                exchange.notes()
                        .client(
                                found.client(),
                                keepsField
                                        ? ExchangeNotes.Told.applied(remote)
                                        : new ExchangeNotes.Told(
                                                field, found.rest(), remote, proxies, found.by()));
            }
        }
    }

    private boolean trusts(SocketAddress remote) {
        return everybody || internal.includes(remote) || trusted.includes(remote);
    }

    /// Where the client is whose request has these fields.
    ///
    /// @param remote the other end of the connection
    public InetSocketAddress of(Fields fields, InetSocketAddress remote) {
        return find(fields, remote).client();
    }

    /// Where a client is.
    ///
    /// @param hops how many addresses were believed
    /// @param rest those before them
    /// @param by who of the trusted has told, the nearest first
    private record Found(InetSocketAddress client, int hops, String rest, String by) {}

    private Found find(Fields fields, InetSocketAddress remote) {
        if (!fields.contains(field)) {
            return new Found(remote, 0, "", "");
        }
        InetSocketAddress found = remote;
        StringJoiner by = new StringJoiner(", ");
        String listed = String.join(",", fields.all(field)).strip();
        String[] hops = keepsField ? SEPARATORS.split(listed, -1) : listed.split(",", -1);
        for (int i = hops.length - 1; i >= 0; i--) {
            boolean isInternal = internal.includes(found);
            boolean believed =
                    hops.length - 1 - i < hopsMax
                            && (everybody || isInternal || trusted.includes(found));
            InetAddress next = believed ? address(hops[i].strip(), remote.getPort()) : null;
            if (next == null || (!isInternal && isPrivate(next))) {
                return new Found(found, hops.length - 1 - i, rest(hops, i), by.toString());
            }
            if (!isInternal) {
                by.add(NodeAddress.text(found.getAddress()));
            }
            found = new InetSocketAddress(next, remote.getPort());
        }
        return new Found(found, hops.length, "", by.toString());
    }

    /// With a port, too, where the field is read as by nginx.
    private @Nullable InetAddress address(String text, int port) {
        if (!keepsField) {
            return NodeAddress.literal(text);
        }
        InetSocketAddress at = NodeAddress.of(text, port);
        return at == null ? null : at.getAddress();
    }

    /// What was told up to a hop, that one included.
    private static String rest(String[] hops, int last) {
        return String.join(",", Arrays.asList(hops).subList(0, last + 1)).strip();
    }

    private static boolean isPrivate(InetAddress address) {
        return address instanceof Inet6Address
                ? !INTERNET_6.includes(address)
                : PRIVATE.includes(address);
    }
}
