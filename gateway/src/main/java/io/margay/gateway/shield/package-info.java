/// What keeps crawlers and floods from a host: who search bots are, what clients cost, and what is
/// asked of those who are too much.
@NullMarked
package io.margay.gateway.shield;

import org.jspecify.annotations.NullMarked;
