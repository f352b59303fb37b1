package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Feature;
import io.margay.lab.servers.Setting;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Margay with the files of one host and nothing else, for connections that are held; it closes
/// none of them for being idle. In no list: it is no peer of another server.
///
/// @param tls `openssl` or `jsse`
public record HostFiles(String transport, String tls) implements ThisMargay {
    @Override
    public String name() {
        return "margay:" + transport + "-" + tls;
    }

    @Override
    public String title() {
        return "Margay, " + transport + ", " + tls;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.HTTPS, Feature.FILES);
    }

    @Override
    public List<Integer> ports(Setting setting) {
        return List.of(setting.http(), setting.https());
    }

    @Override
    public String configuration(Setting setting) {
        return """
        listeners:
          - http: 127.0.0.1:%d
            transport: %s
          - https: 127.0.0.1:%d
            transport: %s
            tls: %s
            certificates: [{cert: %s, key: %s}]
        limits: {connection: {idle-timeout: 10m}}
        hosts:
          - routes: {/*: {files: %s}}
        work: %s
        """
                .formatted(
                        setting.http(),
                        transport,
                        setting.https(),
                        transport,
                        tls,
                        setting.certificate().pem(),
                        setting.certificate().key(),
                        setting.webapps(),
                        setting.folder().resolve("work"));
    }
}
