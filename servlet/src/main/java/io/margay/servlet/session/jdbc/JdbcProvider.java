package io.margay.servlet.session.jdbc;

import io.margay.servlet.session.engine.EngineSettings;
import io.margay.servlet.session.engine.SessionEngine;
import io.margay.servlet.session.engine.SessionEngineProvider;
import java.util.Set;

/// `sessions: {store: jdbc, url: …}`, or with a `resource`. Stateless.
public final class JdbcProvider implements SessionEngineProvider {
    @Override
    public Set<String> names() {
        return Set.of("jdbc");
    }

    @Override
    public SessionEngine open(EngineSettings settings) {
        if (settings.database() == null) {
            throw new IllegalArgumentException(
                    "it needs a \"url\", as in jdbc:postgresql://host/database, or a"
                            + " \"resource\", the name of a data source, as in jdbc/sessions");
        }
        return new JdbcEngine(settings, settings.database());
    }
}
