package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the rules of one host are compiled with. Immutable.
///
/// @param maps by name
record RuleScope(RuleLimits limits, Map<String, RuleMap> maps) {
    RuleScope {
        maps = Map.copyOf(maps);
    }

    static RuleScope of(HostChanges changes, RuleLimits limits) {
        Map<String, RuleMap> maps = new LinkedHashMap<>();
        changes.maps().forEach((name, source) -> maps.put(name, RuleMap.of(source, limits)));
        return new RuleScope(limits, maps);
    }
}
