package io.margay.acme.staple;

import io.margay.acme.Keys;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A certificate with the response that is stapled to it. Immutable.
///
/// @param response the last one; null = there has been none
/// @param next when the responder is to be asked
/// @param failures questions that have failed since the last response
/// @param failure why the last of them has failed, or null
record Stapled(
        OcspQuestion question,
        @Nullable OcspResponse response,
        Instant next,
        int failures,
        @Nullable String failure) {
    /// The certificate's first name.
    String name() {
        return Keys.names(question.certificate()).stream()
                .findFirst()
                .orElseGet(() -> question.certificate().getSubjectX500Principal().getName());
    }
}
