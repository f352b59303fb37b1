package io.margay.lab;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/// How to run presets. Immutable.
///
/// @param presets their names, or those of several
/// @param servers instead of those of the preset; empty for those
/// @param scenarios their ids; empty for all
/// @param before the commit or checkout that Margay is compared with, or empty
/// @param quick a rough answer within two minutes
/// @param minutes for all of it; 0 for no bound
/// @param launches how often the servers are started anew; 0 for the default
/// @param rounds how many rounds at least per start; 0 for the default
/// @param seconds how long a round is; 0 for the default
/// @param warmUp how many seconds a server is warmed up at most; -1 for the default
/// @param cores how many processors the servers have, from the first on
/// @param port the first of the ports to use; 0 for free ones
/// @param out the folder for what was measured; empty for one named after preset and time
/// @param own somebody's own application
/// @param seed of the resampling
/// @param command what was typed
@RecordBuilder
public record LabOptions(
        List<String> presets,
        List<String> servers,
        List<String> scenarios,
        String before,
        boolean quick,
        double minutes,
        int launches,
        int rounds,
        double seconds,
        double warmUp,
        int cores,
        int port,
        String out,
        Own own,
        long seed,
        String command) {
    /// Somebody's own application, for the preset `mine`. Immutable.
    ///
    /// @param app a WAR or unpacked application, or empty
    /// @param against another build of it to set beside it, or empty
    /// @param path what to ask it for
    /// @param expect what its answer must contain, or empty
    /// @param trace a file of requests that are sent in place of the path, or empty
    /// @param speed how many times as fast as they came; 0 = as fast as they are answered
    public record Own(
            String app, String against, String path, String expect, String trace, double speed) {
        /// None.
        static final Own NONE = new Own("", "", "/", "", "", 1);
    }

    /// The seed when none is given.
    public static final long SEED = 20_100_323;

    public LabOptions {
        presets = List.copyOf(presets);
        servers = List.copyOf(servers);
        scenarios = List.copyOf(scenarios);
    }

    /// The same with another bound.
    LabOptions within(double newMinutes) {
        return LabOptionsBuilder.builder(this).minutes(newMinutes).build();
    }

    /// The same with another seed of the resampling.
    LabOptions seeded(long newSeed) {
        return LabOptionsBuilder.builder(this).seed(newSeed).build();
    }
}
