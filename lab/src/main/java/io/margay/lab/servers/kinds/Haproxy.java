package io.margay.lab.servers.kinds;

import io.margay.lab.machine.Tools;
import io.margay.lab.servers.Availability;
import io.margay.lab.servers.Feature;
import io.margay.lab.servers.LabEnvironment;
import io.margay.lab.servers.LabServer;
import io.margay.lab.servers.Setting;
import io.margay.lab.servers.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// HAProxy with one thread in front of another server, with shared connections to it.
///
/// @param http2 whether those speak HTTP/2
record Haproxy(boolean http2) implements LabServer {
    static List<LabServer> variants() {
        return List.of(new Haproxy(false), new Haproxy(true));
    }

    @Override
    public String name() {
        return http2 ? "haproxy:h2" : "haproxy";
    }

    @Override
    public String title() {
        return http2 ? "HAProxy, HTTP/2 behind" : "HAProxy";
    }

    @Override
    public boolean isFront() {
        return true;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.HTTP2);
    }

    @Override
    public Availability availability(LabEnvironment here) {
        return here.tools().find("haproxy").isPresent()
                ? Availability.HERE
                : Availability.missing("apt install haproxy");
    }

    @Override
    public String version(LabEnvironment here) throws IOException {
        return Tools.firstLine(here.tools().get("haproxy").toString(), "-v");
    }

    @Override
    public List<Tier> prepare(Setting setting) throws IOException {
        StringBuilder members = new StringBuilder();
        for (Setting back : setting.backs()) {
            members.append("  server ").append(back.route()).append(" 127.0.0.1:");
            members.append(back.http()).append(http2 ? " proto h2\n" : "\n");
        }
        return List.of(
                tier(
                        setting,
                        """
                        global
                          nbthread 1
                          maxconn 9000
                          no strict-limits
                          tune.ssl.cachesize 0
                        defaults
                          mode http
                          timeout connect 5s
                          timeout client 60s
                          timeout server 60s
                          http-reuse always
                        frontend lab
                          bind 127.0.0.1:%d
                          bind 127.0.0.1:%d ssl crt %s no-tls-tickets alpn h2,http/1.1
                          default_backend backs
                        backend backs
                          balance roundrobin
                        %s\
                        """
                                .formatted(
                                        setting.http(),
                                        setting.https(),
                                        setting.certificate().both(),
                                        members)));
    }

    /// Writes the configuration and says how to start it.
    static Tier tier(Setting setting, String text) throws IOException {
        Path conf = Files.writeString(setting.folder().resolve("haproxy.cfg"), text);
        return new Tier(
                "haproxy",
                List.of(
                        setting.here().tools().get("haproxy").toString(),
                        "-db",
                        "-f",
                        conf.toString()),
                Map.of(),
                List.of(setting.http(), setting.https()));
    }
}
