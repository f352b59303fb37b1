package io.margay.app.site;

import io.margay.app.config.HostSettings;
import io.margay.app.config.PathSettings;
import io.margay.app.deploy.AppVersions;
import io.margay.app.deploy.RunningApp;
import io.margay.gateway.cache.CachedHandlers;
import io.margay.gateway.cache.HostCache;
import io.margay.gateway.limit.TrafficRules;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.compiled.ClientAddresses;
import io.margay.gateway.shield.Shield;
import io.margay.gateway.substitute.Substitutions;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.Handler;
import io.margay.server.files.StaticFiles;
import io.margay.server.host.Routes;
import io.margay.server.host.Stage;
import io.margay.server.host.Stage.Outcome;
import io.margay.servlet.settings.RequestRewriting;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the stages of one host are made of. Immutable.
///
/// @param handlers of its routes, by their paths with `/*`
/// @param rules what answers before the routes, or keeps requests from them; null = nothing
/// @param changes what it changes in all that passes it; null = nothing
/// @param compressor null where nothing is compressed
/// @param rewritingRules Tomcat's rules for the host; null = none
@RecordBuilder
record HostParts(
        HostSettings settings,
        Routes routes,
        Map<String, Handler> handlers,
        @Nullable RuleFront rules,
        @Nullable ExchangeRules changes,
        HostLimiters.Made made,
        List<HostLog> hostLogs,
        @Nullable Compressor compressor,
        @Nullable RequestRewriting rewritingRules) {

    /// Whether it has routes alone, as most hosts of thousands: none of its other stages is made.
    boolean isPlain() {
        return rules == null
                && changes == null
                && rewritingRules == null
                && hostLogs.isEmpty()
                && made.isNothing()
                && settings.changes().isNothing()
                && !settings.sight().serverTiming()
                && settings.paths().equals(PathSettings.STRICT)
                && !settings.compresses()
                && appRewriting() == null;
    }

    /// The folders and files that it serves.
    List<StaticFiles> files() {
        List<StaticFiles> files = new ArrayList<>(1);
        for (Handler handler : handlers.values()) {
            if (handler instanceof StaticFiles one) {
                files.add(one);
            }
        }
        return List.copyOf(files);
    }

    @Nullable Stage timing() {
        return settings.sight().serverTiming()
                ? Stage.noting(exchange -> exchange.notes().timed())
                : null;
    }

    @Nullable Stage paths() {
        return HostPaths.of(settings, routes, handlers);
    }

    @Nullable Stage client() {
        ClientAddress from = settings.changes().client();
        return from == null ? null : Stage.noting(ClientAddresses.of(from)::note);
    }

    @Nullable Stage exchangeRules() {
        ExchangeRules all = changes;
        return all == null ? null : Stage.noting(exchange -> exchange.notes().rules(all));
    }

    /// Only logs that ask something of applications are told of a request before its end.
    @Nullable Stage logs() {
        List<HostLog> asking = hostLogs.stream().filter(HostLog::asks).toList();
        return asking.isEmpty()
                ? null
                : Stage.noting(exchange -> asking.forEach(log -> log.note(exchange)));
    }

    @Nullable Stage sizes() {
        TrafficRules traffic = made.traffic();
        return traffic == null || !traffic.limitsSizes() ? null : Stage.guard(traffic::admits);
    }

    @Nullable Stage shield() {
        Shield shield = made.shield();
        return shield == null ? null : standingIn(Stage.guard(shield::admits));
    }

    @Nullable Stage limits() {
        return made.requests() == null ? null : standingIn(made.requests().beforeUsers());
    }

    @Nullable Stage placeLimits() {
        Stage asked = made.requests() == null ? null : made.requests().ofPlaces();
        RuleFront front = rules;
        return asked == null || front == null
                ? null
                : standingIn((exchange, passage) -> {
                    front.askRules(exchange);
                    return asked.enter(exchange, passage);
                });
    }

    /// What refuses requests, where the cache may stand in for a refusal.
    private @Nullable Stage standingIn(@Nullable Stage refusing) {
        HostCache cache = made.cache();
        return refusing == null || cache == null || !cache.standsIn()
                ? refusing
                : (exchange, passage) -> {
                    exchange.notes().put(ExchangeNotes.STANDBY, cache);
                    return refusing.enter(exchange, passage);
                };
    }

    @Nullable Stage userLimits() {
        return made.requests() == null ? null : made.requests().ofUsers();
    }

    @Nullable Stage rewriting() {
        return rewritingRules == null ? null : new HostRewriting(rewritingRules, routes);
    }

    @Nullable Stage access() {
        return rules == null ? null : rules.stage(routes);
    }

    Stage routing() {
        return (exchange, passage) -> {
            if (passage.handler() == null) {
                passage.answerBy(AppVersions.chosen(routes.select(exchange), exchange));
            }
            return Outcome.PASSES;
        };
    }

    @Nullable Stage appRewriting() {
        boolean some =
                hasApplications()
                        && RunningApp.among(handlers.values())
                                .anyMatch(app -> app.deployment().rewriting() != null);
        return some ? HostRewriting::ofApplication : null;
    }

    private boolean hasApplications() {
        for (Handler handler : handlers.values()) {
            if (handler instanceof RunningApp || handler instanceof AppVersions) {
                return true;
            }
        }
        return false;
    }

    @Nullable Stage content() {
        return rules == null ? null : Stage.around((exchange, _) -> TrafficRules.bounded(exchange));
    }

    @Nullable Stage pacing() {
        TrafficRules traffic = made.traffic();
        return traffic == null ? null : Stage.around((exchange, _) -> traffic.apply(exchange));
    }

    @Nullable Stage cost() {
        Shield shield = made.shield();
        return shield == null ? null : Stage.around((exchange, _) -> shield.apply(exchange));
    }

    @Nullable Stage cache() {
        HostCache cache = made.cache();
        return cache == null
                ? null
                : cache.stage(new Cached(handlers, compressing(), made.substitutions()));
    }

    /// What the cache is told of the handlers.
    ///
    /// @param compressing null = nothing is compressed
    /// @param substitutions null = nothing is replaced
    private record Cached(
            Set<Handler> of,
            @Nullable Compressing compressing,
            @Nullable Substitutions substitutions)
            implements CachedHandlers {
        Cached(
                Map<String, Handler> handlers,
                @Nullable Compressing compressing,
                @Nullable Substitutions substitutions) {
            this(Set.copyOf(handlers.values()), compressing, substitutions);
        }

        @Override
        public @Nullable String key(Handler handler) {
            return switch (handler) {
                case StaticFiles _ -> null;
                case RunningApp app -> app.name().toString();
                case RuleFront.Forwarded forwarded -> forwarded.target();
                default -> of.contains(handler) ? "" : null;
            };
        }

        @Override
        public void begin(Handler handler, DialingExchange exchange) throws IOException {
            Exchange answered =
                    compressing == null ? exchange : compressing.apply(exchange, handler);
            if (substitutions != null && answered instanceof DialingExchange dialing) {
                answered = substitutions.apply(dialing);
            }
            if (handler instanceof RunningApp app) {
                app.begin();
                exchange.onEnd(app);
                app.handler().handle(answered);
            } else {
                handler.handle(answered);
            }
        }
    }

    private record Compressing(Compressor by, HostCompression how) {
        Exchange apply(DialingExchange exchange, @Nullable Handler handler) {
            return how.apply(exchange, handler, by);
        }
    }

    private @Nullable Compressing compressing() {
        Compressor by = compressor;
        HostCompression how = HostCompression.of(settings, handlers);
        return by == null || how == null ? null : new Compressing(by, how);
    }

    @Nullable Stage compression() {
        Compressing compressing = compressing();
        return compressing == null
                ? null
                : Stage.around(
                        (exchange, passage) -> compressing.apply(exchange, passage.handler()));
    }

    @Nullable Stage substitution() {
        Substitutions substitutions = made.substitutions();
        return substitutions == null
                ? null
                : Stage.around((exchange, _) -> substitutions.apply(exchange));
    }
}
