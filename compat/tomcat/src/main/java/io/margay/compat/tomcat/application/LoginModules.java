package io.margay.compat.tomcat.application;

import io.margay.servlet.deploy.VendorDescriptor.RealmEnvironment;
import io.margay.servlet.realm.LoginModuleRealm;
import io.margay.servlet.security.Realm;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.NoSuchAlgorithmException;
import java.security.URIParameter;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.Configuration;
import org.jspecify.annotations.Nullable;

/// Makes the realm of a `JAASRealm`, and tells at once what its first login would fail for.
/// Stateless.
final class LoginModules {
    /// The entry that JAAS takes where there is none of the name.
    private static final String OTHER = "other";

    private LoginModules() {}

    /// @param warnings takes what lets nobody in
    static Realm realm(
            RealmAttributes attributes, RealmEnvironment environment, Consumer<String> warnings) {
        String entry = attributes.required("appName");
        Set<String> users = classes(attributes.required("userClassNames"));
        Set<String> roles = classes(attributes.text("roleClassNames", ""));
        String file = attributes.text("configFile");
        boolean ofThread = attributes.flag("useContextClassLoader", true);
        attributes.ignore("X509UsernameRetrieverClassName");
        ClassLoader own = environment.loader();
        ClassLoader modules =
                ofThread || environment.shared()
                        ? own
                        : Objects.requireNonNullElse(own.getParent(), own);
        Configuration found = file == null ? ofJvm() : ofFile(file, modules);
        String wrong = fault(entry, file, found, modules);
        // What a shared realm finds in no library may be in the application that asks.
        if (wrong != null && !(environment.shared() && ofThread)) {
            warnings.accept(
                    attributes.place() + ": <Realm>: " + wrong + "; nobody can log in through it");
        }
        LoginModuleRealm.Source configuration =
                found == null && file != null
                        ? () -> ofFile(file, Thread.currentThread().getContextClassLoader())
                        : file == null ? LoginModules::ofJvm : () -> found;
        return new LoginModuleRealm(
                "the realm at " + attributes.place(),
                new LoginModuleRealm.Settings(
                        entry, configuration, ofThread ? null : modules, users, roles));
    }

    /// What every login fails for, as far as it can be told without one; null = nothing.
    private static @Nullable String fault(
            String entry,
            @Nullable String file,
            @Nullable Configuration configuration,
            ClassLoader modules) {
        if (configuration == null) {
            return file == null
                    ? "the JVM has no configuration of JAAS"
                    : "configFile=\"" + file + "\" is not on the class path, or cannot be read";
        }
        AppConfigurationEntry[] entries = configuration.getAppConfigurationEntry(entry);
        if (entries == null) {
            entries = configuration.getAppConfigurationEntry(OTHER);
        }
        if (entries == null || entries.length == 0) {
            return "appName=\""
                    + entry
                    + "\" is not an entry of "
                    + (file == null
                            ? "the JVM's configuration of JAAS"
                                    + " (-Djava.security.auth.login.config=FILE)"
                            : file);
        }
        for (AppConfigurationEntry one : entries) {
            String name = one.getLoginModuleName();
            try {
                Class<?> _ = Class.forName(name, false, modules);
            } catch (ClassNotFoundException | LinkageError e) {
                return "the login module " + name + " cannot be loaded";
            }
        }
        return null;
    }

    private static Set<String> classes(String list) {
        return Arrays.stream(list.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toSet());
    }

    private static @Nullable Configuration ofJvm() {
        try {
            return Configuration.getConfiguration();
        } catch (SecurityException e) {
            return null;
        }
    }

    private static @Nullable Configuration ofFile(String name, ClassLoader loader) {
        try {
            URL url = loader.getResource(name);
            return url == null
                    ? null
                    : Configuration.getInstance("JavaLoginConfig", new URIParameter(url.toURI()));
        } catch (NoSuchAlgorithmException | URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }
}
