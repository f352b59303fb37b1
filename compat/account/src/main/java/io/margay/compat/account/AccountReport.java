package io.margay.compat.account;

import io.margay.compat.account.AccountLine.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// What has become of each line of another server's files, as it is shown: how many of each kind
/// first, then what is wrong, what changes, what is noted, what is honoured. Stateless.
public final class AccountReport {
    private static final List<Verdict> ORDER =
            List.of(Verdict.WRONG, Verdict.CHANGED, Verdict.NOTED, Verdict.HONOURED);

    private AccountReport() {}

    /// All lines.
    public static List<String> lines(List<AccountLine> account) {
        List<String> lines = new ArrayList<>(List.of(totals(account)));
        for (Verdict verdict : ORDER) {
            account.stream()
                    .filter(line -> line.verdict() == verdict)
                    .map(line -> String.format(Locale.ROOT, "%-8s %s", word(verdict), line))
                    .forEach(lines::add);
        }
        return lines;
    }

    /// How many lines there are of each kind.
    public static String totals(List<AccountLine> account) {
        List<String> parts = new ArrayList<>();
        for (Verdict verdict : ORDER) {
            long count = account.stream().filter(line -> line.verdict() == verdict).count();
            parts.add(count + " " + word(verdict));
        }
        return account.size() + " lines: " + String.join(", ", parts);
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }
}
