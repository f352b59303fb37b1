package io.margay.app.deploy;

import io.margay.app.config.DeployOptions;
import io.margay.app.config.RealmSettings;
import io.margay.app.config.StartException;
import io.margay.compat.tomcat.application.TomcatApplications;
import io.margay.servlet.deploy.SharedLibraries;
import io.margay.servlet.naming.PoolReading;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.naming.ServerResources;
import io.margay.servlet.realm.CredentialHandler;
import io.margay.servlet.realm.DatabaseRealm;
import io.margay.servlet.realm.DirectoryRealm;
import io.margay.servlet.realm.DirectorySettings;
import io.margay.servlet.security.Realm;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// What applications share: libraries, resources and realms. A reload keeps them, unless something
/// of them has changed. Thread-safe.
public final class SharedResources {
    /// Nothing is shared.
    public static final SharedResources NONE =
            new SharedResources(
                    "", null, ServerResources.none(SharedResources.class.getClassLoader()));

    private static final System.Logger LOG = System.getLogger(SharedResources.class.getName());

    private final Object made;
    private final @Nullable SharedLibraries libraries;
    private final ServerResources resources;
    private final List<Realm> realms = new ArrayList<>();

    private SharedResources(
            Object made, @Nullable SharedLibraries libraries, ServerResources resources) {
        this.made = made;
        this.libraries = libraries;
        this.resources = resources;
    }

    /// What they were made of; equal ones need not be made again.
    private record Key(
            List<String> libraries, Map<String, ?> resources, List<RealmSettings> realms) {}

    /// Those of a configuration: `before`, when they are equal.
    ///
    /// @throws StartException when the folder of libraries cannot be read
    public static SharedResources of(DeployOptions options, SharedResources before) {
        List<Path> jars = jars(options.libraries());
        if (jars.isEmpty() && options.resources().isEmpty() && options.realms().isEmpty()) {
            return NONE;
        }
        Key key =
                new Key(
                        jars.stream().map(SharedResources::stamp).toList(),
                        options.resources(),
                        options.realms());
        if (before.made.equals(key)) {
            return before;
        }
        ClassLoader container = SharedResources.class.getClassLoader();
        SharedLibraries loader = new SharedLibraries(jars, container, new TomcatApplications());
        Map<String, ResourceSpec> specs = new HashMap<>();
        options.resources()
                .forEach((name, settings) -> specs.put(name, new ResourceSpec.Pool(settings)));
        SharedResources shared =
                new SharedResources(
                        key, loader, new ServerResources(specs, List.of(loader, container)));
        options.realms().forEach(settings -> shared.realms.add(shared.realm(settings)));
        return shared;
    }

    private Realm realm(RealmSettings settings) {
        return switch (settings) {
            case RealmSettings.Database(
                            String resource,
                            String passwordQuery,
                            @Nullable String roleQuery) ->
                    new DatabaseRealm(
                            "the realm of " + resource,
                            () -> (DataSource) resources.lookup(resource),
                            passwordQuery,
                            roleQuery,
                            new CredentialHandler.AsInFile());
            case RealmSettings.Directory(DirectorySettings directory) ->
                    new DirectoryRealm("the realm of " + directory.urls(), directory);
        };
    }

    /// The realms of databases and directories, in order.
    List<Realm> realms() {
        return List.copyOf(realms);
    }

    /// Tells whether a folder of libraries has changed.
    static String stamp(DeployOptions options) {
        return String.join(
                " ", jars(options.libraries()).stream().map(SharedResources::stamp).toList());
    }

    private static String stamp(Path jar) {
        return jar + " " + RunningApp.stamp(jar);
    }

    private static List<Path> jars(@Nullable Path folder) {
        List<Path> jars = new ArrayList<>();
        if (folder != null) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.jar")) {
                found.forEach(jars::add);
            } catch (IOException e) {
                throw new StartException(
                        "the shared libraries cannot be read from "
                                + folder
                                + ": "
                                + e.getMessage(),
                        e);
            }
        }
        jars.sort(null);
        return jars;
    }

    /// The class loader behind those of applications.
    public ClassLoader container() {
        return libraries == null ? SharedResources.class.getClassLoader() : libraries;
    }

    ServerResources resources() {
        return resources;
    }

    /// The pools of connections that have been made.
    public List<PoolReading> pools() {
        return resources.pools();
    }

    /// Ends them. No application may use them any more.
    public void close() {
        for (Realm realm : realms) {
            if (realm instanceof DirectoryRealm directory) {
                directory.close();
            }
        }
        resources.close();
        if (libraries != null) {
            try {
                libraries.close();
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "shared libraries were not closed: {0}", e.toString());
            }
        }
    }
}
