package io.margay.gateway.limit;

import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.SizeRule;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.OrderedRules;
import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// How large the requests of a host may be, and how fast its responses are sent. Thread-safe.
public final class TrafficRules {
    private static final int CONTENT_TOO_LARGE = 413;
    private static final int URI_TOO_LONG = 414;
    private static final int FIELDS_TOO_LARGE = 431;
    private static final long KIB = 1024;

    private final List<Size> sizes;
    private final OrderedRules<BandwidthRule> bandwidths;

    /// Whether files of folders may say how fast what lies there is sent.
    private final boolean ofFolders;

    private final LimiterLimits limits;
    private final MemoryBudget memory;
    private final LongSupplier nanos;
    private final LongAdder refused = new LongAdder();
    private final LongAdder paced = new LongAdder();

    /// @param test null = all
    private record Size(@Nullable RequestTest test, SizeRule rule) {}

    private TrafficRules(
            List<Size> sizes,
            OrderedRules<BandwidthRule> bandwidths,
            boolean ofFolders,
            LimiterLimits limits,
            MemoryBudget memory,
            LongSupplier nanos) {
        this.sizes = sizes;
        this.bandwidths = bandwidths;
        this.ofFolders = ofFolders;
        this.limits = limits;
        this.memory = memory;
        this.nanos = nanos;
    }

    /// By which name metrics tell of requests that were too large.
    public static final String SIZES = "request-sizes";

    /// By which name metrics tell of responses that were sent more slowly.
    public static final String BANDWIDTH = "bandwidth";

    /// Compiles.
    ///
    /// @param ofFolders whether files of folders may say how fast what lies there is sent
    /// @param memory for responses that are held
    /// @return null when there are none
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static @Nullable TrafficRules of(
            HostChanges changes,
            boolean ofFolders,
            LimiterLimits limits,
            MemoryBudget memory,
            LongSupplier nanos) {
        if (changes.sizes().isEmpty() && changes.bandwidth().isEmpty() && !ofFolders) {
            return null;
        }
        List<Size> sizes = new ArrayList<>();
        for (SizeRule rule : changes.sizes()) {
            sizes.add(new Size(test(rule.match(), rule.when(), changes), rule));
        }
        return new TrafficRules(
                List.copyOf(sizes),
                OrderedRules.bandwidths(changes, RuleLimits.defaults()),
                ofFolders,
                limits,
                memory,
                nanos);
    }

    private static @Nullable RequestTest test(
            PathMatch match, List<Condition> when, HostChanges changes) {
        return match.equals(PathMatch.ANY) && when.isEmpty()
                ? null
                : RequestTest.of(match, when, changes, RuleLimits.defaults());
    }

    private static boolean isAbout(@Nullable RequestTest test, Exchange exchange) {
        return test == null || test.holds(exchange);
    }

    /// What the rules have done so far.
    public List<LimitReading> read() {
        List<LimitReading> read = new ArrayList<>();
        if (!sizes.isEmpty()) {
            read.add(new LimitReading(SIZES, 0, 0, refused.sum(), 0));
        }
        if (!bandwidths.isEmpty() || paced.sum() > 0) {
            read.add(new LimitReading(BANDWIDTH, 0, paced.sum(), 0, 0));
        }
        return read;
    }

    /// Whether it limits how large requests are.
    public boolean limitsSizes() {
        return !sizes.isEmpty();
    }

    /// Looks at the head of a request.
    ///
    /// @return false when it is too large; then it has been answered
    public boolean admits(Exchange exchange) throws IOException {
        for (Size one : sizes) {
            int status = isAbout(one.test, exchange) ? status(exchange, one.rule) : 0;
            if (status != 0) {
                refused.increment();
                StatusResponse.plain(exchange, status);
                return false;
            }
        }
        return true;
    }

    private static int status(Exchange exchange, SizeRule rule) {
        if (isOver(exchange.request().target().raw().length(), rule.targetBytesMax())) {
            return URI_TOO_LONG;
        }
        Fields fields = exchange.request().fields();
        if (isOver(fields.size(), rule.fieldsMax())) {
            return FIELDS_TOO_LARGE;
        }
        if (rule.fieldBytesMax() != SizeRule.ANY) {
            for (int i = 0; i < fields.size(); i++) {
                if (isOver(
                        fields.name(i).length() + fields.value(i).length(), rule.fieldBytesMax())) {
                    return FIELDS_TOO_LARGE;
                }
            }
        }
        String length =
                rule.contentBytesMax() == SizeRule.ANY ? null : fields.get("Content-Length");
        return length != null && isOver(number(length, Long.MAX_VALUE), rule.contentBytesMax())
                ? CONTENT_TOO_LARGE
                : 0;
    }

