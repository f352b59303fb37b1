package io.margay.app.config;

import io.margay.servlet.deploy.WarLimits;
import io.margay.servlet.jsp.JspSettings;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How applications are deployed. Immutable.
///
/// @param errorDetails whether the default error page shows the exception
/// @param pages how JSP pages are translated
/// @param war bounds of one WAR
/// @param users file of the users who may log in, as `tomcat-users.xml`; null = nobody can
/// @param auto what is done about files that change
public record DeployOptions(
        boolean errorDetails,
        JspSettings pages,
        WarLimits war,
        @Nullable Path users,
        AutoDeploySettings auto) {
    public DeployOptions {
        Objects.requireNonNull(pages, "pages");
        Objects.requireNonNull(war, "war");
        Objects.requireNonNull(auto, "auto");
    }

    /// Nothing of an exception on a page, since that is for the log; the container's own defaults.
    public static DeployOptions defaults() {
        return new DeployOptions(
                false,
                JspSettings.defaults(),
                WarLimits.defaults(),
                null,
                AutoDeploySettings.defaults());
    }

    /// The same with a file of users.
    public DeployOptions withUsers(@Nullable Path file) {
        return new DeployOptions(errorDetails, pages, war, file, auto);
    }

    /// The same, looking after files otherwise.
    public DeployOptions withAuto(AutoDeploySettings other) {
        return new DeployOptions(errorDetails, pages, war, users, other);
    }
}
