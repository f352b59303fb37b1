package io.margay.compat.account;

import io.margay.compat.account.AccountLine.Verdict;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Collects what has become of each directive. Confined to one reading.
public final class Account {
    private final Set<AccountLine> lines = new LinkedHashSet<>();

    public void honoured(Place place, String directive) {
        lines.add(new AccountLine(place, directive, Verdict.HONOURED, "honoured"));
    }

    public void honoured(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.HONOURED, text));
    }

    public void noted(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.NOTED, text));
    }

    public void changed(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.CHANGED, text));
    }

    public void wrong(Place place, String directive, String text) {
        lines.add(new AccountLine(place, directive, Verdict.WRONG, text));
    }

    public List<AccountLine> lines() {
        return List.copyOf(lines);
    }
}
