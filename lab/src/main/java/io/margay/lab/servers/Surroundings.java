package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import java.nio.file.Path;
import java.util.List;

/// What servers find on this machine. Immutable.
///
/// @param home the checkout or the unpacked distribution of Margay
/// @param webapps the folder of the example applications
/// @param peers where what was fetched is kept
/// @param javaHome the JDK that servers written in Java run on
/// @param javaOptions the same for all of them
/// @param maven fetches peers
public record Surroundings(
        Path home,
        Path webapps,
        Path peers,
        Path javaHome,
        List<String> javaOptions,
        Tools tools,
        MavenPeers maven) {
    /// The Java program.
    String java() {
        return javaHome.resolve("bin").resolve("java").toString();
    }
}
