package io.margay.app.config;

import java.time.Duration;

/// What is done about applications whose files change while the server runs. Immutable.
///
/// @param every how often their files are looked at; zero = never
/// @param undeployOldVersions whether a version that is not the newest is undeployed, and deleted
///   from its folder, when its last session has ended
public record AutoDeploySettings(Duration every, boolean undeployOldVersions) {
    /// Short enough to wait for, and so seldom that looking costs nothing.
    public static final Duration EVERY_DEFAULT = Duration.ofSeconds(2);

    public AutoDeploySettings {
        if (every.isNegative()) {
            throw new IllegalArgumentException("the interval is negative");
        }
    }

    /// Looks at the files, and keeps old versions.
    public static AutoDeploySettings defaults() {
        return new AutoDeploySettings(EVERY_DEFAULT, false);
    }

    /// Nothing.
    public static AutoDeploySettings none() {
        return new AutoDeploySettings(Duration.ZERO, false);
    }

    /// Whether there is nothing to look at.
    public boolean isOff() {
        return every.isZero();
    }
}
