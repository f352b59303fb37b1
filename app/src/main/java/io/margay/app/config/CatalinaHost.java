package io.margay.app.config;

import java.nio.file.Path;

/// A host of a `CATALINA_BASE`, whose valves, realms, resources and contexts hold for the
/// applications of a host of ours. Immutable.
///
/// @param base the folder with `conf/server.xml`
/// @param name of the host in that file, in lower case
public record CatalinaHost(Path base, String name) {}
