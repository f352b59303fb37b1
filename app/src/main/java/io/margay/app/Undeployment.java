package io.margay.app;

import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.AppName;
import io.margay.app.deploy.ChangeCause;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.WantedApps;
import io.margay.servlet.deploy.WebAppsFolder;
import java.nio.file.Files;
import java.util.List;
import java.util.Set;

/// How applications are undeployed for good. Stateless.
final class Undeployment {
    private Undeployment() {}

    /// Deletes the file of an application if its being there is what deploys it, otherwise stops it
    /// until the server ends.
    ///
    /// @throws io.margay.app.config.StartException when the file cannot be deleted; then nothing
    ///   has changed
    static void remove(MargayServer server, AppName name, ChangeCause cause) {
        server.lock();
        try {
            RunningApp.Key key = WantedApps.of(server.config()).keys().get(name);
            if (key == null) {
                List<AppFailure> _ = server.change(Set.of(name), cause);
            } else if (!AppFiles.isInFolder(server.config(), key)) {
                server.stopped(name, true);
                List<AppFailure> _ = server.change(Set.of(name), cause);
            } else if (Files.isDirectory(key.file())) {
                // Requests that run may still read its files.
                server.stopped(name, true);
                List<AppFailure> _ =
                        server.change(
                                Set.of(name),
                                cause,
                                () -> {
                                    AppFiles.deleteQuietly(key.file());
                                    server.stopped(name, false);
                                });
            } else {
                AppFiles.delete(key.file());
                AppFiles.delete(key.file().resolveSibling(WebAppsFolder.baseName(key.file())));
                List<AppFailure> _ = server.change(Set.of(name), cause);
            }
        } finally {
            server.unlock();
        }
    }
}
