package io.margay.server.forwarded;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.RequestId;
import io.margay.server.forwarded.FrontEndTrust.Dialect;
import io.margay.server.forwarded.FrontEndTrust.Part;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Takes what front ends tell of a request out of its fields. Immutable.
///
/// Of a client that is no front end, no such field is left. Of a front end those are left that
/// agree with what was taken: one scheme, one host, one port, and of addresses those that nobody
/// who is trusted has told.
public final class ForwardedFields {
    private static final String FOR = "X-Forwarded-For";
    private static final String PROTO = "X-Forwarded-Proto";
    private static final String HOST = "X-Forwarded-Host";
    private static final String PORT = "X-Forwarded-Port";
    private static final String STANDARD = "Forwarded";
    private static final String ANY = "x-forwarded-";
    private static final int PORT_MAX = 65_535;
    private static final int PORT_DIGITS = 5;

    /// Names without regard to case, and to `_` for `-`, which some applications do not tell apart.
    private static final Set<String> OF_CLIENTS = Set.of("forwarded", "x-real-ip");

    private static final Set<String> TAKEN =
            Set.of(
                    "forwarded",
                    "x-forwarded-for",
                    "x-forwarded-proto",
                    "x-forwarded-host",
                    "x-forwarded-port");

    private final Networks from;
    private final boolean standard;
    private final Set<Part> take;

    /// Compiles.
    public ForwardedFields(FrontEndTrust trust) {
        from = Networks.of(trust.from());
        standard = trust.dialect() == Dialect.STANDARD;
        take = trust.take();
    }

    /// A request as it is to be seen.
    ///
    /// @param head with the host that it is for, and without the fields that were taken
    /// @param scheme `http` or `https`; null = that of the connection
    /// @param client null = the other end of the connection
    /// @param requestId what the front end calls the request, or null
    /// @param frontEnd who has told; null where it is no front end
    public record Seen(
            RequestHead head,
            @Nullable String scheme,
            @Nullable SocketAddress client,
            @Nullable String requestId,
            @Nullable SocketAddress frontEnd) {
        /// Notes who has told, and where the client is.
        public void note(ExchangeNotes notes) {
            if (frontEnd != null) {
                notes.frontEnd();
                notes.requestId(requestId);
                if (client != null) {
                    notes.client(client, ExchangeNotes.Told.applied(frontEnd));
                }
            }
        }
    }

    /// Reads a request.
    ///
    /// @param peer the other end of the connection
    public Seen read(SocketAddress peer, RequestHead head) {
        if (!(peer instanceof InetSocketAddress remote) || !from.includes(remote)) {
            return new Seen(withoutAny(head), null, null, null, null);
        }
        Told told = standard ? standard(head.fields(), remote) : fields(head.fields(), remote);
        RequestHead seen = head.withTarget(target(head.target(), told));
        return new Seen(
                seen.withFields(left(head.fields(), told)),
                told.scheme,
                told.client,
                head.field(RequestId.FIELD),
                remote);
    }

    // What a front end tells

    /// @param rest of the addresses, those that nobody who is trusted has told
    /// @param host valid, with a port or without; null = not told
    /// @param port 0 = not told
    private record Told(
            @Nullable InetSocketAddress client,
            String rest,
            @Nullable String scheme,
            @Nullable String host,
            int port) {}

    private Told fields(Fields fields, InetSocketAddress remote) {
        List<String> hops = take.contains(Part.FOR) ? values(fields, FOR) : List.of();
        int believed = believed(hops, remote);
        int left = hops.size() - believed;
        return new Told(
                believed == 0 ? null : NodeAddress.of(hops.get(left), remote.getPort()),
                String.join(", ", hops.subList(0, left)),
                take.contains(Part.PROTO) ? scheme(values(fields, PROTO)) : null,
                take.contains(Part.HOST) ? host(last(values(fields, HOST))) : null,
                take.contains(Part.PORT) ? port(last(values(fields, PORT))) : 0);
    }

    private Told standard(Fields fields, InetSocketAddress remote) {
        List<ForwardedElements.@Nullable Element> elements =
                ForwardedElements.of(fields.all(STANDARD));
        List<String> hops = new ArrayList<>();
        List<String> protos = new ArrayList<>();
        for (ForwardedElements.Element element : elements) {
            // What is malformed names nobody, and no scheme that is known.
            String client = element == null ? null : element.client();
            String proto = element == null ? "" : element.proto();
            hops.add(client == null ? "" : client);
            if (proto != null) {
                protos.add(proto);
            }
        }
        int believed = take.contains(Part.FOR) ? believed(hops, remote) : 0;
        ForwardedElements.Element nearest = elements.isEmpty() ? null : elements.getLast();
        String host = nearest == null ? null : host(nearest.host());
        boolean named = take.contains(Part.HOST);
        int port = host == null || named ? 0 : Math.max(0, Authority.port(host));
        return new Told(
                believed == 0
                        ? null
                        : NodeAddress.of(hops.get(hops.size() - believed), remote.getPort()),
                "",
                take.contains(Part.PROTO) ? scheme(protos) : null,
                named ? host : null,
                take.contains(Part.PORT) ? port : 0);
    }

