/// A cluster of gateways and containers in virtual time: registration, leases and drain.
@NullMarked
package io.margay.gateway.simulation;

import org.jspecify.annotations.NullMarked;
