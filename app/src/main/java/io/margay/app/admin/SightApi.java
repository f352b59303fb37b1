package io.margay.app.admin;

import io.margay.app.admin.AdminException.Kind;
import io.margay.app.slow.Explanation;
import io.margay.server.sight.HealthSpan;
import io.margay.server.sight.LastHour;
import io.margay.server.sight.MemberHealth;
import io.margay.server.sight.SeenRequest;
import io.margay.server.sight.Sight;
import io.margay.server.sight.SightKey;
import io.margay.server.timing.RequestPhase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What was served of late, as the JSON API tells it. Stateless but for the server.
final class SightApi {
    /// Of the form of its answers.
    private static final int VERSION = 1;

    private static final int REQUESTS = 20;

    private final ManagedServer server;
    private final Sight sight;

    SightApi(ManagedServer server) {
        this.server = server;
        sight = server.sight();
    }

    /// The last hour, by what the parameter `by` says.
    Map<String, Object> hour(AdminRequest request) throws AdminException {
        String word = request.parameters().getOrDefault("by", "host");
        SightKey.By by = by(word);
        int minutes = number(request, "minutes", LastHour.MINUTES, LastHour.MINUTES);
        Map<String, Object> hour = new LinkedHashMap<>();
        hour.put("version", VERSION);
        hour.put("by", word);
        hour.put("minutes", minutes);
        hour.put("unwatched", sight.unwatched());
        hour.put("rows", sight.rows(by, minutes).stream().map(row -> row(by, row)).toList());
        return hour;
    }

    /// How members did in each minute of the last hour, the oldest first: at their best and at
    /// their worst, as numbers of the states; null = that is not known.
    Map<String, Object> members() {
        List<LastHour.Health> all = sight.health();
        Map<String, Object> hour = new LinkedHashMap<>();
        hour.put("version", VERSION);
        hour.put(
                "states",
                Arrays.stream(MemberHealth.values())
                        .map(one -> Map.of("name", one.word(), "text", one.text()))
                        .toList());
        hour.put("unwatched", sight.unwatched());
        hour.put("members", all.stream().map(SightApi::health).toList());
        return hour;
    }

    private static Map<String, Object> health(LastHour.Health of) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("upstream", of.key().of());
        one.put("member", of.key().name());
        List<@Nullable List<Integer>> minutes = new ArrayList<>();
        for (HealthSpan each : of.minutes()) {
            minutes.add(each == null ? null : each.levels());
        }
        one.put("minutes", minutes);
        return one;
    }

    private static SightKey.By by(String word) throws AdminException {
        try {
            return SightKey.By.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new AdminException(
                    Kind.INVALID,
                    "by is one of listener, host, route, application, upstream, member");
        }
    }

    private static int number(AdminRequest request, String name, int absent, int most)
            throws AdminException {
        String text = request.parameters().getOrDefault(name, String.valueOf(absent));
        if (!text.matches("[0-9]{1,6}") || Integer.parseInt(text) < 1) {
            throw new AdminException(Kind.INVALID, name + " is a number from 1 to " + most);
        }
        return Math.min(most, Integer.parseInt(text));
    }

    private static Map<String, Object> row(SightKey.By by, LastHour.Row row) {
        Map<String, Object> one = new LinkedHashMap<>(by.labels(row.key()));
        one.put("requests", row.requests());
        one.put("perSecond", row.requests() / row.seconds());
        one.put("active", row.active());
        one.put("statuses", row.statuses());
        one.put("failed", row.failed());
        one.put("bytesReceived", row.bytes().received());
        one.put("bytesSent", row.bytes().sent());
        List<String> names = List.of("p50", "p90", "p99", "p999");
        for (int i = 0; i < names.size(); i++) {
            one.put(names.get(i), row.quantiles().get(i));
        }
        one.put("plot", row.plot().stream().map(SightApi::point).toList());
        return one;
    }

    private static Map<String, Object> point(LastHour.Point point) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("requests", point.requests());
        one.put("errors", point.errors());
        one.put("p50", point.p50());
        one.put("p99", point.p99());
        return one;
    }

    /// Requests that are worth a look; those of the parameter `id`, if there is one.
    Map<String, Object> requests(AdminRequest request) throws AdminException {
        String id = request.parameters().getOrDefault("id", "");
        int most = number(request, "most", id.isEmpty() ? REQUESTS : 100_000, 100_000);
        // One that is asked for may be far behind in its list.
        Sight.Requests seen = sight.requests(id.isEmpty() ? most : Integer.MAX_VALUE);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("version", VERSION);
        List<Map<String, Object>> running = requests(seen.running(), id, most);
        if (!id.isEmpty() && !running.isEmpty()) {
            List<String> stack = stack(id);
            running.forEach(one -> one.put("stack", stack));
        }
        all.put("running", running);
        all.put("slowest", requests(seen.slowest(), id, most));
        all.put("failing", requests(seen.failing(), id, most));
        all.put("slow", requests(server.slow().list(), id, most));
        return all;
    }

    private List<String> stack(String id) {
        return sight.stack(id).stream().map(StackTraceElement::toString).toList();
    }

    /// None is explained that is not told of.
    private List<Map<String, Object>> requests(List<SeenRequest> seen, String id, int most) {
        return seen.stream()
                .filter(each -> id.isEmpty() || each.id().equals(id))
                .limit(most)
                .map(this::request)
                .toList();
    }

    private Map<String, Object> request(SeenRequest seen) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("id", seen.id());
        one.put("began", Instant.ofEpochMilli(seen.atMillis()).toString());
        one.put("client", seen.client());
        one.put("method", seen.place().method());
        one.put("path", seen.path());
        one.put("host", seen.place().host());
        one.put("route", seen.place().route());
        one.put("member", seen.place().member());
        one.put("attempts", seen.place().attempts());
        one.put("status", seen.status());
        one.put("seconds", seen.micros() / 1e6);
        one.put("failure", seen.failure());
        Map<String, Object> phases = new LinkedHashMap<>();
        for (RequestPhase phase : RequestPhase.values()) {
            Long micros = seen.phases().get(phase);
            if (micros != null) {
                phases.put(phase.label(), micros / 1e6);
            }
        }
        one.put("phases", phases);
        Explanation why = server.slow().explain(seen);
        one.put("cause", why.cause() == null ? "" : why.cause().word());
        one.put("why", why.sentence());
        one.put("evidence", why.evidence());
        return one;
    }
}
