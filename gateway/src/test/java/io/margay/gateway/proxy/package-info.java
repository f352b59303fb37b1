/// Tests of the way between client and peer.
@NullMarked
package io.margay.gateway.proxy;

import org.jspecify.annotations.NullMarked;
