package io.margay.app.config.file;

import io.margay.app.config.binding.Reading;
import io.margay.app.config.rules.ChangeKeys;
import io.margay.app.config.rules.TrafficKeys;
import io.margay.app.yaml.Settings;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.HostChangesBuilder;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import java.util.ArrayList;
import java.util.List;

/// What a host changes in requests and responses, by all of its keys. Stateless.
final class HostChangeRules {
    /// The keys at which a problem of them all is shown, the first that is given.
    private static final List<String> SHOWN_AT =
            List.of("variables", "response-headers", "request-headers", "compression", "expires");

    private HostChangeRules() {}

    static HostChanges read(Settings host, Reading reading) {
        HostChanges own = ChangeKeys.CHANGES.read(host, HostChanges.NONE, reading);
        List<FieldRule> responses = new ArrayList<>(EdgeKeys.fields(host, reading.problems()));
        responses.addAll(own.response());
        HostChanges changes = HostChangesBuilder.builder(own).response(responses).build();
        try {
            Object _ = HostExchangeRules.check(changes, RuleLimits.defaults());
        } catch (IllegalArgumentException e) {
            String text = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            String key = SHOWN_AT.stream().filter(host::has).findFirst().orElse("error-pages");
            reading.problem(host, key, text);
            return HostChanges.NONE;
        }
        return TrafficKeys.withRoutes(host, changes, reading);
    }
}
