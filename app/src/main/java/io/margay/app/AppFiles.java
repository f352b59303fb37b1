package io.margay.app;

import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.app.deploy.AppFailure;
import io.margay.app.deploy.RunningApp;
import io.margay.app.deploy.ServedApps;
import io.margay.servlet.deploy.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/// The WARs and folders of applications that are deployed by being in a folder. Stateless.
final class AppFiles {
    private static final System.Logger LOG = System.getLogger(AppFiles.class.getName());

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
                                                        .equals(key.name().contextPath())
                                                && app.version().equals(key.name().version()));
                return !named;
            }
        }
        return false;
    }

    /// Whether the rest of a configuration is taken in spite of a failure.
    static boolean isTolerable(AppFailure failure, ServedApps before, MargayConfig next) {
        RunningApp.Key key = failure.key();
        boolean tolerable =
                key != null
                        && (isInFolder(next, key)
                                || before.failures().stream()
                                        .map(AppFailure::key)
                                        .anyMatch(one ->
                                                one != null && one.name().equals(key.name())));
        if (tolerable) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "{0} (the rest of the configuration applies)",
                    failure.text());
        }
        return tolerable;
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
