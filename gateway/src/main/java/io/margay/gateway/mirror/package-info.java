/// Copies of requests for another upstream, whose answers are measured and thrown away, or compared
/// with what clients get.
@NullMarked
package io.margay.gateway.mirror;

import org.jspecify.annotations.NullMarked;
