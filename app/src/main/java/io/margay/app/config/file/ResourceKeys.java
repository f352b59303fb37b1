package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.flag;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.required;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.naming.PoolLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The section `resources`: data sources that applications share. Stateless.
final class ResourceKeys {
    private static final Shape.Scalar SECRET = Shape.anyText().asSecret();

    static final RecordKeys<PoolLimits> POOL =
            new RecordKeys<>("a data source", PoolLimits.defaults(), LimitMeanings.POOL);

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]+(/[A-Za-z0-9_.-]+)*");

    private ResourceKeys() {}

    static Shape shape() {
        return new Shape.Named(
                "data sources by name",
                "NAME",
                text(
                        "a name, as in jdbc/shop",
                        name -> {
                            if (!NAME.matcher(name).matches()) {
                                throw new IllegalArgumentException("");
                            }
                            return name;
                        }),
                source());
    }

    private static Shape.Section source() {
        List<Shape.Key> keys = new ArrayList<>();
        keys.addAll(
                List.of(
                        required(
                                "url",
                                text("a JDBC URL, as in jdbc:postgresql://localhost/shop"),
                                "Where the database is."),
                        optional("user", text("a name"), "as the driver has it", "Who logs in."),
                        optional(
                                "password",
                                SECRET,
                                "none",
                                "Best given as `${NAME}`, from the environment."),
                        optional(
                                "driver",
                                text("the name of a class"),
                                "the driver that takes the URL",
                                "A driver, or a class of data sources."),
                        optional(
                                "properties",
                                new Shape.Named("properties", "NAME", text("a name"), SECRET),
                                "none",
                                "Properties of the driver."),
                        optional(
                                "test-query",
                                text("a statement"),
                                "the driver's own test",
                                "Query that tells whether a connection still works."),
                        optional(
                                "init-sql",
                                text("a statement"),
                                "none",
                                "Run on each new connection."),
                        optional(
                                "auto-commit",
                                flag(),
                                "true",
                                "Whether each statement is a transaction."),
                        optional(
                                "read-only",
                                flag(),
                                "false",
                                "Whether connections are told to be read-only."),
                        optional(
                                "isolation",
                                choice(
                                        List.of(
                                                "read-uncommitted",
                                                "read-committed",
                                                "repeatable-read",
                                                "serializable")),
                                "the database's own",
                                "How transactions see each other."),
                        optional(
                                "catalog",
                                text("a name"),
                                "the driver's own",
                                "Where tables are looked for."),
                        optional(
                                "schema",
                                text("a name"),
                                "the driver's own",
                                "Where tables are looked for.")));
        keys.addAll(POOL.shape().keys());
        return new Shape.Section("a data source", keys, List.of());
    }

    static Map<String, DataSourceSettings> read(Optional<Settings> named, List<Problem> problems) {
        Map<String, DataSourceSettings> sources = new LinkedHashMap<>();
        named.ifPresent(all -> {
            for (String name : all.keys()) {
                all.section(name)
                        .filter(section -> section.has("url"))
                        .ifPresent(section -> sources.put(name, source(section, problems)));
            }
        });
        return sources;
    }

    private static DataSourceSettings source(Settings section, List<Problem> problems) {
        DataSourceSettings.Session session =
                new DataSourceSettings.Session(
                        section.text("test-query").orElse(null),
                        section.text("init-sql").orElse(null),
                        section.get("auto-commit", Boolean.class).orElse(null),
                        section.get("read-only", Boolean.class).orElse(null),
                        section.text("isolation")
                                .map(word -> word.toUpperCase(Locale.ROOT).replace('-', '_'))
                                .orElse(null),
                        section.text("catalog").orElse(null),
                        section.text("schema").orElse(null));
        return new DataSourceSettings(
                section.text("url").orElseThrow(),
                section.text("driver").orElse(null),
                section.text("user").orElse(null),
                section.text("password").orElse(null),
                section.texts("properties"),
                session,
                POOL.read(Optional.of(section), problems));
    }
}
