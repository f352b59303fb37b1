package io.margay.lab.servers;

import io.margay.lab.machine.Tools;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What servers find on this machine. Immutable.
///
/// @param home the checkout or the unpacked distribution of Margay
/// @param before another build of Margay to set beside it, if one was asked for
/// @param webapps the folder of the example applications
/// @param peers where what was fetched is kept
/// @param javaHome the JDK that servers written in Java run on
/// @param javaOptions the same for all of them
/// @param maven fetches peers
/// @param cache the folder of Margay's cache of loaded classes; without one it makes and uses none
@RecordBuilder
public record LabEnvironment(
        Path home,
        Optional<Path> before,
        Path webapps,
        Path peers,
        Path javaHome,
        List<String> javaOptions,
        Tools tools,
        MavenPeers maven,
        Optional<Path> cache) {
    /// The same with another build of Margay beside this one.
    public LabEnvironment with(Path otherBuild) {
        return LabEnvironmentBuilder.builder(this).before(Optional.of(otherBuild)).build();
    }

    /// The same with other options for servers written in Java.
    public LabEnvironment withOptions(List<String> options) {
        return LabEnvironmentBuilder.builder(this).javaOptions(options).build();
    }

    /// The same, where Margay has a cache.
    public LabEnvironment caching(Path folder) {
        return LabEnvironmentBuilder.builder(this).cache(Optional.of(folder)).build();
    }

    /// The Java program.
    public String java() {
        return javaHome.resolve("bin").resolve("java").toString();
    }
}
