package io.margay.compat.tomcat.application;

import io.margay.servlet.naming.ResourceSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What a `Resource` of context.xml is here. Confined to the deploying thread.
final class TomcatResource {
    /// An application for `javax.*` is converted, and finds a session of Jakarta Mail by either.
    private static final Set<String> MAIL_TYPES =
            Set.of("jakarta.mail.Session", "javax.mail.Session");

    private static final String NAMING = "org.apache.naming.factory.";
    private static final String USERS = "org.apache.catalina.UserDatabase";

    /// Whose data sources are HikariCP's here.
    private static final Set<String> POOL_FACTORIES =
            Set.of(
                    PoolAttributes.TOMCAT_JDBC,
                    PoolAttributes.HIKARI,
                    "org.apache.tomcat.dbcp.dbcp2.BasicDataSourceFactory",
                    "org.apache.tomcat.dbcp.dbcp.BasicDataSourceFactory",
                    "org.apache.commons.dbcp2.BasicDataSourceFactory",
                    "org.apache.commons.dbcp.BasicDataSourceFactory");

    private static final Set<String> POOL_TYPES =
            Set.of(
                    "javax.sql.DataSource",
                    "javax.sql.XADataSource",
                    "org.apache.tomcat.jdbc.pool.DataSource",
                    "com.zaxxer.hikari.HikariDataSource");

    private final Map<String, String> left;
    private final String place;
    private final Consumer<String> warnings;

    private TomcatResource(ContextSettings.Resource resource, Consumer<String> warnings) {
        left = new TreeMap<>(resource.attributes());
        place = resource.place();
        this.warnings = warnings;
        List.of("name", "auth", "scope", "description").forEach(left::remove);
    }

    /// What is to be made; null when nothing can be, which a warning says.
    ///
    /// @param brought whether the application has a class of that name itself
    /// @param warnings takes what is not honoured
    static @Nullable ResourceSpec spec(
            ContextSettings.Resource resource,
            Predicate<String> brought,
            Consumer<String> warnings) {
        return new TomcatResource(resource, warnings).spec(brought);
    }

    /// The file of a `UserDatabase`, which a realm may name; null when it is none, or names the
    /// file that stands for the server's users.
    static @Nullable String userDatabase(ContextSettings.Resource resource) {
        String file = resource.attributes().get("pathname");
        return USERS.equals(resource.attributes().get("type"))
                        && file != null
                        && !file.equals(TomcatRealm.USERS_BY_DEFAULT)
                ? file
                : null;
    }

    private @Nullable ResourceSpec spec(Predicate<String> brought) {
        String type = left.getOrDefault("type", "");
        String factory = left.remove("factory");
        boolean singleton = !"false".equals(left.remove("singleton"));
        String closeMethod = left.remove("closeMethod");
        if (factory != null && brought.test(factory)) {
            return new ResourceSpec.Factory(factory, type, left, singleton, closeMethod);
        }
        boolean pool =
                factory == null ? POOL_TYPES.contains(type) : POOL_FACTORIES.contains(factory);
        if (pool) {
            left.remove("type");
            return new ResourceSpec.Pool(
                    new PoolAttributes(left, place, warnings).settings(factory));
        }
        if (factory == null
                ? MAIL_TYPES.contains(type)
                : factory.equals(NAMING + "MailSessionFactory")) {
            return mail();
        }
        if (type.equals(USERS)) {
            return null; // For a realm; applications cannot look it up.
        }
        if (factory == null) {
            return nothing(
                    type.isEmpty()
                            ? "has no type, so nothing can be created"
                            : "nothing can create a " + type + " without a factory");
        }
        if (factory.equals(NAMING + "BeanFactory")) {
            left.remove("type");
            if (left.remove("forceString") != null) {
                warnings.accept(place + ": <Resource>: forceString has no effect");
            }
            return new ResourceSpec.Bean(type, left, singleton, closeMethod);
        }
        if (factory.startsWith(NAMING)) {
            return nothing(factory + " is not there");
        }
        return new ResourceSpec.Factory(factory, type, left, singleton, closeMethod);
    }

    private @Nullable ResourceSpec nothing(String why) {
        warnings.accept(place + ": <Resource>: " + why);
        return null;
    }

    private ResourceSpec mail() {
        left.remove("type");
        String password = left.remove("password");
        String user = left.getOrDefault("mail.smtp.user", left.get("mail.user"));
        return new ResourceSpec.Mail(left, user, password);
    }
}
