package io.margay.app;

import io.margay.app.admin.LastReload;
import io.margay.app.console.ConfigControl;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where the configuration comes from, and how its last reload went. Thread-safe.
final class Configured {
    private volatile @Nullable ConfigControl control;
    private volatile @Nullable LastReload last;

    void by(ConfigControl from) {
        control = from;
    }

    /// Null = from a program.
    @Nullable ConfigControl control() {
        return control;
    }

    /// Notes a reload.
    ///
    /// @param failure why it was refused; null = it is active
    void reloaded(@Nullable String failure) {
        last = new LastReload(Instant.now(), failure);
    }

    /// Null when there was none.
    @Nullable LastReload last() {
        return last;
    }
}
