package io.margay.compat.tomcat.client;

import io.margay.compat.tomcat.filter.InitParams;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Refuses clients that ask more often than they may within a stretch of time. Written by the
/// starting thread, then immutable but for its counts.
///
/// A client is an IPv4 address or an IPv6 network of 64 bits, which is what one subscriber has.
public final class RateLimitFilter implements Filter {
    /// Where the count of the client's requests stands for the application.
    static final String COUNT = "org.apache.catalina.filters.RateLimitFilter.Count";

    /// Clients counted apart; some 20 MB.
    private static final int CLIENTS_MAX = 100_000;

    private static final int IPV6_NETWORK_BYTES = 8;
    private static final Set<String> LIMITERS =
            Set.of(
                    "org.apache.catalina.util.FastRateLimiter",
                    "org.apache.catalina.util.ExactRateLimiter");

    private final LongSupplier nanoClock;
    private @Nullable RequestCounts counts;
    private int requestsMax;
    private long seconds;
    private int status;
    private boolean enforce;
    private boolean expose;

    public RateLimitFilter() {
        this(System::nanoTime);
    }

    RateLimitFilter(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    @Override
    public void init(FilterConfig config) throws ServletException {
        InitParams params = InitParams.of(config);
        seconds = params.number("bucketDuration", 60, 1, TimeUnit.DAYS.toSeconds(366));
        requestsMax = (int) params.number("bucketRequests", 300, 1, Integer.MAX_VALUE);
        enforce = params.flag("enforce", true);
        expose = params.flag("exposeHeaders", false);
        status = (int) params.number("statusCode", 429, 400, 599);
        params.text("statusMessage", "");
        params.text("policyName", "");
        String limiter = params.optional("rateLimitClassName");
        if (limiter != null && !LIMITERS.contains(limiter)) {
            throw params.wrong("rateLimitClassName", "there are " + String.join(", ", LIMITERS));
        }
        params.refuseUnknown();
        counts = new RequestCounts(TimeUnit.SECONDS.toNanos(seconds), CLIENTS_MAX, nanoClock);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (counts == null) {
            throw new IllegalStateException("the filter has not been initialised");
        }
        int count = counts.add(clientOf(request.getRemoteAddr()));
        request.setAttribute(COUNT, count);
        HttpServletResponse answer = (HttpServletResponse) response;
        if (expose) {
            long left = TimeUnit.NANOSECONDS.toSeconds(counts.remainingNanos()) + 1;
            answer.addHeader("RateLimit-Policy", "\"default\";q=" + requestsMax + ";w=" + seconds);
            answer.addHeader(
                    "RateLimit",
                    "\"default\";r=" + Math.max(0, requestsMax - count) + ";t=" + left);
        }
        if (enforce && count > requestsMax) {
            answer.sendError(status);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static String clientOf(@Nullable String address) {
        String known = address == null ? "" : AddressList.withoutZone(address);
        byte[] bytes = AddressBlock.literal(known);
        boolean long6 = bytes != null && bytes.length > IPV6_NETWORK_BYTES;
        return long6 ? HexFormat.of().formatHex(Arrays.copyOf(bytes, IPV6_NETWORK_BYTES)) : known;
    }
}
