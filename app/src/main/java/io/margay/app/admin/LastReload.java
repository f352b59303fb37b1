package io.margay.app.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How the last reload of the configuration went. Immutable.
///
/// @param failure why nothing was changed; null when the configuration is active
public record LastReload(Instant when, @Nullable String failure) {}
