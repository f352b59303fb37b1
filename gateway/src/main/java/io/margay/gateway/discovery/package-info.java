/// Members of upstreams that come and go by themselves: what their sources say, and how it becomes
/// the set of an upstream's peers.
@NullMarked
package io.margay.gateway.discovery;

import org.jspecify.annotations.NullMarked;
