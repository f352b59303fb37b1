package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.yaml.Shape;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.DataSourceSettings.Session;
import io.margay.servlet.naming.PoolLimits;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// The section `resources`: data sources that applications share. Stateless.
final class ResourceKeys {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*");
    private static final Form<String> STATEMENT = text("a statement");

    private static final Keys<PoolLimits> POOL =
            Binding.of("a data source", PoolLimits.defaults())
                    .keys(
                            """
                            size-max: Maximum size of the pool; further requests for a connection
                              wait.
                            idle-min: Idle connections that are kept.
                            wait-max: Longest wait for a connection; 0s means no limit.
                            idle-timeout: After which an unused connection is closed; 0s means
                              never.
                            age-max: After which a connection is replaced; 0s means never.
                            test-timeout: For the test whether a connection still works.
                            leak-after: Leak detection: after this time a connection that is not
                              returned is reported in the log.
                            """);

    private static final Keys<Session> SESSION =
            Binding.of("a connection", Session.asDriver())
                    .form("test-query", STATEMENT)
                    .form("init-sql", STATEMENT)
                    .form(
                            "isolation",
                            word(
                                    List.of(
                                            "READ_UNCOMMITTED",
                                            "READ_COMMITTED",
                                            "REPEATABLE_READ",
                                            "SERIALIZABLE"),
                                    level -> level.toLowerCase(Locale.ROOT).replace('_', '-')))
                    .keys(
                            """
                            test-query [the driver's own test]: Query that tells whether a
                              connection still works.
                            init-sql: Run on each new connection.
                            auto-commit [true]: Each statement is a transaction.
                            read-only [false]: Makes connections read-only.
                            isolation [the database's own]: How transactions see each other.
                            catalog <a name> [the driver's own]: Where tables are looked for.
                            schema <a name> [the driver's own]: Where tables are looked for.
                            """);

    static final Keys<DataSourceSettings> SOURCE =
            Binding.of(
                            "a data source",
                            new DataSourceSettings(
                                    "-",
                                    null,
                                    null,
                                    null,
                                    Map.of(),
                                    Session.asDriver(),
                                    PoolLimits.defaults()))
                    .form("password", anyText().secret())
                    .form("properties", named("properties", anyText().secret()))
                    .keys(
                            """
                            url <a JDBC URL, as in jdbc:postgresql://localhost/shop> [required]:
                              Where the database is.
                            user <a name> [as the driver has it]: Who logs in.
                            password: Best given as `${NAME}`, from the environment.
                            driver (className) <the name of a class> [the driver that takes the
                              URL]: A driver, or a class of data sources.
                            properties: Properties of the driver.
                            """)
                    .part("session", SESSION)
                    .part("limits", POOL);

    static final Form<Map<String, DataSourceSettings>> SOURCES =
            named(
                    "data sources by name",
                    "NAME",
                    Shape.matching("a name, as in jdbc/shop", NAME.asMatchPredicate(), ""),
                    section(SOURCE));

    private ResourceKeys() {}
}
