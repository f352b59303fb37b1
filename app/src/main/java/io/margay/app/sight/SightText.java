package io.margay.app.sight;

import io.margay.app.admin.Attention;
import io.margay.app.admin.ManagedServer;
import io.margay.app.process.ControlSocket.Answer;
import io.margay.app.slow.Cause;
import io.margay.app.slow.Explanation;
import io.margay.server.sight.LastHour;
import io.margay.server.sight.SeenRequest;
import io.margay.server.sight.Sight;
import io.margay.server.sight.SightKey;
import io.margay.server.timing.RequestPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What commands of another process are told of what was served of late, as lines. Stateless.
public final class SightText {
    private static final Pattern WORDS =
            Pattern.compile("(top [a-z]+ [0-9]{1,4} [0-9]{1,4}|requests [0-9]{1,4}|explain \\S+)");

    /// Requests of each kind that `requests` shows.
    private static final int REQUESTS = 10;

    private final ManagedServer server;
    private final Sight sight;

    private SightText(ManagedServer server) {
        this.server = server;
        sight = server.sight();
    }

    /// Whether a word is one that this answers.
    public static boolean knows(String word) {
        return WORDS.matcher(word).matches();
    }

    /// What a word is answered that this [knows][#knows].
    public static Answer answer(String word, ManagedServer server) {
        SightText text = new SightText(server);
        String[] words = word.split(" ", -1);
        Answer answer =
                switch (words[0]) {
                    case "top" -> text.top(words[1], number(words[2]), number(words[3]));
                    case "requests" -> new Answer(true, text.requests(number(words[1])));
                    default -> text.explain(words[1]);
                };
        return new Answer(
                answer.done(), answer.lines().stream().map(TextTable::printable).toList());
    }

    private static int number(String digits) {
        return Math.clamp(Integer.parseInt(digits), 20, 500);
    }

    private Answer top(String view, int width, int height) {
        TopView shown = TopView.of(view);
        if (shown == null) {
            return new Answer(false, List.of("there is no such view: " + view));
        }
        List<String> lines = new ArrayList<>(head(width));
        for (SightKey.By by : shown.tables()) {
            lines.add("");
            lines.addAll(table(by, width));
        }
        return new Answer(true, lines.subList(0, Math.min(height, lines.size())));
    }

    private List<String> head(int width) {
        List<LastHour.Row> listeners = sight.rows(SightKey.By.LISTENER, 2);
        long requests = listeners.stream().mapToLong(LastHour.Row::requests).sum();
        double seconds = listeners.stream().mapToDouble(LastHour.Row::seconds).max().orElse(1);
        long active = listeners.stream().mapToLong(LastHour.Row::active).sum();
        long errors = listeners.stream().mapToLong(row -> row.statuses().getLast()).sum();
        List<String> lines = new ArrayList<>();
        lines.add(
                cut(
                        "Margay "
                                + server.version()
                                + "  process "
                                + ProcessHandle.current().pid()
                                + "  up "
                                + age(server.uptime())
                                + "  "
                                + (server.isServing() ? "serving" : server.idleState()),
                        width));
        lines.add(
                cut(
                        String.format(
                                Locale.ROOT,
                                "%.1f requests/s  %d in flight  %.2f %% errors  threads %d of %d,"
                                        + " %d wait",
                                requests / seconds,
                                active,
                                requests == 0 ? 0 : 100.0 * errors / requests,
                                server.workers().active(),
                                server.workers().max(),
                                server.workers().queued()),
                        width));
        for (Attention each : Attention.of(server)) {
            lines.add(cut("! " + each.line(), width));
        }
        if (sight.unwatched() > 0) {
            String many = "! " + sight.unwatched() + " routes or members are too many to be shown";
            lines.add(cut(many, width));
        }
        return lines;
    }

    private List<String> table(SightKey.By by, int width) {
        TextTable table =
                new TextTable(
                        by.name().toLowerCase(Locale.ROOT),
                        List.of(
                                "req/s", "active", "p50", "p99", "5xx", "4xx", "hour", "p99.9",
                                "sent"));
        Map<SightKey, LastHour.Row> now =
                sight.rows(by, 2).stream().collect(Collectors.toMap(LastHour.Row::key, row -> row));
        for (LastHour.Row row : sight.rows(by, LastHour.MINUTES)) {
            LastHour.Row last = now.get(row.key());
            double rate = last == null ? 0 : last.requests() / last.seconds();
            table.add(
                    String.join(
                            " ",
                            by.labels(row.key()).values().stream().map(SightText::named).toList()),
                    List.of(
                            String.format(Locale.ROOT, "%.1f", rate),
                            String.valueOf(row.active()),
                            time(row.quantiles().get(0)),
                            time(row.quantiles().get(2)),
                            String.valueOf(row.statuses().get(4)),
                            String.valueOf(row.statuses().get(3)),
                            String.valueOf(row.requests()),
                            time(row.quantiles().get(3)),
                            bytes(row.bytes().sent())));
        }
        return table.lines(width);
    }

    private static String named(String label) {
        return label.isEmpty() ? "-" : label;
    }

    private List<String> requests(int width) {
        Sight.Requests seen = sight.requests(REQUESTS);
        List<String> lines = new ArrayList<>();
        lines.addAll(requests("in flight", seen.running(), width));
        lines.add("");
        lines.addAll(requests("slowest of the last hour", seen.slowest(), width));
        lines.add("");
        lines.addAll(requests("failed lately", seen.failing(), width));
        return lines;
    }

