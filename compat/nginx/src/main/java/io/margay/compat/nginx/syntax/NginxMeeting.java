package io.margay.compat.nginx.syntax;

import io.margay.compat.account.Meeting;
import io.margay.compat.account.Place;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.server.exchange.UndecidedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which lines of an `nginx.conf` a request meets: those of `http`, of the server of its host, of
/// the location of its path, and of what these name. Immutable after it is made.
public final class NginxMeeting implements Meeting {
    /// Blocks that belong to whatever they stand in, with all in them.
    private static final Set<String> ALONG =
            Set.of("if", "limit_except", "types", "map", "geo", "split_clients");

    private static final int ANY_PORT = 0;
    private static final int HTTP = 80;
    private static final Pattern PORT = Pattern.compile("(?:.*:)?([0-9]{1,5})");

    private final List<NginxNode> nodes;
    private final int port;
    private final Set<Place> ofRequests = new HashSet<>();
    private final Map<String, BoundedRegex> expressions = new HashMap<>();

    public NginxMeeting(List<NginxNode> nodes) {
        this(nodes, ANY_PORT);
    }

    private NginxMeeting(List<NginxNode> nodes, int port) {
        this.port = port;
        this.nodes = List.copyOf(nodes);
        all(named(nodes, "http"), ofRequests);
        compile(nodes);
    }

    @Override
    public Meeting at(int number) {
        return new NginxMeeting(nodes, number);
    }

    private List<NginxNode> servers(NginxNode http) {
        List<NginxNode> all = named(http.block(), "server");
        List<NginxNode> there = all.stream().filter(this::listens).toList();
        return there.isEmpty() ? all : there;
    }

    private boolean listens(NginxNode server) {
        List<NginxNode> lines = named(server.block(), "listen");
        return lines.isEmpty()
                ? port == HTTP
                : lines.stream().anyMatch(line -> portOf(line.word(0)) == port);
    }

    private static int portOf(String address) {
        Matcher found = PORT.matcher(address);
        boolean socket = address.startsWith("unix:");
        return found.matches() && !socket ? Integer.parseInt(found.group(1)) : socket ? -1 : HTTP;
    }

    private static List<NginxNode> named(List<NginxNode> nodes, String name) {
        return nodes.stream().filter(one -> one.name().equals(name)).toList();
    }

    private static void all(List<NginxNode> nodes, Set<Place> places) {
        for (NginxNode one : nodes) {
            places.add(one.place());
            all(one.block(), places);
        }
    }

    /// An expression that cannot be read takes nothing; the account says so.
    private void compile(List<NginxNode> nodes) {
        for (NginxNode one : nodes) {
            if (one.name().equals("location") && Kind.of(one) == Kind.REGEX) {
                boolean anyCase = one.word(0).startsWith("~*");
                compile(Kind.path(one), anyCase);
            } else if (one.name().equals("server_name")) {
                one.words().stream()
                        .filter(word -> word.startsWith("~"))
                        .forEach(word -> compile(word.substring(1), true));
            }
            compile(one.block());
        }
    }

    private void compile(String text, boolean anyCase) {
        try {
            String plain = text.replace("(?P<", "(?<");
            expressions.put(text, BoundedRegex.of(plain, anyCase, RuleLimits.defaults()));
        } catch (IllegalArgumentException e) {
            expressions.remove(text);
        }
    }

    private boolean finds(String text, String in) {
        BoundedRegex regex = expressions.get(text);
        try {
            return regex != null && regex.find(in) != null;
        } catch (UndecidedException _) {
            return true; // Rather one line too many than no report.
        }
    }

    /// How the path of a location is compared.
    private enum Kind {
        EXACT("="),
        FIRM("^~"),
        REGEX("~"),
        NAMED("@"),
        PREFIX("");

        private final String mark;

        Kind(String mark) {
            this.mark = mark;
        }

        static Kind of(NginxNode location) {
            for (Kind kind : values()) {
                if (location.word(0).startsWith(kind.mark)) {
                    return kind;
                }
            }
            return PREFIX;
        }

        static String path(NginxNode location) {
            boolean two = location.words().size() > 1;
            return two || location.words().isEmpty()
                    ? location.words().isEmpty() ? "" : location.words().getLast()
                    : location.word(0).replaceFirst("^(?:=|\\^~|~\\*?)", "");
        }
    }

    @Override
    public boolean isOfRequests(Place place) {
        return ofRequests.contains(place);
    }

    @Override
    public Set<Place> of(String host, String path) {
        Set<Place> met = new HashSet<>();
        for (NginxNode http : named(nodes, "http")) {
            List<NginxNode> around = new ArrayList<>(List.of(http));
            met.add(http.place());
            lines(http, met);
            NginxNode server = server(servers(http), host);
            if (server != null) {
                met.add(server.place());
                lines(server, met);
                around.add(server);
                locations(server.block(), path, around, met);
                named(server, around, met);
            }
            upstreams(http, around, met);
        }
        return met;
    }

    /// The lines of a block that hold for all in it.
    private static void lines(NginxNode block, Set<Place> met) {
        for (NginxNode one : block.block()) {
            boolean along = ALONG.contains(one.name());
            if (along) {
                all(List.of(one), met);
            } else if (one.block().isEmpty()) {
                met.add(one.place());
            }
        }
    }

