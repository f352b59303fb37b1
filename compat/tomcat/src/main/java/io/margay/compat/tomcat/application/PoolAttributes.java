package io.margay.compat.tomcat.application;

import io.margay.servlet.descriptor.WebAppException;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the attributes of the connection pools that Tomcat's users know (DBCP, DBCP 2, Tomcat
/// JDBC, HikariCP) as settings of ours. Confined to the deploying thread.
final class PoolAttributes {
    static final String TOMCAT_JDBC = "org.apache.tomcat.jdbc.pool.DataSourceFactory";
    static final String HIKARI = "com.zaxxer.hikari.HikariJNDIFactory";

    /// Connections at most where the attributes do not say: what the pool they are written for has.
    private static final int SIZE_DBCP = 8;

    private static final int SIZE_TOMCAT_JDBC = 100;

    /// In place of "no bound", which HikariCP does not know.
    private static final int SIZE_UNBOUNDED = 100;

    /// Seconds until a connection counts as abandoned in DBCP 2.
    private static final int ABANDONED_SECONDS = 300;

    /// Attributes that tune how those pools go about what HikariCP does anyhow: it tests every
    /// connection that has rested, rolls back what is left open, and closes idle ones in time.
    private static final Set<String> HOW =
            Set.of(
                    "testOnBorrow",
                    "testOnConnect",
                    "testOnCreate",
                    "testOnReturn",
                    "testWhileIdle",
                    "validationInterval",
                    "timeBetweenEvictionRunsMillis",
                    "durationBetweenEvictionRuns",
                    "numTestsPerEvictionRun",
                    "softMinEvictableIdleTimeMillis",
                    "softMinEvictableIdleDuration",
                    "evictionPolicyClassName",
                    "maxIdle",
                    "initialSize",
                    "lifo",
                    "fairQueue",
                    "jmxEnabled",
                    "jmxName",
                    "registerMbeans",
                    "poolName",
                    "rollbackOnReturn",
                    "commitOnReturn",
                    "autoCommitOnReturn",
                    "enableAutoCommitOnReturn",
                    "cacheState",
                    "fastFailValidation",
                    "logValidationErrors",
                    "logExpiredConnections",
                    "useDisposableConnectionFacade",
                    "useEquals",
                    "propagateInterruptState",
                    "initializationFailTimeout");

    private final Map<String, String> left;
    private final String place;
    private final Consumer<String> warnings;

    PoolAttributes(Map<String, String> attributes, String place, Consumer<String> warnings) {
        left = new TreeMap<>(attributes);
        this.place = place;
        this.warnings = warnings;
    }

    /// @param factory that the resource names, or null
    DataSourceSettings settings(@Nullable String factory) {
        Map<String, String> properties = properties();
        String url = first("url", "jdbcUrl");
        String driver = first("driverClassName");
        String source = first("dataSourceClassName");
        String user = first("username", "user");
        String password = first("password");
        DataSourceSettings.Session session =
                new DataSourceSettings.Session(
                        first("validationQuery", "connectionTestQuery"),
                        first("connectionInitSqls", "initSQL", "connectionInitSql"),
                        flag("defaultAutoCommit", "autoCommit"),
                        flag("defaultReadOnly", "readOnly"),
                        isolation(first("defaultTransactionIsolation", "transactionIsolation")),
                        first("defaultCatalog", "catalog"),
                        first("defaultSchema", "schema"));
        PoolLimits limits = limits(factory);
        left.keySet().removeAll(HOW);
        if (!left.isEmpty()) {
            warn("no effect: " + String.join(", ", new TreeSet<>(left.keySet())));
        }
        if (url == null && source == null) {
            throw new WebAppException(place + ": <Resource>: url is missing");
        }
        return new DataSourceSettings(
                url, source == null ? driver : source, user, password, properties, session, limits);
    }

    private void warn(String what) {
        warnings.accept(place + ": <Resource>: " + what);
    }

    private Map<String, String> properties() {
        Map<String, String> properties = new LinkedHashMap<>();
        String pairs = first("connectionProperties");
        if (pairs != null) {
            for (String pair : pairs.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    properties.put(
                            pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
                } else if (!pair.isBlank()) {
                    throw wrong("connectionProperties", pair, "name=value;name=value");
                }
            }
        }
        String prefix = "dataSource.";
        new HashMap<>(left)
                .forEach((key, value) -> {
                    if (key.startsWith(prefix)) {
                        left.remove(key);
                        properties.put(key.substring(prefix.length()), value);
                    }
                });
        return properties;
    }