    private List<String> requests(String title, List<SeenRequest> seen, int width) {
        TextTable table = new TextTable(title, List.of("time", "status", "mostly", "request"));
        for (SeenRequest each : seen) {
            table.add(
                    each.place().method() + " " + host(each.place().host()) + each.path(),
                    List.of(
                            time(each.micros() / 1e6),
                            each.status() == 0 ? "-" : String.valueOf(each.status()),
                            mostly(each),
                            each.id()));
        }
        return table.lines(width);
    }

    private static String host(String name) {
        return name.equals("*") ? "" : name;
    }

    /// The phase in which most of its time went, or why that of no phase did.
    private String mostly(SeenRequest seen) {
        Cause cause = server.slow().explain(seen).cause();
        String most = cause == null ? "rest" : cause.word();
        long longest = seen.restMicros();
        for (RequestPhase phase : RequestPhase.values()) {
            long micros = seen.phases().getOrDefault(phase, 0L);
            if (phase != RequestPhase.HEAD && micros > longest) {
                most = phase.label();
                longest = micros;
            }
        }
        return most;
    }

    private Answer explain(String id) {
        Sight.Requests seen = sight.requests(Integer.MAX_VALUE);
        for (SeenRequest each : seen.running()) {
            if (each.id().equals(id)) {
                List<String> lines = explained(each, "so far   ", server.slow().explain(each));
                List<StackTraceElement> stack = sight.stack(id);
                if (!stack.isEmpty()) {
                    lines.add("stack    of its thread now");
                }
                stack.forEach(frame -> lines.add("  at " + frame));
                return new Answer(true, lines);
            }
        }
        for (List<SeenRequest> all :
                List.of(server.slow().list(), seen.slowest(), seen.failing())) {
            for (SeenRequest each : all) {
                if (each.id().equals(id)) {
                    return new Answer(
                            true, explained(each, "took     ", server.slow().explain(each)));
                }
            }
        }
        return new Answer(
                false,
                List.of(
                        "no request "
                                + id
                                + " is in flight, among the slowest of the last hour,"
                                + " or among those that failed lately"));
    }

    private static List<String> explained(SeenRequest seen, String took, Explanation why) {
        List<String> lines = new ArrayList<>();
        SeenRequest.Place place = seen.place();
        lines.add("request  " + seen.id());
        lines.add("asked    " + place.method() + " " + seen.path() + " by " + seen.client());
        lines.add(
                "began    " + Instant.ofEpochMilli(seen.atMillis()).truncatedTo(ChronoUnit.MILLIS));
        if (!place.host().isEmpty()) {
            lines.add("host     " + place.host() + ", route " + named(place.route()));
        }
        if (!place.member().isEmpty()) {
            lines.add("member   " + place.member() + ", attempts " + place.attempts());
        }
        lines.add(
                "answer   "
                        + (seen.status() == 0 ? "none yet" : seen.status())
                        + (seen.failure().isEmpty() ? "" : ", failed: " + seen.failure()));
        lines.add("why      " + why.sentence());
        lines.add(took + time(seen.micros() / 1e6));
        for (RequestPhase phase : RequestPhase.values()) {
            long micros = seen.phases().getOrDefault(phase, 0L);
            if (micros > 0) {
                lines.add(part(seen, phase.label(), micros, phase.meaning()));
            }
        }
        lines.add(
                part(
                        seen,
                        "rest",
                        seen.restMicros(),
                        place.member().isEmpty()
                                ? "in the application, or in serving a file"
                                : "while the member's answer was passed on"));
        lines.addAll(why.evidence());
        return lines;
    }

    private static String part(SeenRequest seen, String name, long micros, String meaning) {
        return String.format(
                Locale.ROOT,
                "  %-8s%9s %4s  %s",
                name,
                time(micros / 1e6),
                name.equals(RequestPhase.HEAD.label())
                        ? ""
                        : Math.round(100.0 * micros / Math.max(1, seen.micros())) + " %",
                meaning);
    }

    private static String cut(String line, int width) {
        return line.length() <= width ? line : line.substring(0, width);
    }

    private static String age(Duration age) {
        return age.toDays() > 0
                ? age.toDays() + " d " + age.toHoursPart() + " h"
                : age.toHours() > 0
                        ? age.toHours() + " h " + age.toMinutesPart() + " min"
                        : age.toMinutes() > 0 ? age.toMinutes() + " min" : age.toSeconds() + " s";
    }

    /// A duration in the unit in which it is short.
    static String time(double seconds) {
        if (seconds <= 0) {
            return "-";
        }
        return seconds < 0.001
                ? Math.round(seconds * 1e6) + "us"
                : seconds < 0.01
                        ? String.format(Locale.ROOT, "%.1fms", seconds * 1e3)
                        : seconds < 1
                                ? Math.round(seconds * 1e3) + "ms"
                                : String.format(Locale.ROOT, "%.1fs", seconds);
    }

    /// A number of bytes in the unit in which it is short.
    static String bytes(long bytes) {
        double left = bytes;
        for (String unit : List.of("B", "K", "M", "G")) {
            if (left < 1_000) {
                return left < 10 && !unit.equals("B")
                        ? String.format(Locale.ROOT, "%.1f%s", left, unit)
                        : Math.round(left) + unit;
            }
            left /= 1_024;
        }
        return String.format(Locale.ROOT, "%.1fT", left);
    }
}
