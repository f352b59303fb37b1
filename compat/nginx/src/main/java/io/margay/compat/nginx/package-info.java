/// Reads the configuration of nginx into hosts, rules, access and upstreams of the gateway.
@NullMarked
package io.margay.compat.nginx;

import org.jspecify.annotations.NullMarked;
