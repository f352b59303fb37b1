package io.margay.app.config.file.deploy;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.AutoDeploySettings;
import io.margay.app.config.DeployOptions;
import io.margay.app.config.JavaxSettings;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.servlet.jsp.JspSettings;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.LibraryScan.Names;
import java.util.List;

/// The section `deploy`: how applications are deployed. Stateless.
public final class DeployKeys {
    private static final Form<List<String>> PATTERNS = listOrOne("patterns", text("a pattern"), 1);

    private static final Keys<JspSettings> PAGES =
            Binding.of("the JSP pages", JspSettings.defaults())
                    .keys(
                            """
                            development: Recompiles changed pages, also in WARs, and shows their
                              source in errors.
                            watch-folders: Recompiles changed pages of exploded applications.
                            check-interval: How long a page counts as unchanged after its file was
                              checked.
                            precompile: Compiles all pages at the start.
                            """);

    private static final Keys<LockOutLimits> LOCK_OUT =
            Binding.of("the lock-out", LockOutLimits.defaults())
                    .keys(
                            """
                            failures-max: Wrong passwords in a row; 0 = no lock-out.
                            locked-for: How long a name is locked out, from the latest attempt on.
                            names-max: Names that are remembered; those that failed least go first.
                            """);

    private static final Keys<Names> LIBRARIES =
            Binding.of("the scan of libraries", Names.ALL)
                    .form("skip", PATTERNS)
                    .form("except", PATTERNS)
                    .keys(
                            """
                            skip: File names of libraries that are skipped; `*` stands for any
                              characters, `?` for one.
                            except (scan): Exceptions from `skip`, which are scanned.
                            """)
                    .rule((scan, reading) -> {
                        if (!scan.has("skip")) {
                            reading.strangers(scan, List.of("except"), "\"skip\"");
                        }
                    });

    private static final Keys<AutoDeploySettings> AUTO =
            Binding.of("the deployment of what has changed", AutoDeploySettings.defaults())
                    .keys(
                            """
                            auto-deploy (every): How often application files are checked: changed
                              ones are redeployed; in `webapps`, new ones are deployed and removed
                              ones undeployed; 0s = never.
                            undeploy-old-versions: Undeploys and deletes an old version
                              (`name##version`) when its last session has ended.
                            """);

    private static final Keys<JavaxSettings> JAVAX =
            Binding.of("applications of earlier versions", JavaxSettings.defaults())
                    .form(
                            "java-ee-modules",
                            listOrOne("modules", word(JavaxSettings.Module.values()), 1))
                    .keys(
                            """
                            javax (mode): Applications that use javax.servlet (Tomcat 9 and before):
                              auto = converted on deployment, off = refused.
                            java-ee-modules (modules): Modules removed from Java 11, visible to all
                              applications after their own libraries: `activation`, `jaxb`, `saaj`,
                              or `jax-ws` with all of these.
                            """);

    /// All of it, but for limits of WARs and for data sources.
    public static final Keys<DeployOptions> DEPLOY =
            Binding.of("the deployment", DeployOptions.defaults())
                    .form("pages", section(PAGES))
                    .form("libraries", folder())
                    .form(
                            "library-scan",
                            section(LIBRARIES).as(LibraryScan::of, LibraryScan::features))
                    .form("users", existing())
                    .form("realms", RealmKeys.REALMS)
                    .form("lock-out", section(LOCK_OUT))
                    .form("sign-on", section(RealmKeys.SIGN_ON))
                    .keys(
                            """
                            error-details: The default error page shows the exception.
                            trace: Whether TRACE is passed to applications, and by routes to
                              members; otherwise it is answered with 405.
                            pages: How JSP pages are run.
                            libraries: Folder of JARs visible to all applications after their own,
                              such as JDBC drivers.
                            library-scan [=all are scanned]: Libraries that are not scanned
                              for web fragments, annotations, tag libraries and
                              `META-INF/resources`. A `JarScanner` of the application, or
                              `catalina.properties`, takes precedence.
                            users [nobody can log in]: File of the users of all applications, as
                              `tomcat-users.xml`; a password is plain text or
                              `{PBKDF2}iterations$salt$hash`.
                            realms: Further sources of users, asked in order after `users`.
                            lock-out: Lock-out: when a name is refused for a while after wrong
                              passwords.
                            sign-on [a login applies to one application]: Single sign-on for
                              the applications of a host. An application with its own realm takes
                              part only with `reauthenticate`.
                            """)
                    .part("auto", AUTO)
                    .part("javax", JAVAX);

    private DeployKeys() {}
}
