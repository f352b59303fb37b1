package io.margay.app.config;

import io.margay.servlet.deploy.WarLimits;
import io.margay.servlet.jsp.JspSettings;
import io.margay.servlet.naming.DataSourceSettings;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.security.SingleSignOn;
import io.margay.servlet.settings.LibraryScan;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How applications are deployed. Immutable.
///
/// @param errorDetails whether the default error page shows the exception
/// @param trace whether applications, and members by routes, are asked TRACE; it is answered 405
///   else
/// @param pages how JSP pages are translated
/// @param war bounds of one WAR
/// @param users file of the users who may log in, as `tomcat-users.xml`; null = nobody can
/// @param realms where else users are, asked after the file
/// @param lockOut when a name is locked out
/// @param libraries folder of JARs that all applications see; null = none
/// @param resources data sources that applications share, by name
/// @param auto what is done about files that change
/// @param javax what is done for applications that were written for earlier versions
/// @param signOn how users are known to all applications of a host once they have logged in to one;
///   null = each application has log-ins of its own, unless a `CATALINA_BASE` says otherwise
/// @param libraryScan which libraries of applications are looked through
@RecordBuilder
public record DeployOptions(
        boolean errorDetails,
        boolean trace,
        JspSettings pages,
        WarLimits war,
        @Nullable Path users,
        List<RealmSettings> realms,
        LockOutLimits lockOut,
        @Nullable Path libraries,
        Map<String, DataSourceSettings> resources,
        AutoDeploySettings auto,
        JavaxSettings javax,
        SingleSignOn.@Nullable Settings signOn,
        LibraryScan libraryScan)
        implements DeployOptionsBuilder.With {
    public DeployOptions {
        realms = List.copyOf(realms);
        resources = Map.copyOf(resources);
    }

    /// Nothing of an exception on a page, since that is for the log; nobody can log in; the
    /// container's own defaults.
    public static DeployOptions defaults() {
        return new DeployOptions(
                false,
                false,
                JspSettings.defaults(),
                WarLimits.defaults(),
                null,
                List.of(),
                LockOutLimits.defaults(),
                null,
                Map.of(),
                AutoDeploySettings.defaults(),
                JavaxSettings.defaults(),
                null,
                LibraryScan.ALL);
    }

    /// The same with other answers to errors and to TRACE.
    public DeployOptions withAnswers(boolean details, boolean asked) {
        return DeployOptionsBuilder.builder(this).errorDetails(details).trace(asked).build();
    }
}
