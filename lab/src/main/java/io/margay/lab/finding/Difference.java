package io.margay.lab.finding;

import io.margay.lab.machine.CallCounter;
import io.margay.lab.machine.ProcessSample;
import io.margay.lab.result.CellResult;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// What the difference in cost between two servers consists of, in words. Stateless.
final class Difference {
    /// So many system calls are named.
    private static final int NAMED = 3;

    /// Calls per request that differ by less are not named.
    private static final double CALLS_LEAST = 0.2;

    private static final double WAITS_LEAST = 0.05;
    private static final double OPENED_LEAST = 0.05;

    /// Calls that do the same.
    private static final Map<String, Set<String>> KINDS = kinds();

    private Difference() {}

    /// @param differs whether their costs do
    static String words(String scenario, CellResult one, CellResult other, boolean differs) {
        StringBuilder text = new StringBuilder(scenario).append(": ");
        if (differs) {
            cost(text, one, other);
        } else {
            text.append(one.server()).append(" is not shown to differ from ");
            text.append(other.server()).append(" in CPU per request");
        }
        calls(text, one, other);
        double waits = Findings.waited(one);
        double otherWaits = Findings.waited(other);
        if (Math.abs(waits - otherWaits) >= WAITS_LEAST) {
            text.append("; a thread waits or hands on ").append(digits(waits));
            text.append(" times per request, against ").append(digits(otherWaits));
        }
        double opened = Findings.opened(one);
        double otherOpened = Findings.opened(other);
        if (Math.abs(opened - otherOpened) >= OPENED_LEAST) {
            text.append("; connections opened to the back end per request: ");
            text.append(digits(opened)).append(", against ").append(digits(otherOpened));
        }
        return text.append('.').toString();
    }

    private static void cost(StringBuilder text, CellResult one, CellResult other) {
        double own = part(one, other, ProcessSample::userSeconds);
        double kernel = part(one, other, ProcessSample::systemSeconds);
        double all = own + kernel;
        text.append("what ").append(one.server()).append(" spends ");
        text.append(all < 0 ? "less" : "more").append(" than ").append(other.server());
        text.append(", ").append(String.format(Locale.ROOT, "%.3f", Math.abs(all)));
        text.append(" CPU-seconds per 10 000 requests, consists of ");
        text.append(signed(kernel)).append(" inside the kernel and ").append(signed(own));
        text.append(" in their own code");
    }

    private static double part(
            CellResult one, CellResult other, ToDoubleFunction<ProcessSample> time) {
        return Findings.cost(one, time) - Findings.cost(other, time);
    }

    private static void calls(StringBuilder text, CellResult one, CellResult other) {
        Map<String, Double> a = sum(one);
        Map<String, Double> b = sum(other);
        Double all = a.remove(CallCounter.ALL);
        Double otherAll = b.remove(CallCounter.ALL);
        if (all == null || otherAll == null) {
            return;
        }
        text.append("; system calls per request ").append(digits(all)).append(", against ");
        text.append(digits(otherAll));
        Set<String> names = new LinkedHashSet<>(a.keySet());
        names.addAll(b.keySet());
        Comparator<String> byDifference =
                Comparator.comparingDouble(
                        name -> -Math.abs(a.getOrDefault(name, 0.0) - b.getOrDefault(name, 0.0)));
        List<String> most =
                names.stream()
                        .sorted(byDifference)
                        .limit(NAMED)
                        .filter(name ->
                                Math.abs(a.getOrDefault(name, 0.0) - b.getOrDefault(name, 0.0))
                                        >= CALLS_LEAST)
                        .map(name ->
                                name
                                        + " "
                                        + digits(a.getOrDefault(name, 0.0))
                                        + " against "
                                        + digits(b.getOrDefault(name, 0.0)))
                        .toList();
        if (!most.isEmpty()) {
            text.append(" (").append(String.join(", ", most)).append(')');
        }
    }

    private static Map<String, Set<String>> kinds() {
        Map<String, Set<String>> kinds = new LinkedHashMap<>();
        kinds.put("reading", Set.of("read", "readv", "recvfrom", "recvmsg"));
        kinds.put("writing", Set.of("write", "writev", "sendto", "sendmsg", "sendfile64"));
        kinds.put("waiting for sockets", Set.of("poll", "epoll_wait", "epoll_pwait"));
        return kinds;
    }

    private static String kind(String name) {
        return KINDS.entrySet().stream()
                .filter(it -> it.getValue().contains(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(name);
    }

    /// The calls of all tiers by what they do.
    private static Map<String, Double> sum(CellResult cell) {
        Map<String, Double> sum = new TreeMap<>();
        cell.calls()
                .values()
                .forEach(tier ->
                        tier.forEach((name, count) -> sum.merge(kind(name), count, Double::sum)));
        return sum;
    }

    private static String signed(double value) {
        return String.format(Locale.ROOT, "%+.3f", value);
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : "%.1f", value);
    }
}