    private PoolLimits limits(@Nullable String factory) {
        PoolLimits defaults = PoolLimits.defaults();
        int size = size(factory, defaults);
        Long idleMin = number("minIdle", "minimumIdle");
        int idle = idleMin == null ? 0 : Math.clamp(idleMin, 0, size);
        Long seconds = number("validationQueryTimeout");
        Long test = number("validationTimeout");
        if (seconds != null && seconds > 0) {
            test = Duration.ofSeconds(seconds).toMillis();
        }
        return new PoolLimits(
                size,
                idle,
                time(
                        number("maxWaitMillis", "maxWait", "connectionTimeout"),
                        250,
                        defaults.waitMax()),
                time(
                        number(
                                "minEvictableIdleTimeMillis",
                                "minEvictableIdleDuration",
                                "idleTimeout"),
                        10_000,
                        defaults.idleTimeout()),
                time(
                        number("maxConnLifetimeMillis", "maxAge", "maxLifetime"),
                        30_000,
                        defaults.ageMax()),
                test == null || test <= 0
                        ? defaults.testTimeout()
                        : time(test, 250, defaults.testTimeout()),
                leakAfter());
    }

    private int size(@Nullable String factory, PoolLimits defaults) {
        Long given = number("maxTotal", "maxActive", "maximumPoolSize");
        if (given == null) {
            return TOMCAT_JDBC.equals(factory)
                    ? SIZE_TOMCAT_JDBC
                    : HIKARI.equals(factory) ? defaults.sizeMax() : SIZE_DBCP;
        }
        if (given <= 0) {
            warn(
                    "an unbounded pool is not supported; this one has "
                            + SIZE_UNBOUNDED
                            + " connections");
            return SIZE_UNBOUNDED;
        }
        return (int) Math.min(given, Integer.MAX_VALUE);
    }

    /// Negative and 0 mean without end.
    private static Duration time(@Nullable Long millis, long least, Duration byDefault) {
        if (millis == null) {
            return byDefault;
        }
        return millis <= 0 ? Duration.ZERO : Duration.ofMillis(Math.max(millis, least));
    }

    private Duration leakAfter() {
        boolean abandoned = false;
        for (String key :
                new String[] {
                    "removeAbandoned",
                    "removeAbandonedOnBorrow",
                    "removeAbandonedOnMaintenance",
                    "logAbandoned"
                }) {
            abandoned |= Boolean.TRUE.equals(flag(key));
        }
        Long seconds = number("removeAbandonedTimeout");
        Long threshold = number("leakDetectionThreshold");
        if (abandoned) {
            warn("abandoned connections are logged, not taken back");
            return Duration.ofSeconds(seconds == null || seconds < 2 ? ABANDONED_SECONDS : seconds);
        }
        return threshold == null || threshold <= 0
                ? Duration.ZERO
                : Duration.ofMillis(Math.max(threshold, 2_000));
    }

    /// The value of the first of several names that is given; all are taken.
    private @Nullable String first(String... names) {
        String found = null;
        for (String name : names) {
            String value = left.remove(name);
            found = found == null && value != null && !value.isBlank() ? value : found;
        }
        return found;
    }

    private @Nullable Boolean flag(String... names) {
        String value = first(names);
        if (value == null) {
            return null;
        }
        return switch (value) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> throw wrong(names[0], value, "true or false");
        };
    }

    private @Nullable Long number(String... names) {
        String value = first(names);
        if (value == null) {
            return null;
        }
        try {
            return value.startsWith("P") || value.startsWith("p")
                    ? Duration.parse(value).toMillis()
                    : Long.parseLong(value);
        } catch (NumberFormatException | java.time.format.DateTimeParseException _) {
            throw wrong(names[0], value, "a number");
        }
    }

    private @Nullable String isolation(@Nullable String value) {
        if (value == null || value.equals("DRIVER_DEFAULT")) {
            return null;
        }
        String bare = value.startsWith("TRANSACTION_") ? value.substring(12) : value;
        if (!bare.matches(
                "NONE|READ_UNCOMMITTED|READ_COMMITTED|REPEATABLE_READ|SERIALIZABLE|[0-8]")) {
            throw wrong("defaultTransactionIsolation", value, "such as READ_COMMITTED");
        }
        return bare;
    }

    private WebAppException wrong(String name, String value, String wanted) {
        return new WebAppException(
                place + ": <Resource>: " + name + "='" + value + "' must be " + wanted);
    }
}
