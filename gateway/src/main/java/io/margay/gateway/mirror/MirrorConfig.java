package io.margay.gateway.mirror;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Which requests of a route are copied to another upstream, and how many at a time. Immutable.
///
/// @param to the upstream that gets the copies
/// @param share percentage of the requests
/// @param methods whose requests are copied, where they have no content
/// @param credentials whether `Cookie` and `Authorization` are copied
/// @param concurrency copies at a time, at most; further requests are not copied
/// @param timeout how long an answer is awaited
/// @param compare how the answers are compared; null = they are thrown away
public record MirrorConfig(
        String to,
        double share,
        List<String> methods,
        boolean credentials,
        int concurrency,
        Duration timeout,
        @Nullable CompareConfig compare) {
    public MirrorConfig {
        methods = List.copyOf(methods);
        if (share < 0 || share > 100) {
            throw new IllegalArgumentException("a share is from 0% to 100%");
        }
    }

    /// All safe requests, without credentials.
    public static MirrorConfig of(String to) {
        return new MirrorConfig(
                to,
                100,
                List.of("GET", "HEAD", "OPTIONS"),
                false,
                100,
                Duration.ofSeconds(10),
                null);
    }
}