    /// How many addresses are believed, from the end: each as long as the one before is a front
    /// end.
    private int believed(List<String> hops, InetSocketAddress remote) {
        InetSocketAddress teller = remote;
        for (int i = hops.size() - 1; i >= 0; i--) {
            InetSocketAddress next =
                    from.includes(teller) ? NodeAddress.of(hops.get(i), remote.getPort()) : null;
            if (next == null) {
                return hops.size() - 1 - i;
            }
            teller = next;
        }
        return hops.size();
    }

    /// `https` when every value says so, or `wss`, as some say of a WebSocket; null for no value.
    private static @Nullable String scheme(List<String> values) {
        if (values.isEmpty()) {
            return null;
        }
        for (String value : values) {
            String lower = value.toLowerCase(Locale.ROOT);
            if (!lower.equals("https") && !lower.equals("wss")) {
                return "http";
            }
        }
        return "https";
    }

    private static @Nullable String host(@Nullable String told) {
        if (told == null) {
            return null;
        }
        byte[] bytes = told.getBytes(StandardCharsets.UTF_8);
        return Authority.isValid(bytes, 0, bytes.length) ? told : null;
    }

    /// A port from 1 to 65535; 0 for what is none.
    private static int port(@Nullable String told) {
        if (told == null || told.isEmpty() || told.length() > PORT_DIGITS) {
            return 0;
        }
        int port = 0;
        for (int i = 0; i < told.length(); i++) {
            int digit = told.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            port = port * 10 + digit;
        }
        return port <= PORT_MAX ? port : 0;
    }

    /// The values of all lines of a field, in their order; none where all lines are empty.
    private static List<String> values(Fields fields, String name) {
        if (!fields.contains(name)) {
            return List.of();
        }
        String all = String.join(",", fields.all(name));
        if (all.isBlank()) {
            return List.of();
        }
        return Arrays.stream(all.split(",", -1)).map(String::strip).toList();
    }

    private static @Nullable String last(List<String> values) {
        return values.isEmpty() ? null : values.getLast();
    }

    // How the request is seen

    private static RequestTarget target(RequestTarget target, Told told) {
        String authority = told.host != null ? told.host : target.authority();
        String name = Authority.host(authority);
        if (name != null && told.port != 0) {
            int usual = told.scheme == null ? 0 : told.scheme.equals("https") ? 443 : 80;
            authority = told.port == usual ? name : name + ":" + told.port;
        }
        return authority == null || authority.equals(target.authority())
                ? target
                : new RequestTarget(
                        target.form(),
                        target.raw(),
                        target.rawPath(),
                        target.rawQuery(),
                        target.scheme(),
                        authority);
    }

    private Fields left(Fields received, Told told) {
        List<String> names = new ArrayList<>();
        List<String> values = new ArrayList<>();
        if (!standard) {
            if (take.contains(Part.FOR)) {
                add(names, values, FOR, told.rest);
            } else {
                for (String line : received.all(FOR)) {
                    add(names, values, FOR, line);
                }
            }
            add(names, values, PROTO, told.scheme == null ? "" : told.scheme);
            add(names, values, HOST, told.host == null ? "" : told.host);
            add(names, values, PORT, told.port == 0 ? "" : String.valueOf(told.port));
        }
        return without(received, false, names, values);
    }

    private static void add(List<String> names, List<String> values, String name, String value) {
        if (!value.isEmpty()) {
            names.add(name);
            values.add(value);
        }
    }

    private static RequestHead withoutAny(RequestHead head) {
        Fields received = head.fields();
        Fields left = without(received, true, Collections.emptyList(), Collections.emptyList());
        return left == received ? head : head.withFields(left);
    }

    /// The fields without those that tell of clients, and with others.
    ///
    /// @param all whether every one of them goes, and not only those that are taken
    private static Fields without(
            Fields received, boolean all, List<String> names, List<String> values) {
        int first = 0;
        while (first < received.size() && !tells(received, first, all)) {
            first++;
        }
        if (first == received.size() && names.isEmpty()) {
            return received;
        }
        Fields.Builder left = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            if (i < first || !tells(received, i, all)) {
                left.add(received.name(i), received.value(i));
            }
        }
        for (int i = 0; i < names.size(); i++) {
            left.add(names.get(i), values.get(i));
        }
        return left.build();
    }

    private static boolean tells(Fields fields, int index, boolean all) {
        int length = fields.nameLength(index);
        if (length != STANDARD.length() && length < ANY.length()) {
            return false;
        }
        if (!fields.nameBegins(index, "x") && !fields.nameBegins(index, "f")) {
            return false;
        }
        String canonical = fields.name(index).toLowerCase(Locale.ROOT).replace('_', '-');
        return all
                ? OF_CLIENTS.contains(canonical) || canonical.startsWith(ANY)
                : TAKEN.contains(canonical);
    }
}
