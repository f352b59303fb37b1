package io.margay.lab.servers;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/// A kind of server that the lab can run: the one interface that a new one implements. Immutable.
///
/// `Catalog` lists them. The lab chooses ports and folder, calls [#prepare], starts what it names,
/// waits until its port answers, and ends it with SIGTERM.
public interface LabServer {
    /// How it is called on the command line: `kind` or `kind:variant`.
    String name();

    /// How it is called in reports.
    String title();

    Set<Feature> features();

    /// Whether it only hands requests on, so that it needs a back end, as in `nginx/tomcat:nio`.
    default boolean isFront() {
        return false;
    }

    /// Whether it can run here.
    Availability availability(LabEnvironment here);

    /// Fetches what is needed from Maven Central, and makes what starts need; does nothing the
    /// second time.
    default void fetch(LabEnvironment here) throws IOException {}

    /// One line that names the version.
    String version(LabEnvironment here) throws IOException;

    /// Writes the configuration into the folder of the setting.
    ///
    /// @return the processes to start, in this order
    List<Tier> prepare(Setting setting) throws IOException;
}
