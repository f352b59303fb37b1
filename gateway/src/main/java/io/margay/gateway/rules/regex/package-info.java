/// Expressions of a configuration that are searched for in what clients send: within bounds.
@NullMarked
package io.margay.gateway.rules.regex;

import org.jspecify.annotations.NullMarked;
