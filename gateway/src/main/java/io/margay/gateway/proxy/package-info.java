/// Where a request goes, and how it is changed on the way.
@NullMarked
package io.margay.gateway.proxy;

import org.jspecify.annotations.NullMarked;
