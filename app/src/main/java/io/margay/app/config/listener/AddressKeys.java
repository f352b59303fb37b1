package io.margay.app.config.listener;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.ListenerSettings.Senders;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.server.config.PublicAddress;
import io.margay.server.forwarded.FrontEndTrust;
import io.margay.server.forwarded.FrontEndTrust.Dialect;
import io.margay.server.forwarded.FrontEndTrust.Part;
import io.margay.server.forwarded.Networks;
import io.margay.transport.unix.SocketAccess;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// The keys by which a listener says what address clients use for it, where a front end does not,
/// and who may connect where it has none.
public final class AddressKeys {
    public static final String FORWARDED = "forwarded";
    public static final String PROXY_PROTOCOL = "proxy-protocol";
    private static final String EXCEPT = "proxy-protocol-except";

    private static final Form<List<String>> NETWORKS = networks(1);

    private static final Form<Set<Part>> PARTS =
            list("what is taken", word(Part.values()), 1)
                    .as(
                            parts ->
                                    parts.isEmpty()
                                            ? FrontEndTrust.TAKE_DEFAULT
                                            : Set.copyOf(parts),
                            parts -> List.copyOf(EnumSet.copyOf(parts)));

    private static final Keys<FrontEndTrust> TRUST =
            Binding.of(
                            "trusted front ends",
                            new FrontEndTrust(
                                    List.of("127.0.0.1"),
                                    Dialect.X_FORWARDED,
                                    FrontEndTrust.TAKE_DEFAULT))
                    .form("from", NETWORKS)
                    .form("take", PARTS)
                    .keys(
                            """
                            from [required]: Their addresses and networks.
                            as (dialect): Fields that are read: X-Forwarded-For, -Proto, -Host and
                              -Port, or Forwarded (RFC 7239).
                            take: What is used: client address, scheme, host, port. Unused fields
                              are removed, except the address.
                            """);

    public static final Binding<PublicAddress> ADDRESS =
            Binding.of("the address that clients use", PublicAddress.NONE)
                    .form(
                            "scheme",
                            text("http or https", AddressKeys::scheme),
                            PublicAddress::scheme,
                            (to, scheme) ->
                                    to.set("scheme", scheme).set("secure", scheme.equals("https")))
                    .form(
                            "secure",
                            flag(),
                            at -> at.secure() == "https".equals(at.scheme()) ? null : at.secure())
                    .form("proxy-name", text("the name of a host", AddressKeys::host))
                    .form(FORWARDED, section(TRUST))
                    .keys(
                            """
                            scheme [that of the connection]: Scheme of clear-text requests, for a
                              front end that terminates TLS without saying so. Over TLS it is always
                              https.
                            secure [whether `scheme` is https]: Treats clear-text requests as
                              secure: `CONFIDENTIAL` constraints pass, session cookies are `Secure`.
                            proxy-name (host) [as the request says]: Overrides the host of requests,
                              also for the choice of `hosts`.
                            proxy-port (port) <1 to 65535> [=as the request says]: Overrides the
                              port of requests, as in redirects.
                            forwarded [nobody is trusted]: Front ends whose forwarding fields are
                              trusted; those fields are removed from other requests. For http and
                              https listeners.
                            """);

    /// Whose connections begin with the PROXY protocol.
    public static final Keys<Senders> SENDERS =
            Binding.of("the PROXY protocol", Senders.NONE)
                    .form("proxy-protocol", NETWORKS)
                    .form("proxy-protocol-except", NETWORKS)
                    .keys(
                            """
                            proxy-protocol (trusted) [not spoken]: Load balancers that send a PROXY
                              protocol header (version 1 or 2); other connections are reset.
                            proxy-protocol-except (except) [nobody]: Clients exempt from that
                              header, such as a monitor in the load balancers' network.
                            """)
                    .rule((section, reading) -> {
                        if (!section.has(PROXY_PROTOCOL)) {
                            reading.strangers(
                                    section, List.of(EXCEPT), "\"" + PROXY_PROTOCOL + "\"");
                        }
                    });

    public static final Keys<SocketAccess> SOCKET =
            Binding.of("who may connect", SocketAccess.defaults())
                    .form(
                            "socket-mode",
                            text("permissions, as in 660 or rw-rw----", AddressKeys::mode)
                                    .as(SocketAccess::permissions, PosixFilePermissions::toString))
                    .keys(
                            """
                            socket-mode (permissions): Permissions of the socket file; write
                              permission allows connecting.
                            socket-owner (owner) <the name of a user> [the user of the server]:
                              Owner of that file; only root gives files away.
                            socket-group (group) <the name of a group> [the group of the server]:
                              Group of that file, as that of the front end: one that the server's
                              user belongs to.
                            """);

    private AddressKeys() {}

    /// Addresses and networks, at least `least`.
    public static Form<List<String>> networks(int least) {
        return list(
                "networks",
                text(
                        "an address or network, as in 10.0.0.0/8",
                        text -> {
                            Object _ = Networks.of(List.of(text));
                            return text;
                        }),
                least);
    }

    private static Object mode(String permissions) {
        Object _ = SocketAccess.permissions(permissions);
        return permissions;
    }

    private static Object scheme(String word) {
        PublicAddress _ = new PublicAddress(word, false, null, 0);
        return word;
    }

    private static Object host(String name) {
        PublicAddress _ = new PublicAddress(null, false, name, 0);
        return name;
    }
}
