package io.margay.app.deploy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The applications that a site serves, as the deployment of the next one sees them. Immutable.
public interface ServedApps {
    /// Those that run.
    List<RunningApp> apps();

    /// Those that do not run, or not as they should, and why.
    List<AppFailure> failures();

    /// The application of that name; null when it does not run.
    @Nullable RunningApp app(AppName name);

    /// The application that serves a path of a host; null when none does.
    ///
    /// @param host the host's names
    @Nullable RunningApp find(List<String> host, String path);
}
