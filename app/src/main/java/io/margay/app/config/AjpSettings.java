package io.margay.app.config;

import io.margay.server.config.AjpConfig;

/// What makes a listener one for AJP13. Immutable.
///
/// @param secretShown whether the start-up lines may show the secret: it was given on the command
///   line, where every local user reads it anyway
public record AjpSettings(AjpConfig config, boolean secretShown) {}
