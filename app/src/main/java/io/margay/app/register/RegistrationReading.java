package io.margay.app.register;

import org.jspecify.annotations.Nullable;

/// How a registration of this server does. Immutable.
///
/// @param upstream with which it registers
/// @param name as which it does
/// @param at where
/// @param up whether it was taken the last time
/// @param failure why not; null = it was, or was not said yet
public record RegistrationReading(
        String upstream, String name, String at, boolean up, @Nullable String failure) {}
