package io.margay.servlet.session.engine;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// How an engine is reached. Immutable.
///
/// @param url where it is; may carry a user and a password, so it is never shown as it is
/// @param database connections to a database, for engines that use one: of a resource, or by a URL
///   of JDBC, which is not in `url` then; null = there is a `url`
/// @param connectTimeout how long a connection may take
/// @param timeout how long an answer may take
/// @param connectionsMax connections at most
/// @param removedFor how long an engine remembers that a session was removed
/// @param clock for engines that have none of their own
@RecordBuilder
public record EngineSettings(
        @Nullable String url,
        @Nullable Supplier<DataSource> database,
        Duration connectTimeout,
        Duration timeout,
        int connectionsMax,
        Duration removedFor,
        InstantSource clock)
        implements EngineSettingsBuilder.With {
    /// A healthy engine in the same network answers in a thousandth of that.
    public static final Duration TIMEOUT_DEFAULT = Duration.ofSeconds(1);

    /// A call takes well under a millisecond: enough for tens of thousands a second.
    public static final int CONNECTIONS_DEFAULT = 32;

    /// Twice as long as a server keeps a session that nobody asks it for, so that it hears of the
    /// end.
    public static final Duration REMOVED_DEFAULT = Duration.ofMinutes(10);

    public EngineSettings {
        Objects.requireNonNull(clock, "clock");
        if (connectTimeout.toMillis() <= 0 || timeout.toMillis() <= 0) {
            throw new IllegalArgumentException("a timeout of an engine is at least 1 ms");
        }
        if (connectionsMax < 1) {
            throw new IllegalArgumentException("an engine needs a connection");
        }
    }

    /// An engine at a URL, with everything else at its default.
    public static EngineSettings at(String url) {
        return new EngineSettings(
                url,
                null,
                TIMEOUT_DEFAULT,
                TIMEOUT_DEFAULT,
                CONNECTIONS_DEFAULT,
                REMOVED_DEFAULT,
                InstantSource.system());
    }

    /// A database behind a pool of its own.
    public static EngineSettings of(Supplier<DataSource> database) {
        return new EngineSettings(
                null,
                database,
                TIMEOUT_DEFAULT,
                TIMEOUT_DEFAULT,
                CONNECTIONS_DEFAULT,
                REMOVED_DEFAULT,
                InstantSource.system());
    }
}
