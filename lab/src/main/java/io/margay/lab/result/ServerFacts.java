package io.margay.lab.result;

import java.util.List;
import java.util.Map;

/// What a server of a run was. Immutable.
///
/// @param name as on the command line
/// @param versions of the front end and of what stands behind it
/// @param digests SHA-256 of each configuration file, by its path in the run's folder
public record ServerFacts(
        String name, String title, List<String> versions, Map<String, String> digests) {
    public ServerFacts {
        versions = List.copyOf(versions);
    }
}
