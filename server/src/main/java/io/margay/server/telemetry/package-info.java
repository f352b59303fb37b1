/// Telling others of exchanges: what a module does that is found as a service.
@NullMarked
package io.margay.server.telemetry;

import org.jspecify.annotations.NullMarked;
