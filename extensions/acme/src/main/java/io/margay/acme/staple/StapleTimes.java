package io.margay.acme.staple;

import io.margay.server.acme.StapleLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// When OCSP responders are asked. Stateless but for its source of chance.
record StapleTimes(StapleLimits limits, RandomGenerator random) {
    private static final double JITTER = 0.2;
    private static final int DOUBLINGS_MAX = 20;

    /// When a response is to be replaced: after half of its life, or a little before.
    Instant refresh(OcspResponse response, Instant now) {
        Duration life = Duration.between(response.from(), response.until());
        Instant half = response.from().plus(earlier(life.dividedBy(2)));
        Instant least = now.plus(limits.refreshMin());
        Instant most = now.plus(limits.refreshMax());
        return half.isBefore(least) ? least : half.isAfter(most) ? most : half;
    }

    /// When it is asked again after a failure.
    ///
    /// @param failures with this one
    Instant retry(int failures, Instant now) {
        Duration doubled =
                limits.retryFirst().multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
        Duration wait = doubled.compareTo(limits.retryMax()) > 0 ? limits.retryMax() : doubled;
        return now.plus(earlier(wait));
    }

    private Duration earlier(Duration time) {
        return time.minusMillis((long) (time.toMillis() * JITTER * random.nextDouble()));
    }
}
