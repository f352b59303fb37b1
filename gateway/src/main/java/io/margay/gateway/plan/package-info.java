/// What the configuration of another front end amounts to, whichever it is.
@NullMarked
package io.margay.gateway.plan;

import org.jspecify.annotations.NullMarked;
