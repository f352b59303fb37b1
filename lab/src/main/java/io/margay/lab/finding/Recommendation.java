package io.margay.lab.finding;

import io.margay.lab.result.CellResult;
import io.margay.lab.result.Comparison;
import io.margay.lab.result.Metric;
import io.margay.lab.result.RoundResult;
import io.margay.lab.result.ScenarioResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// What a run says about the way to serve a page, in words: which server, by which transport, on
/// which threads, behind a front end or not, each with its margin. What was not compared is not
/// recommended; it says how to compare it. Confined to one thread.
public final class Recommendation {
    private static final String MARGAY = "margay:";
    private static final List<String> TRANSPORTS = List.of("native", "nio", "blocking");
    private static final List<String> DISPATCHES = List.of("inline", "pool", "virtual");

    private final ScenarioResult scenario;
    private final long seed;
    private final List<CellResult> cells;
    private final List<String> words = new ArrayList<>();

    public Recommendation(ScenarioResult scenario, long seed) {
        this.scenario = scenario;
        this.seed = seed;
        cells = scenario.cells().stream().filter(cell -> !cell.good().isEmpty()).toList();
    }

    /// Of the servers' core, for other processes: with more, costs say more of the machine than of
    /// the servers.
    private static final double OTHERS_MAX = 0.2;

    public List<String> words() {
        double others = cells.stream().mapToDouble(Recommendation::others).max().orElse(0);
        if (others > OTHERS_MAX) {
            return List.of(
                    String.format(
                            Locale.ROOT,
                            "No recommendation: other processes took up to %.0f %% of the servers'"
                                    + " core. Run it again on a quiet machine.",
                            others * 100));
        }
        Optional<CellResult> best = cheapest(cells.stream());
        if (best.isPresent()) {
            whole(best.get());
            transport();
            dispatch();
            frontEnd();
        }
        return List.copyOf(words);
    }

    private static double others(CellResult cell) {
        return cell.median(RoundResult::othersShare);
    }

    private static Optional<CellResult> cheapest(Stream<CellResult> of) {
        return of.min(Comparator.comparingDouble(cell -> cell.median(RoundResult::cpuPer10k)));
    }

    private static String full(CellResult cell) {
        return full(cell.server());
    }

    private static String full(String server) {
        return server.equals("margay") ? MARGAY + TRANSPORTS.getFirst() : server;
    }

    private static String variant(String transport, String dispatch) {
        return MARGAY + transport + (dispatch.equals(DISPATCHES.getFirst()) ? "" : "-" + dispatch);
    }

    private Optional<CellResult> cell(String server) {
        return cells.stream().filter(cell -> full(cell).equals(server)).findFirst();
    }

    private Comparison compare(CellResult cell, CellResult other) {
        return Comparison.of(cell, other, Metric.CPU, seed);
    }

    private void whole(CellResult best) {
        List<String> margins = new ArrayList<>();
        List<String> equal = new ArrayList<>();
        for (CellResult other : cells) {
            if (!other.server().equals(best.server())) {
                Comparison comparison = compare(best, other);
                if (comparison.differs()) {
                    if (isOther(other)) {
                        margins.add(comparison.words());
                    }
                } else {
                    equal.add(other.server());
                }
            }
        }
        words.add(
                "Recommended for this page: "
                        + best.server()
                        + (equal.isEmpty()
                                ? "."
                                : "; not shown to cost more: " + String.join(", ", equal) + "."));
        compare(scenario.reference(), best)
                .ifPresent(margin -> words.add("The margin: " + margin + "."));
        if (cells.size() == 1) {
            words.add("Nothing was compared with it; --servers names several.");
        }
        margins.forEach(it -> words.add("Beside another server: " + it + "."));
    }

    /// Whether it is told of nowhere else: no reference, no variant, no front end.
    private boolean isOther(CellResult cell) {
        return !cell.server().equals(scenario.reference())
                && !cell.server().contains("/")
                && !full(cell).startsWith(MARGAY);
    }

    private Optional<String> compare(String reference, CellResult best) {
        return best.server().equals(reference)
                ? Optional.empty()
                : cell(reference).map(other -> compare(best, other).words());
    }

    private void transport() {
        List<CellResult> some =
                TRANSPORTS.stream()
                        .map(it -> cell(variant(it, DISPATCHES.getFirst())))
                        .flatMap(Optional::stream)
                        .toList();
        choice("Transport", some, TRANSPORTS);
    }

    private void dispatch() {
        List<CellResult> most = List.of();
        for (String transport : TRANSPORTS) {
            List<CellResult> some =
                    DISPATCHES.stream()
                            .map(it -> cell(variant(transport, it)))
                            .flatMap(Optional::stream)
                            .toList();
            most = some.size() > most.size() ? some : most;
        }
        choice("Dispatch", most, DISPATCHES);
    }

    /// The cheapest of some variants; the earliest of those that are not shown to cost more.
    private void choice(String what, List<CellResult> some, List<String> names) {
        if (some.size() < 2) {
            if (cells.stream().anyMatch(cell -> full(cell).startsWith(MARGAY))) {
                words.add(
                        what
                                + ": not compared; for example --servers "
                                + (what.equals("Transport")
                                        ? "margay:native,margay:nio,margay:blocking"
                                        : "margay:native,margay:native-pool")
                                + " does.");
            }
            return;
        }
        CellResult least = cheapest(some.stream()).orElseThrow();
        CellResult chosen =
                some.stream()
                        .filter(it -> it.equals(least) || !compare(it, least).differs())
                        .findFirst()
                        .orElse(least);
        List<String> reasons = new ArrayList<>();
        for (CellResult other : some) {
            if (!other.equals(chosen)) {
                reasons.add(compare(other, chosen).words());
            }
        }
        words.add(
                what
                        + ": "
                        + name(full(chosen), names)
                        + ". "
                        + String.join("; ", reasons)
                        + ". 99 % of the answers within "
                        + String.join(", ", some.stream().map(Recommendation::slow).toList())
                        + ".");
    }

    private static String slow(CellResult cell) {
        return String.format(
                Locale.ROOT, "%.1f ms (%s)", cell.latency().percentileMillis(99), cell.server());
    }

    /// The transport or policy that a server's name says; the first of each goes unsaid.
    private static String name(String server, List<String> names) {
        List<String> said = List.of(server.substring(MARGAY.length()).split("-"));
        return names.stream().filter(said::contains).findFirst().orElse(names.getFirst());
    }

    private void frontEnd() {
        List<String> prices = new ArrayList<>();
        boolean pays = false;
        for (CellResult front : cells) {
            String[] tiers = front.server().split("/", 2);
            Optional<CellResult> back = tiers.length == 2 ? cell(full(tiers[1])) : Optional.empty();
            if (back.isPresent()) {
                Comparison price = compare(front, back.get());
                pays |= price.differs() && price.ratio().estimate() < 1;
                prices.add(price.words());
            }
        }
        words.add(
                prices.isEmpty()
                        ? "Front end: not compared; for example --servers"
                                + " margay:native,nginx:proxy/margay:native does."
                        : "Front end: "
                                + (pays
                                        ? "it pays here. "
                                        : "none, unless something else than this page needs one. ")
                                + String.join("; ", prices)
                                + ".");
    }
}
