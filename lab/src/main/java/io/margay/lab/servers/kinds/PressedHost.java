package io.margay.lab.servers.kinds;

import io.margay.lab.servers.Feature;
import io.margay.lab.servers.Setting;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Margay with the example applications, and a folder of files beside them that is served without
/// the container. In no list: it is no peer of another server.
///
/// @param dispatch on which thread servlets run
public record PressedHost(String transport, String dispatch) implements ThisMargay {
    /// Where the files are.
    public static final String FILES = "/files";

    @Override
    public String name() {
        return "margay:" + transport + "-" + dispatch;
    }

    @Override
    public String title() {
        return "Margay, " + transport + ", " + dispatch;
    }

    @Override
    public Set<Feature> features() {
        return EnumSet.of(Feature.HTTP, Feature.SERVLET, Feature.FILES);
    }

    @Override
    public List<Integer> ports(Setting setting) {
        return List.of(setting.http());
    }

    @Override
    public String configuration(Setting setting) {
        return """
        listeners:
          - http: 127.0.0.1:%d
            transport: %s
        workers: {dispatch: %s}
        hosts:
          - webapps: %s
            routes: {%s: {files: %s}}
        work: %s
        """
                .formatted(
                        setting.http(),
                        transport,
                        dispatch,
                        setting.webapps(),
                        FILES,
                        setting.webapps().resolve("pages"),
                        setting.folder().resolve("work"));
    }
}
