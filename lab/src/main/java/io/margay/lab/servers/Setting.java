package io.margay.lab.servers;

import io.margay.lab.site.Certificate;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;

/// What one server of a run is configured for. Immutable.
///
/// @param folder of its own, empty at first
/// @param webapps what it serves: applications, their files, `heartbeat.php`
/// @param http port for HTTP on 127.0.0.1
/// @param https port for HTTPS
/// @param ajp port for AJP
/// @param secret what AJP front ends send
/// @param route the name that sessions carry behind a balancer
/// @param backs what it hands requests on to; none for a server that is no front end
@RecordBuilder
public record Setting(
        LabEnvironment here,
        Path folder,
        Path webapps,
        int http,
        int https,
        int ajp,
        String secret,
        String route,
        Certificate certificate,
        List<Setting> backs) {
    public Setting {
        backs = List.copyOf(backs);
    }

    /// The same for other applications.
    public Setting serving(Path others) {
        return new Setting(
                here, folder, others, http, https, ajp, secret, route, certificate, backs);
    }

    /// The first back end.
    public Setting back() {
        return backs.getFirst();
    }
}
