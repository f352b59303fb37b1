package io.margay.app.config.file.hosts;

import io.margay.app.config.Endpoint;
import io.margay.app.config.HostPlace;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Complains of addresses and host names that stand twice in a file. Used by one thread.
public final class RepeatedNames {
    private final List<Problem> problems;
    private final Map<String, Integer> seen = new HashMap<>();

    public RepeatedNames(List<Problem> problems) {
        this.problems = problems;
    }

    /// Looks at a file.
    ///
    /// @param hosts whether at hosts, too, whose names a configuration does not take twice
    public void check(Settings root, boolean hosts) {
        for (Settings listener : root.list("listeners", Settings.class)) {
            String key = listener.has("https") ? "https" : listener.has("ajp") ? "ajp" : "http";
            listener.get(key, Endpoint.class)
                    .filter(endpoint -> endpoint.port() != 0 || endpoint.socket() != null)
                    .ifPresent(at -> once(listener, key, "the address " + at));
        }
        for (Settings host : hosts ? root.list("hosts", Settings.class) : List.<Settings>of()) {
            List<HostPlace> places = host.list("at", HostPlace.class);
            if (places.isEmpty()) {
                check(host, "");
            }
            places.forEach(place -> check(host, " at " + place));
        }
    }

    private void check(Settings host, String at) {
        String name = host.text("name").orElse(null);
        if (name != null) {
            once(host, "name", "the host " + name + at);
        } else if (!host.has("aliases")) {
            once(host, "name", "a host without name" + at);
        }
        for (String alias : host.list("aliases", String.class)) {
            once(host, "aliases", "the host " + alias + at);
        }
    }

    /// Complains where something was named before.
    public void once(Settings section, String key, String what) {
        Integer line = seen.putIfAbsent(what, section.position(key).line());
        if (line != null) {
            String text = what + " is in line " + line + " already";
            problems.add(new Problem(section.position(key), text));
        }
    }
}
