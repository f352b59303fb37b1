package io.margay.app.config.file.hosts;

import io.margay.app.yaml.Settings;
import java.util.Comparator;
import java.util.Set;
import java.util.function.BiConsumer;

/// Whether hosts say something at all, so that a file with thousands of them has only read what is
/// there.
public final class HostKeys {
    /// All that a host says which is served and no more.
    private static final Set<String> OF_PLAIN_HOSTS =
            Set.of("name", "aliases", "at", "routes", "webapps", "access-log", "acme");

    private static final Set<String> OF_PLAIN_ROUTES =
            Set.of("files", "dot-files", "index", "fallback", "app", "params", "gateway");

    private HostKeys() {}

    /// Whether a host says where its requests go, and nothing of what becomes of them.
    public static boolean arePlain(Settings host) {
        if (!host.hasOnly(OF_PLAIN_HOSTS)
                || host.section("access-log").filter(log -> log.has("when")).isPresent()) {
            return false;
        }
        Settings routes = host.section("routes").orElse(null);
        return routes == null
                || routes.all(of -> of instanceof Settings route && route.hasOnly(OF_PLAIN_ROUTES));
    }

    /// Whether a host or one of its routes has one of the keys.
    public static boolean areIn(Settings host, Set<String> keys) {
        if (host.hasAny(keys)) {
            return true;
        }
        Settings routes = host.section("routes").orElse(null);
        return routes != null
                && !routes.all(of -> !(of instanceof Settings route) || !route.hasAny(keys));
    }

    /// Gives each route with its path, the longest path first, to whoever makes rules of them of
    /// which the first decides.
    public static void longestFirst(Settings host, BiConsumer<String, Settings> rules) {
        Settings routes = host.section("routes").orElse(null);
        if (routes != null) {
            routes.keys().stream()
                    .sorted(Comparator.comparingInt(String::length).reversed())
                    .forEach(path -> rules.accept(path, routes.section(path).orElseThrow()));
        }
    }

    /// Gives each route with its path, as they stand in the file.
    public static void routes(Settings host, BiConsumer<String, Settings> each) {
        host.section("routes")
                .ifPresent(all ->
                        all.keys()
                                .forEach(path ->
                                        each.accept(path, all.section(path).orElseThrow())));
    }
}
