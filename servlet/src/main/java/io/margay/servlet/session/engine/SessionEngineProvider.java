package io.margay.servlet.session.engine;

import java.util.Set;

/// Opens engines of one kind. A service: implementations are found by `java.util.ServiceLoader`,
/// are loaded only when the configuration names them, and need a public constructor without
/// parameters.
///
/// The thread that starts the server calls [#open] once; the engine that it answers is closed when
/// the server has stopped.
public interface SessionEngineProvider {
    /// The words of `sessions: {store: …}` that mean this provider.
    Set<String> names();

    /// Opens an engine, without waiting for the other side, which may not be there yet.
    ///
    /// @throws IllegalArgumentException when the settings make no sense, with a message for whoever
    ///   wrote them
    SessionEngine open(EngineSettings settings);
}
