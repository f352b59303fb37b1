package io.margay.app.deploy;

import io.margay.app.config.CatalinaHost;
import io.margay.app.config.HostSettings;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.StartException;
import io.margay.compat.tomcat.application.HostDefaults;
import io.margay.compat.tomcat.server.CatalinaBase;
import io.margay.servlet.naming.ResourceSpec;
import io.margay.servlet.settings.RequestRewriting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What the `CATALINA_BASE`s of a configuration say of its hosts' applications. Immutable.
final class CatalinaHosts {
    private final Map<Path, CatalinaBase> bases = new LinkedHashMap<>();
    private final Map<CatalinaHost, HostDefaults> hosts = new LinkedHashMap<>();

    private final Map<CatalinaHost, RequestRewriting> rewriting = new HashMap<>();

    private CatalinaHosts() {}

    /// Reads them.
    ///
    /// @param served whether the hosts are to be served, not only looked at
    /// @throws StartException when one cannot be read, or would open what was closed if served
    static CatalinaHosts of(MargayConfig config, boolean served) {
        CatalinaHosts all = new CatalinaHosts();
        for (HostSettings host : config.hosts()) {
            CatalinaHost catalina = host.catalina();
            if (catalina == null) {
                continue;
            }
            try {
                CatalinaBase base = all.bases.get(catalina.base());
                if (base == null) {
                    base = CatalinaBase.read(catalina.base(), System.getenv());
                    if (served) {
                        refuse(base);
                    }
                    all.bases.put(catalina.base(), base);
                }
                all.hosts.put(catalina, base.host(catalina.name()));
                // Rules that the account refuses cannot be read.
                RequestRewriting rules =
                        base.plan().isWrong() ? null : base.rewriting(catalina.name());
                if (rules != null) {
                    all.rewriting.put(catalina, rules);
                }
            } catch (IOException e) {
                throw new StartException(catalina.base() + " cannot be read: " + e, e);
            }
        }
        return all;
    }

    private static void refuse(CatalinaBase base) {
        if (base.plan().isWrong()) {
            List<String> lines =
                    base.plan().account().stream()
                            .filter(line -> line.verdict().isRefusal())
                            .map(Object::toString)
                            .toList();
            throw new StartException(String.join("\n", lines));
        }
    }

    /// Those of a host; null = it is of no base.
    @Nullable HostDefaults of(HostSettings host) {
        return host.catalina() == null ? null : hosts.get(host.catalina());
    }

    /// The rules by which requests of a host are rewritten; null = there are none.
    @Nullable RequestRewriting rewriting(HostSettings host) {
        return host.catalina() == null ? null : rewriting.get(host.catalina());
    }

    /// All hosts.
    List<HostDefaults> all() {
        return List.copyOf(hosts.values());
    }

    /// Libraries of all applications.
    List<Path> libraries() {
        List<Path> jars = new ArrayList<>();
        bases.values().forEach(base -> jars.addAll(base.libraries()));
        return jars;
    }

    /// Those of them whose web fragments and annotations count for all applications.
    List<Path> declaringLibraries() {
        List<Path> jars = new ArrayList<>();
        bases.values().forEach(base -> jars.addAll(base.declaringLibraries()));
        return jars;
    }

    /// Whether all bases are of Tomcat 9 or before; null = they do not say, or differ.
    @Nullable Boolean isJavax() throws IOException {
        Set<Boolean> said = new HashSet<>();
        for (CatalinaBase base : bases.values()) {
            said.add(base.isJavax());
        }
        return said.size() == 1 ? said.iterator().next() : null;
    }

    /// Whether all bases are of Tomcat 10.1 or before.
    boolean isBefore11() throws IOException {
        for (CatalinaBase base : bases.values()) {
            if (!base.isBefore11()) {
                return false;
            }
        }
        return true;
    }

    /// Resources of all applications, by name.
    Map<String, ResourceSpec> resources(Consumer<String> told) {
        Map<String, ResourceSpec> specs = new HashMap<>();
        Map<String, Boolean> bySource = new HashMap<>();
        for (HostDefaults host : hosts.values()) {
            if (bySource.put(host.base().toString(), true) == null) {
                specs.putAll(host.resources(told));
            }
        }
        return specs;
    }

    /// Tells whether a file of them has changed.
    String stamp() {
        StringBuilder stamp = new StringBuilder();
        for (Path base : bases.keySet()) {
            for (Path file : CatalinaBase.files(base)) {
                stamp.append(file).append(' ').append(RunningApp.stamp(file)).append(' ');
            }
        }
        return stamp.toString();
    }
}
