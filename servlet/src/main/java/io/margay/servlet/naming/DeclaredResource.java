package io.margay.servlet.naming;

import io.margay.servlet.descriptor.WebAppDescriptor.ResourceDef;
import io.margay.servlet.descriptor.WebAppException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes specifications of what `data-source` and `mail-session`, or their annotations, say.
/// Confined to the deploying thread.
final class DeclaredResource {
    private final ResourceDef definition;
    private final Map<String, String> left;
    private final List<String> idle = new ArrayList<>();

    private DeclaredResource(ResourceDef definition) {
        this.definition = definition;
        left = new HashMap<>(definition.settings());
    }

    static ResourceSpec spec(ResourceDef definition, List<String> warnings) {
        DeclaredResource reader = new DeclaredResource(definition);
        ResourceSpec spec =
                switch (definition.kind()) {
                    case "data-source" -> reader.pool();
                    case "mail-session" -> reader.mail();
                    default -> throw new IllegalArgumentException(definition.kind());
                };
        reader.idle.addAll(reader.left.keySet());
        if (!reader.idle.isEmpty()) {
            reader.idle.sort(null);
            warnings.add(
                    definition.place()
                            + ": "
                            + definition.name()
                            + ": without effect: "
                            + String.join(", ", reader.idle));
        }
        return spec;
    }

    private @Nullable String take(String key) {
        String value = left.remove(key);
        return value == null || value.isEmpty() ? null : value;
    }

    /// A number, or null when it is absent or negative, which means not given.
    private @Nullable Integer number(String key) {
        String text = take(key);
        if (text == null) {
            return null;
        }
        try {
            int value = Integer.parseInt(text);
            return value < 0 ? null : value;
        } catch (NumberFormatException e) {
            throw new WebAppException(
                    definition.place() + ": " + key + " \"" + text + "\" is not a whole number", e);
        }
    }

    private ResourceSpec pool() {
        Map<String, String> properties = new LinkedHashMap<>(definition.properties());
        String url = take("url");
        String server = take("server-name");
        String database = take("database-name");
        Integer port = number("port-number");
        if (url == null) {
            putIfGiven(properties, "serverName", server);
            putIfGiven(properties, "databaseName", database);
            putIfGiven(properties, "portNumber", port == null ? null : port.toString());
        }
        String transactional = take("transactional");
        if ("true".equals(transactional)) {
            idle.add("transactional");
        }
        for (String key : List.of("initial-pool-size", "max-statements")) {
            Integer value = number(key);
            if (value != null && value > 0) {
                idle.add(key);
            }
        }
        String className = take("class-name");
        String isolation = take("isolation-level");
        DataSourceSettings.Session session =
                new DataSourceSettings.Session(
                        null,
                        null,
                        null,
                        null,
                        isolation == null || isolation.equals("-1") ? null : isolation,
                        null,
                        null);
        String user = take("user");
        String password = take("password");
        try {
            return new ResourceSpec.Pool(
                    new DataSourceSettings(
                            url, className, user, password, properties, session, limits()));
        } catch (IllegalArgumentException e) {
            throw new WebAppException(
                    definition.place() + ": " + definition.name() + ": " + e.getMessage(), e);
        }
    }

    private PoolLimits limits() {
        PoolLimits defaults = PoolLimits.defaults();
        Integer max = number("max-pool-size");
        Integer min = number("min-pool-size");
        Integer idleSeconds = number("max-idle-time");
        Integer loginSeconds = number("login-timeout");
        int size = max == null || max == 0 ? Math.max(defaults.sizeMax(), orZero(min)) : max;
        return new PoolLimits(
                size,
                Math.min(orZero(min), size),
                seconds(loginSeconds, PoolLimits.WAIT_LEAST, defaults.waitMax()),
                seconds(idleSeconds, PoolLimits.IDLE_LEAST, defaults.idleTimeout()),
                defaults.ageMax(),
                defaults.testTimeout(),
                defaults.leakAfter());
    }

    private static int orZero(@Nullable Integer value) {
        return value == null ? 0 : value;
    }

    private static Duration seconds(@Nullable Integer value, Duration least, Duration byDefault) {
        if (value == null || value == 0) {
            return byDefault;
        }
        Duration time = Duration.ofSeconds(value);
        return time.compareTo(least) < 0 ? least : time;
    }

    private static void putIfGiven(
            Map<String, String> properties, String key, @Nullable String value) {
        if (value != null) {
            properties.put(key, value);
        }
    }

    private ResourceSpec mail() {
        Map<String, String> properties = new LinkedHashMap<>(definition.properties());
        String user = take("user");
        String store = take("store-protocol");
        String transport = take("transport-protocol");
        putIfGiven(properties, "mail.host", take("host"));
        putIfGiven(properties, "mail.user", user);
        putIfGiven(properties, "mail.from", take("from"));
        putIfGiven(properties, "mail.store.protocol", store);
        putIfGiven(properties, "mail.transport.protocol", transport);
        putIfGiven(properties, "mail." + store + ".class", take("store-protocol-class"));
        putIfGiven(properties, "mail." + transport + ".class", take("transport-protocol-class"));
        return new ResourceSpec.Mail(properties, user, take("password"));
    }
}
