package io.margay.compat.httpd.site;

import io.margay.compat.account.Place;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.plan.ListenerPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// `RemoteIPProxyProtocol` and its exceptions: which listeners have a header of the PROXY protocol
/// before each connection. As in httpd, it is a matter of addresses and not of hosts: of two hosts
/// of the same address and port the later one counts, and where several addresses fit, as that of
/// the main server does always, one that says `Off` is enough. Exceptions are those of all.
/// Confined to one reading.
final class ProxyHeaderDirectives {
    private final ReadingContext context;

    /// What counts, by `ADDRESS:PORT`; that of the main server is empty.
    private final Map<String, Wish> wishes = new LinkedHashMap<>();

    private final List<String> exceptions = new ArrayList<>();

    private record Wish(boolean on, Place place) {}

    ProxyHeaderDirectives(ReadingContext context) {
        this.context = context;
    }

    void protocol(HttpdNode node, HttpdServer server) {
        Wish wish = new Wish(node.isOn(), node.place());
        if (server.addresses.isEmpty()) {
            wishes.put("", wish);
        }
        server.addresses.forEach(address -> wishes.put(address, wish));
        context.honoured(node);
    }

    void exceptions(HttpdNode node) {
        for (String text : node.arguments()) {
            Optional<Network> network = Network.parse(text);
            if (network.isEmpty()) {
                context.wrong(
                        node, "\"" + text + "\" is not an address such as 10.1.2.3, 10.1.0.0/16");
                return;
            }
            network.ifPresent(
                    one -> exceptions.add(one.address().getHostAddress() + "/" + one.bits()));
        }
        context.honoured(node);
    }

    /// Who need not send the header at a listener, which all others must; null where nobody does.
    @Nullable List<String> of(ListenerPlan listener) {
        boolean on = false;
        boolean off = false;
        List<Wish> partial = new ArrayList<>();
        for (Map.Entry<String, Wish> each : wishes.entrySet()) {
            Wish wish = each.getValue();
            switch (reach(each.getKey(), listener)) {
                case WHOLE -> {
                    on |= wish.on;
                    off |= !wish.on;
                }
                case PART -> partial.add(wish);
                case NONE -> {
                    // Another listener's.
                }
            }
        }
        boolean spoken = on && !off;
        for (Wish wish : partial) {
            if (wish.on != spoken) {
                context.account()
                        .wrong(
                                wish.place,
                                "RemoteIPProxyProtocol",
                                "is for one address of a Listen of several: give the address its"
                                        + " own Listen");
            }
        }
        return spoken ? List.copyOf(exceptions) : null;
    }

    /// Of how many addresses of a listener a setting is.
    private enum Reach {
        WHOLE,
        PART,
        NONE
    }

    private static Reach reach(String address, ListenerPlan listener) {
        int colon = address.lastIndexOf(':');
        boolean hasPort = colon > address.lastIndexOf(']');
        String host = (hasPort ? address.substring(0, colon) : address).replaceAll("[\\[\\]]", "");
        if (hasPort && !address.endsWith(":" + listener.port())) {
            return Reach.NONE;
        }
        if (host.isEmpty() || host.equals("*") || host.equals(listener.host())) {
            return Reach.WHOLE;
        }
        return listener.host().equals("*") ? Reach.PART : Reach.NONE;
    }
}
