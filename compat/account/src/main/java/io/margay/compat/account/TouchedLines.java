package io.margay.compat.account;

import io.margay.compat.account.AccountLine.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How many requests have met each line of an account. Confined to one thread.
public final class TouchedLines {
    /// So many hosts and paths are looked up once; of further ones each is looked up anew.
    private static final int KNOWN_MAX = 1_000;

    private static final int PATH_CHARS_MAX = 1_000;

    private static final List<Verdict> ORDER =
            List.of(Verdict.WRONG, Verdict.CHANGED, Verdict.NOTED, Verdict.HONOURED);

    private final List<AccountLine> account;
    private final Meeting meeting;
    private final Map<Place, Long> counts = new HashMap<>();
    private final Map<Meeting.Example, Iterable<Place>> known = new HashMap<>();
    private long requests;

    public TouchedLines(List<AccountLine> account, Meeting meeting) {
        this.account = List.copyOf(account);
        this.meeting = meeting;
    }

    /// Counts a request.
    ///
    /// @param authority as in `Host`; empty = not known
    /// @param target with its query
    public void add(String authority, String target) {
        requests++;
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String host = authority.replaceFirst(":[0-9]*$", "").toLowerCase(Locale.ROOT);
        Meeting.Example request = new Meeting.Example(host, path);
        Iterable<Place> met = known.get(request);
        if (met == null) {
            met = meeting.of(host, path);
            if (known.size() < KNOWN_MAX && path.length() <= PATH_CHARS_MAX) {
                known.put(request, met);
            }
        }
        met.forEach(place -> counts.merge(place, 1L, Long::sum));
    }

    /// The account with a count before each line: what changes first.
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(totals());
        for (Verdict verdict : ORDER) {
            for (AccountLine line : account) {
                if (line.verdict() == verdict) {
                    String word = verdict.name().toLowerCase(Locale.ROOT);
                    lines.add(String.format(Locale.ROOT, "%9s  %-8s %s", count(line), word, line));
                }
            }
        }
        return lines;
    }

    private String count(AccountLine line) {
        return meeting.isOfRequests(line.place())
                ? String.format(Locale.ROOT, "%,d", counts.getOrDefault(line.place(), 0L))
                : "–";
    }

    private String totals() {
        Map<Boolean, Long> lines = new LinkedHashMap<>();
        long changed = 0;
        for (AccountLine line : account) {
            if (meeting.isOfRequests(line.place())) {
                boolean met = counts.containsKey(line.place());
                lines.merge(met, 1L, Long::sum);
                changed += line.isFailure() && met ? 1 : 0;
            }
        }
        long met = lines.getOrDefault(true, 0L);
        return String.format(
                Locale.ROOT,
                "%,d requests have met %,d of %,d lines, %,d of them changed",
                requests,
                met,
                met + lines.getOrDefault(false, 0L),
                changed);
    }
}
