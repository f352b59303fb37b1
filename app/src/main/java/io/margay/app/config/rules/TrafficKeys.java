package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Choice;
import io.margay.app.config.binding.Draft;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.file.hosts.HostKeys;
import io.margay.app.yaml.Settings;
import io.margay.gateway.limit.LimiterLimits;
import io.margay.gateway.limit.TrafficRules;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.BandwidthRule.Fixed;
import io.margay.gateway.rules.BandwidthRule.Named;
import io.margay.gateway.rules.BandwidthRule.Speed;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.HostChangesBuilder;
import io.margay.gateway.rules.SizeRule;
import io.margay.gateway.rules.SizeRuleBuilder;
import io.margay.server.exchange.MemoryBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys by which hosts and routes say how large requests may be, and how fast responses are
/// sent.
public final class TrafficKeys {
    public static final String SIZES = "request-sizes";
    public static final String BANDWIDTH = "bandwidth";

    /// A size that nobody sends: nothing is said.
    private static final long UNSAID = Long.MAX_VALUE;

    private static final int COUNT_MAX = 1_000_000_000;
    private static final long RATE_MAX = Long.MAX_VALUE / 1024;

    private static final Keys<Fixed> FIXED =
            Binding.of("a speed", new Fixed(0, 0))
                    .form("rate", bytes(0, RATE_MAX))
                    .form("after", bytes(0, RATE_MAX))
                    .keys(
                            """
                            rate (bytesPerSecond) [required]: Bytes per second; 0 = unlimited.
                            after (afterBytes): With `rate`: bytes sent first without limit.
                            """);

    public static final Choice<Speed> SPEED =
            Choice.<Speed>of("a speed")
                    .or("rate", FIXED)
                    .or(
                            "rate-variable",
                            new Named("-", ""),
                            """
                            rate-variable (rate) <a name> [required]: In place of `rate`: variable
                              with KiB per second, if it is a number above 0.
                            after-variable (after) <a name>: With `rate-variable`: variable with the
                              KiB sent first.
                            """);

    public static final Form<List<SizeRule>> SIZES_OF_HOST =
            listOrOne("sizes", section(size(true)), 0);
    public static final Form<List<SizeRule>> SIZES_OF_ROUTE =
            listOrOne("sizes", section(size(false)), 0);
    public static final Form<List<BandwidthRule>> BANDWIDTHS_OF_HOST =
            listOrOne("bandwidths", section(bandwidth(true)), 0);
    public static final Form<List<BandwidthRule>> BANDWIDTHS_OF_ROUTE =
            listOrOne("bandwidths", section(bandwidth(false)), 0);

    private TrafficKeys() {}

    /// @param ofHost whether it says which paths it is about
    private static Keys<SizeRule> size(boolean ofHost) {
        long any = SizeRule.ANY;
        Binding<SizeRule> keys =
                Binding.of(
                                "an entry of " + SIZES,
                                new SizeRule(PathMatch.ANY, List.of(), UNSAID, any, any, any),
                                TrafficKeys::size)
                        .form(
                                "content-max",
                                bytes(0, UNSAID - 1),
                                rule -> said(rule.contentBytesMax()))
                        .form("target-max", bytes(1, Integer.MAX_VALUE))
                        .form(
                                "fields-max",
                                whole(1, COUNT_MAX).as(Integer::longValue, Long::intValue))
                        .form("field-max", bytes(1, Integer.MAX_VALUE))
                        .keys(
                                """
                                content-max (contentBytesMax) [any]: Bytes of content; beyond it
                                  413.
                                target-max (targetBytesMax) [=any]: Bytes of path and query; beyond
                                  it 414.
                                fields-max [=any]: Number of header fields; beyond it 431.
                                field-max (fieldBytesMax) [=any]: Bytes of one header field; beyond
                                  it 431.
                                """)
                        .refusal("when", "");
        return keys.then(ofHost ? MatchKeys::match : MatchKeys::when);
    }

    private static @Nullable Long said(long size) {
        return size == SizeRule.ANY || size == UNSAID ? null : size;
    }

    private static SizeRule size(Draft<SizeRule> of) {
        return of.build().contentBytesMax() == UNSAID
                ? of.set("contentBytesMax", SizeRule.ANY).build()
                : of.build();
    }

    /// @param ofHost whether it says which paths it is about
    private static Keys<BandwidthRule> bandwidth(boolean ofHost) {
        return Binding.of(
                        "an entry of " + BANDWIDTH,
                        new BandwidthRule(PathMatch.ANY, List.of(), SPEED.defaults()))
                .part("speed", SPEED)
                .form("types", ResponseKeys.MEDIA_TYPES)
                .keys(
                        """
                        types [all]: Media types of responses to limit; one `*` is any characters.
                        group <a name>: Groups are evaluated separately; the slowest rate applies.
                        """)
                .then(ofHost ? MatchKeys::ordered : MatchKeys::when)
                .exactlyOne(SPEED.names());
    }

    /// What a host says with what its routes say: of these, the longest path first, for the first
    /// rule decides.
    public static HostChanges withRoutes(Settings host, HostChanges changes, Reading reading) {
        if (!HostKeys.areIn(host, Set.of(SIZES, BANDWIDTH))) {
            return changes;
        }
        List<SizeRule> sizes = new ArrayList<>(changes.sizes());
        List<BandwidthRule> bandwidths = new ArrayList<>();
        HostKeys.longestFirst(
                host,
                (path, route) -> {
                    PathMatch under = MatchKeys.under(path);
                    read(SIZES_OF_ROUTE, route, SIZES, reading)
                            .forEach(one ->
                                    sizes.add(SizeRuleBuilder.builder(one).match(under).build()));
                    read(BANDWIDTHS_OF_ROUTE, route, BANDWIDTH, reading)
                            .forEach(one -> bandwidths.add(one.at(under)));
                });
        bandwidths.addAll(changes.bandwidth());
        HostChanges all =
                HostChangesBuilder.builder(changes).sizes(sizes).bandwidth(bandwidths).build();
        LimiterLimits limits = LimiterLimits.defaults();
        Optional<Optional<TrafficRules>> _ =
                reading.made(
                        host,
                        host.has(SIZES) ? SIZES : BANDWIDTH,
                        () ->
                                Optional.ofNullable(
                                        TrafficRules.of(
                                                all,
                                                false,
                                                limits,
                                                MemoryBudget.UNBOUNDED,
                                                System::nanoTime)));
        return all;
    }

    private static <V> List<V> read(
            Form<List<V>> form, Settings section, String key, Reading reading) {
        return form.read(section, key, List.of(), reading);
    }
}
