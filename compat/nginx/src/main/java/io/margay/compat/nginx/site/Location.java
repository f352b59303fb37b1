package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.NginxRegex;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A `location`, or the server itself for what none takes. Confined to one reading.
final class Location {
    /// How its path is compared.
    enum Kind {
        /// The server itself.
        SERVER,
        EXACT,
        PREFIX,

        /// A prefix that no expression goes before.
        FIRM,
        REGEX,
        NAMED
    }

    private final Scope scope;
    private final Kind kind;
    private final String path;
    private final @Nullable NginxRegex regex;
    private final boolean anyCase;
    private final List<Location> inner = new ArrayList<>();
    private @Nullable Location outer;
    private final Program.Label begin = new Program.Label();
    private final Program.Label content = new Program.Label();

    private Location(
            Scope scope, Kind kind, String path, @Nullable NginxRegex regex, boolean anyCase) {
        this.scope = scope;
        this.kind = kind;
        this.path = path;
        this.regex = regex;
        this.anyCase = anyCase;
    }

    static Location of(Scope server) {
        return new Location(server, Kind.SERVER, "", null, false);
    }

    /// Reads one with those in it.
    static @Nullable Location of(NginxNode node, Scope outer, Reading reading) {
        String modifier = node.words().size() == 2 ? node.word(0) : "";
        String name = node.words().getLast();
        if (modifier.isEmpty()) {
            String glued = name.startsWith("~*") ? "~*" : name.startsWith("^~") ? "^~" : "";
            glued = glued.isEmpty() && name.startsWith("=") ? "=" : glued;
            glued = glued.isEmpty() && name.startsWith("~") ? "~" : glued;
            modifier = glued;
            name = name.substring(glued.length());
        }
        Scope scope = new Scope(reading.nextScope(), outer, node, node.block());
        Kind kind =
                switch (modifier) {
                    case "=" -> Kind.EXACT;
                    case "^~" -> Kind.FIRM;
                    case "~", "~*" -> Kind.REGEX;
                    case "" -> name.startsWith("@") ? Kind.NAMED : Kind.PREFIX;
                    default -> null;
                };
        if (kind == null) {
            reading.wrong(node, "invalid location modifier \"" + modifier + "\"");
            return null;
        }
        NginxRegex regex = null;
        if (kind == Kind.REGEX) {
            try {
                regex = NginxRegex.of(name);
                regex.names().stream().filter(n -> !n.isEmpty()).forEach(reading::define);
            } catch (IllegalArgumentException e) {
                reading.wrong(node, String.valueOf(e.getMessage()));
                return null;
            }
        }
        Location made = new Location(scope, kind, name, regex, modifier.equals("~*"));
        for (NginxNode one : scope.own("location")) {
            Location nested = of(one, scope, reading);
            if (nested != null && fits(made, nested, one, reading)) {
                made.add(nested);
            }
        }
        return made;
    }

    private static boolean fits(Location outer, Location nested, NginxNode node, Reading reading) {
        if (nested.kind == Kind.NAMED || outer.kind == Kind.NAMED || outer.kind == Kind.EXACT) {
            reading.wrong(
                    node,
                    "location \""
                            + nested.path
                            + "\" cannot be inside location \""
                            + outer.path
                            + "\"");
            return false;
        }
        if (outer.kind != Kind.REGEX
                && nested.kind != Kind.REGEX
                && !nested.path.startsWith(outer.path)) {
            reading.wrong(
                    node,
                    "location \"" + nested.path + "\" is outside location \"" + outer.path + "\"");
            return false;
        }
        return true;
    }

    void add(Location nested) {
        inner.add(nested);
        nested.outer = this;
    }

    Scope scope() {
        return scope;
    }

    int id() {
        return scope.id();
    }

    Kind kind() {
        return kind;
    }

    String path() {
        return path;
    }

    /// Where its rules begin.
    Program.Label begin() {
        return begin;
    }

    /// Where its path is not changed any more.
    Program.Label content() {
        return content;
    }

    @Nullable NginxRegex regex() {
        return regex;
    }

    boolean isPrefix() {
        return kind == Kind.PREFIX || kind == Kind.FIRM;
    }

    /// The one in which it stands; null for the server itself.
    @Nullable Location outer() {
        return outer;
    }

    List<Location> inner() {
        return inner;
    }

    /// This one and all in it.
    List<Location> all() {
        List<Location> all = new ArrayList<>(List.of(this));
        inner.forEach(one -> all.addAll(one.all()));
        return all;
    }

    List<Location> inner(Kind... kinds) {
        List<Kind> wanted = List.of(kinds);
        return inner.stream().filter(one -> wanted.contains(one.kind)).toList();
    }

    /// Its prefixes, the longest first.
    List<Location> prefixes() {
        return inner(Kind.PREFIX, Kind.FIRM).stream()
                .sorted(Comparator.comparingInt((Location one) -> one.path.length()).reversed())
                .toList();
    }

    /// Which paths it takes.
    PathMatch match() {
        return switch (kind) {
            case EXACT -> new PathMatch.Regex("^" + NginxRegex.quote(path) + "$", false, false);
            case PREFIX, FIRM -> new PathMatch.Regex("^" + NginxRegex.quote(path), false, false);
            case REGEX -> new PathMatch.Regex(regex == null ? "" : regex.text(), anyCase, false);
            case SERVER, NAMED -> PathMatch.ANY;
        };
    }

    /// The same with what is behind its path as `$1`.
    PathMatch rest() {
        return isPrefix() || kind == Kind.EXACT
                ? new PathMatch.Regex("^" + NginxRegex.quote(path) + "(.*)$", false, false)
                : PathMatch.ANY;
    }

    /// The location of a path, without those in it.
    Location find(String path) {
        Location found = this;
        for (Location one : prefixes().reversed()) {
            found = path.startsWith(one.path()) ? one : found;
        }
        if (found.kind != Location.Kind.FIRM) {
            for (Location one : inner(Location.Kind.REGEX).reversed()) {
                NginxRegex regex = one.regex;
                boolean takes = regex != null && BoundedRegex.of(regex.text()).find(path) != null;
                found = takes ? one : found;
            }
        }
        for (Location one : inner(Location.Kind.EXACT)) {
            found = path.equals(one.path()) ? one : found;
        }
        return found;
    }
}