    private static boolean isOver(long size, long max) {
        return max != SizeRule.ANY && size > max;
    }

    private static long number(String text, long otherwise) {
        return text.matches("[0-9]{1,18}") ? Long.parseLong(text) : otherwise;
    }

    /// The exchange that is to be answered: the client's own, or one whose content is counted.
    public DialingExchange apply(DialingExchange exchange) {
        DialingExchange bounded = exchange;
        long most = exchange.inputEnded() ? SizeRule.ANY : contentBytesMax(exchange);
        if (most != SizeRule.ANY) {
            bounded = new BoundedContent(exchange, most, refused::increment);
        }
        List<BandwidthRule> about = exchange.request().isHead() ? List.of() : bandwidths(exchange);
        if (about.isEmpty()) {
            return bounded;
        }
        if (about.stream().anyMatch(rule -> !rule.types().isEmpty())) {
            return new PacedExchange(
                    bounded, type -> pace(exchange, about, type), limits, memory, nanos);
        }
        Pace pace = pace(exchange, about, null);
        return pace == null ? bounded : new PacedExchange(bounded, pace, limits, memory, nanos);
    }

    /// One whose content is counted, as its notes say.
    public static DialingExchange bounded(DialingExchange exchange) {
        long most = exchange.contentBytesMax();
        return most < 0 || exchange.inputEnded()
                ? exchange
                : new BoundedContent(exchange, most, () -> {});
    }

    /// Of content whose length was not told.
    private long contentBytesMax(Exchange exchange) {
        long least = SizeRule.ANY;
        if (exchange.request().fields().contains("Content-Length")) {
            return least;
        }
        for (Size one : sizes) {
            long max = one.rule.contentBytesMax();
            if (max != SizeRule.ANY && isAbout(one.test, exchange)) {
                least = least == SizeRule.ANY ? max : Math.min(least, max);
            }
        }
        return least;
    }

    /// Those that are said last come first.
    private List<BandwidthRule> bandwidths(Exchange exchange) {
        boolean inFolder = ofFolders && exchange.notes().rules() instanceof HostExchangeRules;
        if (bandwidths.isEmpty() && !inFolder) {
            return List.of();
        }
        List<BandwidthRule> about = new ArrayList<>();
        if (ofFolders && exchange.notes().rules() instanceof HostExchangeRules rules) {
            rules.bandwidths(exchange, bandwidths, about);
        } else {
            bandwidths.about(exchange, about);
        }
        return about;
    }

    /// How fast a response of a type is sent: as the slowest of what the groups say; null = as fast
    /// as can be.
    private @Nullable Pace pace(
            Exchange exchange, List<BandwidthRule> about, @Nullable String type) {
        BandwidthRule.Fixed slowest = null;
        Set<String> decided = new HashSet<>();
        for (BandwidthRule rule : about) {
            if (rule.takes(type) && decided.add(rule.group())) {
                BandwidthRule.Fixed speed = speed(exchange, rule.speed());
                slowest = speed != null && isSlower(speed, slowest) ? speed : slowest;
            }
        }
        if (slowest == null) {
            return null;
        }
        paced.increment();
        return new Pace(slowest.bytesPerSecond(), slowest.afterBytes(), nanos.getAsLong());
    }

    private static boolean isSlower(BandwidthRule.Fixed one, BandwidthRule.@Nullable Fixed other) {
        return other == null
                || one.bytesPerSecond() < other.bytesPerSecond()
                || (one.bytesPerSecond() == other.bytesPerSecond()
                        && one.afterBytes() < other.afterBytes());
    }

    /// In numbers; null = as fast as can be.
    private static BandwidthRule.@Nullable Fixed speed(
            Exchange exchange, BandwidthRule.Speed said) {
        return switch (said) {
            case BandwidthRule.Fixed fixed -> fixed.bytesPerSecond() == 0 ? null : fixed;
            case BandwidthRule.Named(String rate, String after) -> {
                long kib = variable(exchange, rate);
                yield kib < 1
                        ? null
                        : new BandwidthRule.Fixed(kib * KIB, variable(exchange, after) * KIB);
            }
        };
    }

    private static long variable(Exchange exchange, String name) {
        String text = exchange.notes().variable(exchange, "ENV:" + name);
        return Math.min(number(text, 0), Long.MAX_VALUE / KIB / KIB);
    }
}
