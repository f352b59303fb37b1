package io.margay.app.agreement.member;

import io.margay.app.agreement.member.Asking.Both;
import io.margay.app.agreement.member.Fronts.Named;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Gives generated configurations to Apache httpd and to Margay, asks both the same, and counts in
/// what their members and browsers differ. A difference is accepted when `check` names a line
/// without which there is none, or for a reason of [KnownDifferences]. Confined to one thread.
final class MemberAgreement implements AutoCloseable {
    /// How many configurations stand in one file.
    private static final int BATCH = 50;

    /// A file of its own for each configuration on which the servers do not agree.
    private static final Path REPORT = Path.of("target", "member-agreement");

    private final RecordingMember member = new RecordingMember();
    private final Map<String, Integer> reasons = new TreeMap<>();
    private final Map<String, Integer> names = new TreeMap<>();
    private final List<String> disagreements = new ArrayList<>();
    private int compared;
    private int asked;
    private int equal;
    private int refused;

    MemberAgreement() throws IOException {}

    /// What differs in a case, by probe.
    record Found(MemberCase made, Map<MemberProbe, List<Difference>> differences) {
        boolean isEmpty() {
            return differences.isEmpty();
        }
    }

    /// Tries the configurations of these seeds.
    void run(long first, int count) throws IOException {
        List<MemberCase> batch = new ArrayList<>();
        List<MemberCase> alone = new ArrayList<>();
        for (long seed = first; seed < first + count; seed++) {
            MemberCase made = MemberCases.of(seed);
            (made.alone() ? alone : batch).add(made);
        }
        for (int i = 0; i < batch.size(); i += BATCH) {
            compare(batch.subList(i, Math.min(batch.size(), i + BATCH)));
        }
        for (MemberCase one : alone) {
            compare(List.of(one));
        }
    }

    /// Tries a configuration that somebody has written.
    void run(MemberCase written) throws IOException {
        compare(List.of(written));
    }

    RecordingMember member() {
        return member;
    }

    private void compare(List<MemberCase> cases) throws IOException {
        List<MemberCase> served = new ArrayList<>();
        for (MemberCase one : cases) {
            served.add(withoutWrong(one));
        }
        List<Found> left = new ArrayList<>();
        List<MemberCase> without = new ArrayList<>();
        try (Fronts fronts = Fronts.start(served, member)) {
            for (MemberCase one : served) {
                compared++;
                Found found = differences(fronts, one);
                asked += one.probes().size();
                equal += one.probes().size() - found.differences.size();
                if (!found.isEmpty()) {
                    left.add(found);
                    List<Named> named = fronts.named(one);
                    without.add(Lines.without(one, named));
                    named.forEach(line -> names.merge(line.account().directive(), 1, Integer::sum));
                }
            }
        }
        unexplained(left, without);
    }

    /// Those are unexplained that are there without the lines that `check` names.
    private void unexplained(List<Found> left, List<MemberCase> without) throws IOException {
        List<MemberCase> again = new ArrayList<>();
        for (int i = 0; i < left.size(); i++) {
            if (!left.get(i).made.equals(without.get(i))) {
                again.add(without.get(i).withProbes(List.copyOf(left.get(i).differences.keySet())));
            }
        }
        Map<Long, Found> still = new TreeMap<>();
        if (!again.isEmpty()) {
            try (Fronts fronts = Fronts.start(again, member)) {
                for (MemberCase one : again) {
                    still.put(one.seed(), differences(fronts, one));
                }
            }
        }
        for (Found found : left) {
            Found one = still.getOrDefault(found.made.seed(), found);
            if (one.isEmpty()) {
                reasons.merge("check names the line", found.differences.size(), Integer::sum);
            } else {
                disagreements.add("seed " + one.made.seed() + ":\n  " + lines(one));
                write(one);
            }
        }
    }

    private static String lines(Found found) {
        List<String> lines = new ArrayList<>();
        found.differences.forEach((probe, all) -> {
            lines.add(probe.toString());
            all.forEach(one -> lines.add("    " + one));
        });
        return String.join("\n  ", lines);
    }

    /// A case without what stops the start.
    private MemberCase withoutWrong(MemberCase made) throws IOException {
        MemberCase one = made;
        for (int i = 0; i < 5; i++) {
            List<Named> wrong =
                    Fronts.check(one, member).stream()
                            .filter(line -> line.file().isEmpty())
                            .filter(line -> line.account().verdict().isRefusal())
                            .toList();
            if (wrong.isEmpty()) {
                return one;
            }
            refused += i == 0 ? 1 : 0;
            wrong.forEach(line ->
                    reasons.merge(
                            "not started: "
                                    + line.account().directive()
                                    + ": "
                                    + line.account().text(),
                            1,
                            Integer::sum));
            one = Lines.without(one, wrong);
        }
        throw new IllegalStateException("seed " + made.seed() + " is never right");
    }

    private Found differences(Fronts fronts, MemberCase made) throws IOException {
        Map<MemberProbe, List<Difference>> found = new LinkedHashMap<>();
        Asking asking = new Asking(fronts, member);
        for (MemberProbe probe : made.probes()) {
            Both both;
            try {
                both = asking.ask(made, probe);
            } catch (IOException e) {
                throw new IOException(
                        "seed " + made.seed() + ", " + probe + "\n" + fronts.log(), e);
            }
            List<Difference> left = new ArrayList<>();
            for (Difference one : both.differences()) {
                KnownDifferences.reason(made, probe, one, both)
                        .ifPresentOrElse(
                                reason -> reasons.merge(reason, 1, Integer::sum),
                                () -> left.add(one));
            }
            if (!left.isEmpty()) {
                found.put(probe, left);
            }
        }
        return new Found(made, found);
    }

    private static void write(Found found) throws IOException {
        Files.createDirectories(REPORT);
        String text = found.made.all() + "\n# " + lines(found).replace("\n", "\n# ") + "\n";
        Files.writeString(REPORT.resolve(found.made.seed() + ".conf"), text);
    }

    List<String> disagreements() {
        return disagreements;
    }

    int compared() {
        return compared;
    }

    int refused() {
        return refused;
    }

    /// Totals, reasons, and what each disagreement is.
    String report() {
        StringBuilder text = new StringBuilder();
        text.append("configurations: ").append(compared).append(" compared, of ").append(refused);
        text.append(" without lines with which Margay does not start\n");
        text.append("requests: ").append(asked).append(", equal ").append(equal).append('\n');
        reasons.forEach((reason, n) -> text.append(reason).append(": ").append(n).append('\n'));
        names.forEach((name, n) ->
                text.append("named by check where something differs: ")
                        .append(name)
                        .append(": ")
                        .append(n)
                        .append('\n'));
        text.append("disagreements: ").append(disagreements.size()).append('\n');
        disagreements.forEach(one -> text.append(one).append('\n'));
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        member.close();
    }
}
