package io.margay.app.admin;

import java.nio.file.Path;
import java.time.Instant;

/// A certificate of a listener, as its file has it. Immutable.
///
/// @param listener as the counters call it
/// @param subject for whom it was issued
public record CertificateReading(String listener, Path file, String subject, Instant expires) {}
