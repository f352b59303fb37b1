/// New versions that get a small part of the requests first: which requests, how many when, and
/// when they are taken back. Decisions are pure: they know neither exchanges nor clocks.
@NullMarked
package io.margay.gateway.canary;

import org.jspecify.annotations.NullMarked;
