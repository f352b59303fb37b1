package io.margay.server.acme;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How it stands about the OCSP response for a certificate. Immutable.
///
/// @param certificate its first name
/// @param until when the response that is stapled ends; null = there is none
/// @param failures questions that have failed since the last response
/// @param failure why the last of them has failed, or null
public record StapleReading(
        String certificate, @Nullable Instant until, int failures, @Nullable String failure) {}
