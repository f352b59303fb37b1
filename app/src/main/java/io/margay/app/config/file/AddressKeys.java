package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;
import static io.margay.app.yaml.Shape.whole;

import io.margay.app.config.ListenerSettings;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.server.config.PublicAddress;
import io.margay.server.forwarded.FrontEndTrust;
import io.margay.server.forwarded.FrontEndTrust.Dialect;
import io.margay.server.forwarded.FrontEndTrust.Part;
import io.margay.transport.unix.SocketAccess;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The keys by which a listener says what address clients use for it, where a front end does not,
/// and who may connect where it has none.
final class AddressKeys {
    private static final String SCHEME = "scheme";
    private static final String SECURE = "secure";
    private static final String HOST = "proxy-name";
    private static final String PORT = "proxy-port";
    static final String PROXY_PROTOCOL = "proxy-protocol";
    static final String EXCEPT = "proxy-protocol-except";
    static final String FORWARDED = "forwarded";

    private static final String MODE = "socket-mode";
    private static final String OWNER = "socket-owner";
    private static final String GROUP = "socket-group";

    /// The keys of Unix sockets.
    static final List<String> OF_UNIX = List.of(MODE, OWNER, GROUP);

    private AddressKeys() {}

    static List<Shape.Key> ofListener() {
        return List.of(
                optional(
                        SCHEME,
                        text("http or https", AddressKeys::scheme),
                        "that of the connection",
                        "Scheme of requests in clear text, where clients speak TLS to a front end"
                                + " that does not say so. Over TLS it is always https."),
                optional(
                        SECURE,
                        flag(),
                        "whether `scheme` is https",
                        "Whether requests in clear text count as secure: constraints that ask for"
                                + " TLS let them in, and cookies of sessions are for TLS alone."),
                optional(
                        HOST,
                        text("the name of a host", AddressKeys::host),
                        "as the request says",
                        "Host that requests are taken to be for, which also chooses the host of"
                                + " this server."),
                optional(
                        PORT,
                        whole(1, 65_535),
                        "as the request says",
                        "Port that requests are taken to be for, as in redirects."),
                optional(
                        PROXY_PROTOCOL,
                        ChangeShape.networks(1),
                        "not spoken",
                        "Load balancers whose connections begin with a header of the PROXY"
                                + " protocol, version 1 or 2, which tells where the client is;"
                                + " connections of others are reset."),
                optional(
                        EXCEPT,
                        ChangeShape.networks(1),
                        "nobody",
                        "Clients of these addresses that send no such header, as a monitor within"
                                + " the network of the load balancers."),
                optional(
                        FORWARDED,
                        forwarded(),
                        "nobody is believed",
                        "Front ends that speak HTTP and tell of clients by fields, which are"
                                + " removed from the requests of others. With http and https"
                                + " listeners."),
                optional(
                        MODE,
                        text("permissions, as in 660 or rw-rw----", AddressKeys::mode),
                        "660",
                        "Permissions of the file of a Unix socket: who may write there may"
                                + " connect."),
                optional(
                        OWNER,
                        text("the name of a user"),
                        "the user of the server",
                        "Owner of that file; only root gives files away."),
                optional(
                        GROUP,
                        text("the name of a group"),
                        "the group of the server",
                        "Group of that file, as that of the front end: one that the server's"
                                + " user belongs to."));
    }

    private static Shape.Section forwarded() {
        return new Shape.Section(
                "front ends that are believed",
                List.of(
                        required("from", ChangeShape.networks(1), "Their addresses and networks."),
                        optional(
                                "as",
                                choice(Stream.of(Dialect.values()).map(Dialect::word).toList()),
                                "x-forwarded",
                                "By which fields they tell: X-Forwarded-For, -Proto, -Host and"
                                        + " -Port, or Forwarded (RFC 7239)."),
                        optional(
                                "take",
                                new Shape.Items(
                                        "what is taken",
                                        choice(Stream.of(Part.values()).map(Part::word).toList()),
                                        1),
                                "[for, proto]",
                                "What is taken: the client's address, whether it speaks TLS, host"
                                        + " and port that the request is for. What is not taken is"
                                        + " removed, but for the address.")),
                List.of());
    }

    private static Object mode(String permissions) {
        Object _ = SocketAccess.permissions(permissions);
        return permissions;
    }

    /// Who may connect to a Unix socket.
    static SocketAccess access(Settings listener) {
        return new SocketAccess(
                listener.text(MODE)
                        .map(SocketAccess::permissions)
                        .orElse(SocketAccess.defaults().permissions()),
                listener.text(OWNER).orElse(null),
                listener.text(GROUP).orElse(null));
    }

    private static Object scheme(String word) {
        PublicAddress _ = new PublicAddress(word, false, null, 0);
        return word;
    }

    private static Object host(String name) {
        PublicAddress _ = new PublicAddress(null, false, name, 0);
        return name;
    }

    /// Whose connections begin with the PROXY protocol.
    static ListenerSettings.Senders proxyProtocol(Settings listener) {
        return new ListenerSettings.Senders(
                listener.list(PROXY_PROTOCOL, String.class), listener.list(EXCEPT, String.class));
    }

    private static @Nullable FrontEndTrust trust(Settings section) {
        List<String> from = section.list("from", String.class);
        if (from.isEmpty()) {
            return null; // a problem that has been noted
        }
        Set<Part> take = EnumSet.noneOf(Part.class);
        section.list("take", String.class).forEach(word -> take.add(Part.of(word)));
        return new FrontEndTrust(
                from,
                section.text("as").map(Dialect::of).orElse(Dialect.X_FORWARDED),
                take.isEmpty() ? FrontEndTrust.TAKE_DEFAULT : take);
    }

    static PublicAddress read(Settings listener) {
        String scheme = listener.text(SCHEME).orElse(null);
        return new PublicAddress(
                scheme,
                listener.get(SECURE, Boolean.class).orElse("https".equals(scheme)),
                listener.text(HOST).orElse(null),
                listener.number(PORT).orElse(0L).intValue(),
                listener.section(FORWARDED).map(AddressKeys::trust).orElse(null));
    }
}
