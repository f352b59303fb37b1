/// What sections make of files: they are sent, are programs whose source stays hidden, or are run
/// by an upstream.
@NullMarked
package io.margay.gateway.access.handler;

import org.jspecify.annotations.NullMarked;
