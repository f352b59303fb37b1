/// Which peer answers a request, and what state the peers are in.
@NullMarked
package io.margay.gateway.balance;

import org.jspecify.annotations.NullMarked;
