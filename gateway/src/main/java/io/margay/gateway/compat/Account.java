package io.margay.gateway.compat;

import io.margay.gateway.compat.AccountLine.Verdict;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Collects what has become of each directive. Confined to one reading.
final class Account {
    private final Set<AccountLine> lines = new LinkedHashSet<>();

    void honoured(Place place, String directive) {
        lines.add(new AccountLine(place, directive, Verdict.HONOURED, "honoured"));
    }

    void honoured(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.HONOURED, text));
    }

    void noted(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.NOTED, text));
    }

    void changed(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.CHANGED, text));
    }

    void wrong(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.WRONG, text));
    }

    List<AccountLine> lines() {
        return List.copyOf(lines);
    }
}
