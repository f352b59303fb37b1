/// The seam between protocols below and engines above: one request and its response.
@NullMarked
package io.margay.server.exchange;

import org.jspecify.annotations.NullMarked;