    private @Nullable NginxNode server(List<NginxNode> servers, String host) {
        NginxNode best = null;
        int rank = 0;
        for (NginxNode server : servers) {
            for (NginxNode line : named(server.block(), "server_name")) {
                for (String word : line.words()) {
                    int found = rank(word.toLowerCase(Locale.ROOT), word, host);
                    if (found > rank) {
                        rank = found;
                        best = server;
                    }
                }
            }
        }
        if (best != null || servers.isEmpty()) {
            return best;
        }
        return servers.stream()
                .filter(server ->
                        named(server.block(), "listen").stream()
                                .anyMatch(one -> one.words().contains("default_server")))
                .findFirst()
                .orElse(servers.getFirst());
    }

    /// How well a name fits: an exact one best, then by a star in front, behind, by expression.
    private int rank(String name, String word, String host) {
        if (host.isEmpty()) {
            return 0;
        }
        if (name.equals(host) || (name.startsWith(".") && name.substring(1).equals(host))) {
            return 10_000;
        }
        if (name.startsWith("*.") || name.startsWith(".")) {
            return host.endsWith(name.substring(name.indexOf('.'))) ? 5_000 + name.length() : 0;
        }
        if (name.endsWith(".*")) {
            boolean fits = host.startsWith(name.substring(0, name.length() - 1));
            return fits ? 1_000 + name.length() : 0;
        }
        return word.startsWith("~") && finds(word.substring(1), host) ? 1 : 0;
    }

    /// Finds the location of a path, as nginx does, and those around it.
    ///
    /// @return whether one was found that no expression of those around goes before
    private boolean locations(
            List<NginxNode> block, String path, List<NginxNode> around, Set<Place> met) {
        List<NginxNode> all = named(block, "location");
        NginxNode longest = null;
        for (NginxNode one : all) {
            Kind kind = Kind.of(one);
            String own = Kind.path(one);
            if (kind == Kind.EXACT && own.equals(path)) {
                enter(one, around, met);
                return true;
            }
            boolean prefix = (kind == Kind.PREFIX || kind == Kind.FIRM) && path.startsWith(own);
            if (prefix && (longest == null || own.length() > Kind.path(longest).length())) {
                longest = one;
            }
        }
        if (longest != null) {
            List<NginxNode> inside = new ArrayList<>(around);
            Set<Place> metInside = new HashSet<>();
            enter(longest, inside, metInside);
            boolean found = locations(longest.block(), path, inside, metInside);
            if (found || Kind.of(longest) == Kind.FIRM || !regex(all, path, around, met)) {
                around.addAll(inside.subList(around.size(), inside.size()));
                met.addAll(metInside);
                return found || Kind.of(longest) == Kind.FIRM;
            }
            return true;
        }
        return regex(all, path, around, met);
    }

    private boolean regex(
            List<NginxNode> all, String path, List<NginxNode> around, Set<Place> met) {
        for (NginxNode one : all) {
            if (Kind.of(one) == Kind.REGEX && finds(Kind.path(one), path)) {
                enter(one, around, met);
                boolean _ = locations(one.block(), path, around, met);
                return true;
            }
        }
        return false;
    }

    private static void enter(NginxNode location, List<NginxNode> around, Set<Place> met) {
        around.add(location);
        met.add(location.place());
        lines(location, met);
    }

    /// Locations with names, where what was met leads to them.
    private static void named(NginxNode server, List<NginxNode> around, Set<Place> met) {
        for (NginxNode one : named(server.block(), "location")) {
            if (Kind.of(one) == Kind.NAMED && leads(around, one.word(0))) {
                enter(one, around, met);
            }
        }
    }

    private static boolean leads(List<NginxNode> around, String name) {
        return around.stream()
                .flatMap(block -> block.block().stream())
                .filter(one -> one.block().isEmpty())
                .anyMatch(one -> one.words().contains(name));
    }

    /// Upstreams to which what was met passes on.
    private static void upstreams(NginxNode http, List<NginxNode> around, Set<Place> met) {
        for (NginxNode upstream : named(http.block(), "upstream")) {
            boolean passes =
                    around.stream()
                            .flatMap(block -> block.block().stream())
                            .filter(one -> one.name().endsWith("_pass"))
                            .anyMatch(one ->
                                    one.word(0)
                                            .replaceFirst("^[a-z]+://", "")
                                            .replaceFirst("[/:].*", "")
                                            .equals(upstream.word(0)));
            if (passes) {
                all(List.of(upstream), met);
            }
        }
    }

    @Override
    public List<Example> examples() {
        List<Example> examples = new ArrayList<>();
        for (NginxNode http : named(nodes, "http")) {
            for (NginxNode server : servers(http)) {
                String host =
                        named(server.block(), "server_name").stream()
                                .flatMap(one -> one.words().stream())
                                .filter(word -> word.matches("[A-Za-z0-9.-]+"))
                                .findFirst()
                                .orElse("");
                examples.add(new Example(host, "/"));
                examples(server.block(), host, examples);
            }
        }
        return examples.stream().distinct().toList();
    }

    private static void examples(List<NginxNode> block, String host, List<Example> examples) {
        for (NginxNode one : named(block, "location")) {
            String path = Kind.path(one);
            if (Kind.of(one) != Kind.REGEX && path.matches("/[!-~&&[^?#]]*")) {
                examples.add(new Example(host, path));
            }
            examples(one.block(), host, examples);
        }
    }
}
