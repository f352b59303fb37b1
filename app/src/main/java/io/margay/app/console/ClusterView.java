package io.margay.app.console;

import io.margay.app.register.RegistrationReading;
import io.margay.app.shared.SharedStatus;
import io.margay.gateway.discovery.Registrar;
import io.margay.servlet.session.engine.EngineReading;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A server among others, as the console and scripts see it: the gateways that share a store, who
/// is registered here, where this server is registered, and where sessions are kept. Stateless.
public final class ClusterView {
    private ClusterView() {}

    /// @param shared null = nothing is shared
    /// @param registered who is registered here, by upstream
    /// @param registrations where this server is a member
    /// @param stores of sessions; none = they are in memory
    public static Map<String, Object> of(
            @Nullable SharedStatus shared,
            Map<String, List<Registrar.Entry>> registered,
            List<RegistrationReading> registrations,
            List<EngineReading> stores) {
        Map<String, Object> all = new LinkedHashMap<>();
        if (shared != null) {
            all.put("shared", shared(shared));
        }
        List<Map<String, Object>> members = new ArrayList<>();
        registered.forEach((upstream, entries) ->
                entries.forEach(each -> members.add(member(upstream, each))));
        all.put("upstreams", List.copyOf(registered.keySet()));
        all.put("registered", members);
        all.put("registrations", registrations.stream().map(ClusterView::registration).toList());
        all.put("sessionStores", stores.stream().map(ClusterView::store).toList());
        return all;
    }

    private static Map<String, Object> shared(SharedStatus shared) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("group", shared.reading().group());
        one.put("node", shared.reading().node());
        one.put("servers", shared.reading().servers());
        one.put("up", shared.reading().up());
        one.put("failure", shared.reading().failure());
        one.put("calls", shared.reading().calls());
        one.put("failures", shared.reading().failures());
        one.put("refused", shared.reading().refused());
        one.put("nanos", shared.reading().nanos());
        one.put("changesPending", shared.changesPending());
        one.put("countsLost", shared.unsettled());
        return one;
    }

    private static Map<String, Object> member(String upstream, Registrar.Entry entry) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("upstream", upstream);
        one.put("name", entry.name());
        one.put("url", entry.url());
        one.put("leaseSeconds", entry.lease().toSeconds());
        one.put("leftSeconds", entry.left().toSeconds());
        one.put("here", entry.here());
        return one;
    }

    private static Map<String, Object> registration(RegistrationReading reading) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("upstream", reading.upstream());
        one.put("name", reading.name());
        one.put("at", reading.at());
        one.put("up", reading.up());
        one.put("failure", reading.failure() == null ? "" : reading.failure());
        return one;
    }

    private static Map<String, Object> store(EngineReading reading) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("store", reading.store());
        one.put("state", reading.state().name().toLowerCase(Locale.ROOT));
        one.put("failure", reading.failure());
        one.put("calls", reading.calls());
        one.put("failures", reading.failures());
        one.put("refused", reading.refused());
        one.put("aways", reading.aways());
        one.put("nanos", reading.nanos());
        one.put("late", reading.late());
        one.put("pending", reading.pending());
        return one;
    }
}
