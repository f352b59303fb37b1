/// What is remembered of attempts to have requests answered: how many were retries, on which
/// requests peers have died, how long answers took. It knows neither upstreams nor peers.
@NullMarked
package io.margay.gateway.attempt;

import org.jspecify.annotations.NullMarked;
