/// A server that registers itself with gateways, as a member of their upstreams.
@NullMarked
package io.margay.app.register;

import org.jspecify.annotations.NullMarked;
