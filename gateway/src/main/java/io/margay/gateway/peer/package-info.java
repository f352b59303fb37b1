/// Connections to peers: pools per loop, and one request at a time on each connection, whichever
/// protocol the peer speaks.
@NullMarked
package io.margay.gateway.peer;

import org.jspecify.annotations.NullMarked;
