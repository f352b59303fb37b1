package io.margay.app.config.file;

import io.margay.app.config.binding.Reading;
import io.margay.app.config.rules.CacheKeys;
import io.margay.app.config.rules.TrafficKeys;
import io.margay.app.yaml.Position;
import io.margay.app.yaml.Settings;
import io.margay.gateway.rules.ExpressionPlaces;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.HostChangesBuilder;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// What a host changes in requests and responses, by all of its keys. Stateless.
final class HostChangeRules {
    /// The keys at which a problem of them all is shown, the first that is given.
    private static final List<String> SHOWN_AT =
            List.of("variables", "response-headers", "request-headers", "compression", "expires");

    /// The keys whose values are expressions, wherever they stand.
    private static final Set<String> EXPRESSIONS = Set.of("regex", "find", "agent");

    private HostChangeRules() {}

    /// @param own what the keys of the host say
    /// @param before what is changed in responses before that
    static HostChanges complete(
            HostChanges own, List<FieldRule> before, Settings host, Reading reading) {
        List<FieldRule> responses = new ArrayList<>(before);
        responses.addAll(own.response());
        HostChanges changes =
                HostChangesBuilder.builder(own)
                        .response(responses)
                        .places(expressions(host))
                        .build();
        String key = SHOWN_AT.stream().filter(host::has).findFirst().orElse("error-pages");
        return reading.made(
                        host, key, () -> HostExchangeRules.check(changes, RuleLimits.defaults()))
                .map(_ -> TrafficKeys.withRoutes(host, changes, reading))
                .map(all -> CacheKeys.withRoutes(host, all, reading))
                .orElse(HostChanges.NONE);
    }

    /// Where the expressions of a host are written.
    private static ExpressionPlaces expressions(Settings host) {
        ExpressionPlaces places = new ExpressionPlaces();
        collect(host, places);
        return places;
    }

    private static void collect(Settings section, ExpressionPlaces places) {
        for (String key : section.keys()) {
            Object value = section.get(key, Object.class).orElse("");
            if (value instanceof String text && EXPRESSIONS.contains(key)) {
                Position at = section.position(key);
                places.put(text, at.file() + ":" + at.line());
            } else if (value instanceof Settings below) {
                collect(below, places);
            } else if (value instanceof List<?> items) {
                for (Object item : items) {
                    if (item instanceof Settings below) {
                        collect(below, places);
                    }
                }
            }
        }
    }
}
