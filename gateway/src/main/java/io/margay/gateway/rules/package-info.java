/// Ordered rules that lead a request to an upstream, a redirection, a refusal or past the gateway.
@NullMarked
package io.margay.gateway.rules;

import org.jspecify.annotations.NullMarked;
