package io.margay.app.admin;

import io.margay.gateway.canary.CanaryReading;
import io.margay.gateway.mirror.MirrorReading;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowReading;
import io.margay.gateway.retry.HedgeReading;
import java.util.LinkedHashMap;
import java.util.Map;

/// What routes give to others than their upstreams, as the JSON API has it. Stateless.
final class DividedJson {
    private DividedJson() {}

    static Map<String, Object> canary(CanaryReading canary) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("to", canary.to());
        one.put("share", canary.share());
        one.put("step", canary.step());
        if (canary.stopped() != null) {
            one.put("takenBack", canary.stopped());
        }
        one.put("answers", canary.fresh().all());
        one.put("failures", canary.fresh().failed());
        one.put("answersOfOld", canary.old().all());
        one.put("failuresOfOld", canary.old().failed());
        return one;
    }

    /// Adds how a version does that gets a part of the clients.
    ///
    /// @param all by host and path
    static void newVersion(
            ManagedServer.App app, Map<String, CanaryReading> all, Map<String, Object> to) {
        CanaryReading one = all.get(app.host() + (app.path().isEmpty() ? "/" : app.path()));
        if (one != null && one.to().equals("##" + app.version())) {
            to.put("newVersion", canary(one));
        }
    }

    static Map<String, Object> hedge(HedgeReading hedge) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("route", hedge.route());
        if (hedge.afterNanos() >= 0) {
            one.put("afterMillis", hedge.afterNanos() / 1e6);
        }
        one.put("requests", hedge.sent());
        one.put("wins", hedge.won());
        one.put("leftOut", hedge.leftOut());
        return one;
    }

    static Map<String, Object> mirror(MirrorReading mirror) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("to", mirror.to());
        one.put("active", mirror.active());
        one.put("requests", mirror.sent());
        one.put("leftOut", mirror.leftOut());
        Shadow shadow = mirror.shadow();
        if (shadow != null) {
            ShadowReading read = shadow.read();
            one.put("compared", read.compared());
            one.put("differing", read.differing());
            one.put("differenceGroups", read.groups());
            one.put("notCompared", read.leftOut());
        }
        return one;
    }
}
