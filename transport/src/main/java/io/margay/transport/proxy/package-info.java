/// The PROXY protocol: what load balancers send before the bytes of the client.
@NullMarked
package io.margay.transport.proxy;

import org.jspecify.annotations.NullMarked;
