/// Traces: requests that were written down by a shadow, an access log or a browser, and are sent
/// again.
@NullMarked
package io.margay.lab.trace;

import org.jspecify.annotations.NullMarked;
