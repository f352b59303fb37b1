/// One application as its requests see it: registrations, sessions, routes, buffers. Knows nothing
/// of requests.
@NullMarked
package io.margay.servlet.engine.application;

import org.jspecify.annotations.NullMarked;
