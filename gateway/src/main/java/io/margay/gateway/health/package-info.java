/// Active checks: peers are tried without a client's request.
@NullMarked
package io.margay.gateway.health;

import org.jspecify.annotations.NullMarked;
