/// What an upstream and its peers are, as configured; immutable records.
@NullMarked
package io.margay.gateway.config;

import org.jspecify.annotations.NullMarked;
