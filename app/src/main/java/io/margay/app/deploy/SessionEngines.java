package io.margay.app.deploy;

import io.margay.app.config.SessionSettings;
import io.margay.app.config.StartException;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.session.SharedSessions;
import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngineProvider;
import io.margay.servlet.session.engine.SharedSessionLimits;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.naming.NamingException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Finds and opens the engine that keeps sessions for several servers. Stateless.
public final class SessionEngines {
    private SessionEngines() {}

    /// The sessions in the engine of a configuration, which is not asked for anything yet.
    ///
    /// @param loaders where engines are looked for
    /// @throws StartException when there is no such engine, or its settings make no sense
    static SharedSessions open(
            SessionSettings.Shared settings, ServerResources resources, List<ClassLoader> loaders) {
        return new SharedSessions(
                settings.store(),
                engine(settings, resources, loaders),
                settings.key(),
                settings.write(),
                SharedSessionLimits.defaults());
    }

    /// What keeps the engine of a configuration from being used now; null = nothing, or it is a
    /// data source, which only a server has.
    public static @Nullable String unreachable(SessionSettings.Shared settings) {
        if (settings.resource() != null) {
            return null;
        }
        ClassLoader own = SessionEngines.class.getClassLoader();
        try (SessionEngine engine = engine(settings, ServerResources.none(own), List.of(own))) {
            engine.check();
            return null;
        } catch (IOException e) {
            return settings.store() + " does not answer: " + e.getMessage();
        }
    }

    private static SessionEngine engine(
            SessionSettings.Shared settings, ServerResources resources, List<ClassLoader> loaders) {
        String resource = settings.resource();
        EngineSettings engine =
                new EngineSettings(
                        settings.url(),
                        resource == null ? null : database(resource, resources),
                        settings.connectTimeout(),
                        settings.timeout(),
                        settings.connectionsMax(),
                        EngineSettings.REMOVED_DEFAULT,
                        InstantSource.system());
        try {
            return provider(settings.store(), loaders).open(engine);
        } catch (IllegalArgumentException e) {
            throw new StartException("sessions, " + settings.store() + ": " + e.getMessage(), e);
        }
    }

    private static Supplier<DataSource> database(String name, ServerResources resources) {
        return () -> {
            try {
                return (DataSource) resources.lookup(name);
            } catch (NamingException | ClassCastException e) {
                throw new IllegalStateException("there is no data source " + name, e);
            }
        };
    }

    private static SessionEngineProvider provider(String store, List<ClassLoader> loaders) {
        TreeSet<String> known = new TreeSet<>(List.of("memory"));
        for (ClassLoader loader : loaders) {
            for (SessionEngineProvider one :
                    ServiceLoader.load(SessionEngineProvider.class, loader)) {
                if (one.names().contains(store)) {
                    return one;
                }
                known.addAll(one.names());
            }
        }
        throw new StartException(
                "sessions: nothing here keeps them in \""
                        + store
                        + "\"; known are "
                        + String.join(", ", known));
    }
}
