package io.margay.app;

import io.margay.app.config.DeployOptions;
import io.margay.server.exchange.Handler;
import io.margay.servlet.deploy.Deployment;
import io.margay.servlet.settings.ServletLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// An application that runs, and what it was deployed from. Immutable.
record RunningApp(Key key, Deployment deployment) {
    /// What an application is deployed from: equal keys need no second deployment.
    ///
    /// @param host names of the host
    /// @param stamp tells whether the file has changed
    record Key(
            List<String> host,
            String contextPath,
            Path file,
            String stamp,
            Map<String, String> params,
            ServletLimits limits,
            DeployOptions options) {
        /// Shown in messages: the file, and where it is served when its name does not say so.
        @Override
        public String toString() {
            return file + " at " + (contextPath.isEmpty() ? "/" : contextPath);
        }
    }

    Handler handler() {
        return deployment.webApp().handler();
    }

    /// Length and time of a WAR; of a folder the times of what a developer changes in it.
    static String stamp(Path file) {
        if (!Files.isDirectory(file)) {
            return stampOf(file);
        }
        StringBuilder stamp = new StringBuilder(stampOf(file));
        for (String part :
                List.of("WEB-INF", "WEB-INF/web.xml", "WEB-INF/classes", "WEB-INF/lib")) {
            stamp.append(' ').append(stampOf(file.resolve(part)));
        }
        return stamp.toString();
    }

    private static String stampOf(Path file) {
        try {
            return Files.size(file) + "@" + Files.getLastModifiedTime(file).toMillis();
        } catch (IOException e) {
            return "none";
        }
    }
}
