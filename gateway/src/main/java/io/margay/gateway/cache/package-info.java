/// The response cache of a host: what is kept, who gets it, and how it is fetched once for many.
@NullMarked
package io.margay.gateway.cache;

import org.jspecify.annotations.NullMarked;
