package io.margay.app.console;

import java.util.List;

/// Where a host's requests go. Immutable.
///
/// @param name its first name; `*` = any
/// @param stages that its requests pass, in their order; none = it has routes alone
public record HostMap(String name, List<String> stages, List<Target> targets) {
    public HostMap {
        stages = List.copyOf(stages);
        targets = List.copyOf(targets);
    }

    /// What answers a part of it.
    ///
    /// @param path its pattern
    /// @param kind `application`, `files`, `upstream` or `page`
    /// @param to the application's path, the folder, the name of the upstream or of the page
    public record Target(String path, String kind, String to) {}
}
