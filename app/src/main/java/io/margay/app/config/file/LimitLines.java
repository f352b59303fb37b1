package io.margay.app.config.file;

import io.margay.app.config.LimitSettings;
import io.margay.app.config.WorkerSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Writes limits as the keys of `margay.yaml`. Stateless.
public final class LimitLines {
    private LimitLines() {}

    /// The sections of `limits` with what is not as it is by default, each by its name.
    ///
    /// @param gateway whether there are upstreams, for which some defaults are others
    public static Map<String, Map<String, String>> of(LimitSettings limits, boolean gateway) {
        LimitSettings own = LimitSettings.defaults();
        LimitSettings byDefault = gateway ? own.forGateway() : own;
        Map<String, Map<String, String>> sections = new LinkedHashMap<>();
        sections.put(
                "http1", FileShape.HTTP1.changed(limits.http().http1(), byDefault.http().http1()));
        sections.put(
                "http2", FileShape.HTTP2.changed(limits.http().http2(), byDefault.http().http2()));
        sections.put("connection", FileShape.CONNECTION.changed(limits.http(), byDefault.http()));
        sections.put("servlet", FileShape.SERVLET.changed(limits.servlet(), byDefault.servlet()));
        sections.put("peers", FileShape.PEERS.changed(limits.peers(), byDefault.peers()));
        sections.values().removeIf(Map::isEmpty);
        return sections;
    }

    /// The keys of `workers` with what is not as it is by default.
    public static Map<String, String> of(WorkerSettings workers) {
        WorkerSettings byDefault = WorkerSettings.defaults();
        Map<String, String> keys = new LinkedHashMap<>();
        if (workers.dispatch() != byDefault.dispatch()) {
            keys.put("dispatch", workers.dispatch().name().toLowerCase(Locale.ROOT));
        }
        keys.putAll(FileShape.WORKERS.changed(workers.limits(), byDefault.limits()));
        return keys;
    }
}
