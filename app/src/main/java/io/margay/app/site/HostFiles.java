package io.margay.app.site;

import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.StartException;
import io.margay.gateway.access.FolderPages;
import io.margay.server.exchange.Handler;
import io.margay.server.files.FileRules;
import io.margay.server.files.StaticFiles;
import io.margay.server.files.StaticFilesConfig;
import java.io.IOException;
import java.util.SplittableRandom;

/// What serves the files of a route. Stateless.
final class HostFiles {
    private HostFiles() {}

    /// @param parents seen in this moment
    /// @throws StartException when the folder or file is not there
    static Handler of(
            RouteSettings.StaticFiles files,
            HostSettings host,
            FileRules rules,
            StaticFiles.Parents parents) {
        try {
            StaticFilesConfig config = StaticFilesConfig.of(files.folder(), files.prefix());
            config = host.access().isWithoutCharset() ? config.withCharset(null) : config;
            config = config.withDotFiles(files.dotFiles());
            config = config.withPrecompressed(files.precompressed());
            if (!files.pages().equals(FolderPages.DEFAULT)) {
                config =
                        config.withWelcome(files.pages().index())
                                .withFallback(files.pages().fallback());
            }
            return new StaticFiles(config, new SplittableRandom(), rules, parents);
        } catch (IOException e) {
            throw new StartException(files.folder() + " cannot be served: " + e.getMessage(), e);
        }
    }
}
