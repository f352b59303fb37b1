package io.margay.app;

import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.app.deploy.RunningApp;
import io.margay.servlet.deploy.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The WARs and folders of applications that are deployed by being in a folder. Stateless.
final class AppFiles {
    private AppFiles() {}

    /// Whether an application is deployed because its file is in a folder of applications, rather
    /// than because the configuration names it.
    static boolean isInFolder(MargayConfig config, RunningApp.Key key) {
        for (HostSettings host : config.hosts()) {
            if (host.names().equals(key.name().host())) {
                boolean named =
                        host.routes().stream()
                                .anyMatch(route ->
                                        route instanceof RouteSettings.App app
                                                && app.app().equals(key.file())
                                                && app.contextPath()
                                                        .equals(key.name().contextPath()));
                return !named;
            }
        }
        return false;
    }

    /// Deletes a WAR or a folder with all that is in it; links are deleted, not followed.
    ///
    /// @throws StartException when that cannot be done
    static void delete(Path file) {
        try {
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                Folders.delete(file);
            }
        } catch (IOException e) {
            throw new StartException(file + " cannot be deleted: " + e.getMessage(), e);
        }
    }

    /// The same, where what is left does no harm.
    static void deleteQuietly(Path file) {
        try {
            delete(file);
        } catch (StartException e) {
            System.getLogger(AppFiles.class.getName())
                    .log(System.Logger.Level.WARNING, e.getMessage());
        }
    }
}
