package io.margay.compat.httpd.jk;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.jk.WorkerProperties.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The directives of one worker, read into values; what is malformed goes to the account. Confined
/// to one reading.
final class WorkerSettings {
    private final String worker;
    private final Map<String, Value> values;
    private final Account account;

    WorkerSettings(String worker, Map<String, Value> values, Account account) {
        this.worker = worker;
        this.values = values;
        this.account = account;
    }

    String worker() {
        return worker;
    }

    boolean has(WorkerDirective directive) {
        return values.containsKey(directive.word());
    }

    /// Where a directive stands, or where the worker is first spoken of.
    Place place(WorkerDirective directive) {
        Value value = values.get(directive.word());
        return value != null
                ? value.place()
                : values.values().stream().findFirst().map(Value::place).orElse(new Place("", 0));
    }

    String text(WorkerDirective directive, String byDefault) {
        Value value = values.get(directive.word());
        return value == null ? byDefault : value.text();
    }

    /// The name with which messages call a directive.
    String name(WorkerDirective directive) {
        return "worker." + worker + "." + directive.word();
    }

    /// A number within bounds; the default where it is malformed, which is reported.
    int number(WorkerDirective directive, int byDefault, int least, int most) {
        String text = text(directive, "").strip();
        if (text.isEmpty()) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, with what is out of bounds.
        }
        wrong(directive, "\"" + text + "\" is not a number from " + least + " to " + most);
        return byDefault;
    }

    int number(WorkerDirective directive, int byDefault) {
        return number(directive, byDefault, 0, Integer.MAX_VALUE);
    }

    Duration millis(WorkerDirective directive, int byDefault) {
        return Duration.ofMillis(number(directive, byDefault));
    }

    Duration seconds(WorkerDirective directive, int byDefault) {
        return Duration.ofSeconds(number(directive, byDefault));
    }

    /// mod_jk's truths: a number, on and off, or what begins with t, y, f, n.
    boolean flag(WorkerDirective directive, boolean byDefault) {
        String text = text(directive, "").strip().toLowerCase(Locale.ROOT);
        if (text.isEmpty()) {
            return byDefault;
        }
        char first = text.charAt(0);
        if (text.equals("on") || first == 't' || first == 'y') {
            return true;
        }
        if (text.equals("off") || first == 'f' || first == 'n') {
            return false;
        }
        if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return !text.chars().allMatch(c -> c == '0');
        }
        wrong(directive, "\"" + text + "\" is neither true nor false");
        return byDefault;
    }

    /// Words between commas and spaces.
    List<String> words(WorkerDirective directive) {
        return split(text(directive, ""));
    }

    static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        for (String word : text.split("[,\\s]+")) {
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
        return words;
    }

    void wrong(WorkerDirective directive, String text) {
        account.wrong(place(directive), name(directive), text);
    }

    void noted(WorkerDirective directive, String text) {
        account.noted(place(directive), name(directive), text);
    }
}
