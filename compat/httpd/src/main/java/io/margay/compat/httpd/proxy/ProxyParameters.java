package io.margay.compat.httpd.proxy;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.syntax.HttpdTime;
import io.margay.compat.httpd.syntax.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Parameters of one worker or balancer of mod_proxy. Confined to one reading.
public final class ProxyParameters {
    private final Map<ProxyParameter, String> values = new EnumMap<>(ProxyParameter.class);
    private final Place place;
    private final String directive;
    private final Account account;

    public ProxyParameters(Place place, String directive, Account account) {
        this.place = place;
        this.directive = directive;
        this.account = account;
    }

    public Place place() {
        return place;
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /// Reads `key=value`, or says what is wrong with it.
    public void read(String text) {
        int equals = text.indexOf('=');
        String key = equals < 0 ? text : text.substring(0, equals);
        ProxyParameter parameter = ProxyParameter.of(key);
        if (equals < 0 || parameter == null) {
            account.wrong(
                    place,
                    directive,
                    "\""
                            + text
                            + "\" is not a parameter"
                            + Spelling.hint(
                                    key,
                                    java.util.Arrays.stream(ProxyParameter.values())
                                            .map(ProxyParameter::word)
                                            .toList()));
            return;
        }
        if (!parameter.instead().isEmpty()) {
            account.noted(place, directive + " " + parameter.word(), parameter.instead());
        }
        values.put(parameter, text.substring(equals + 1));
    }

    /// Takes over what another says.
    public void add(ProxyParameters other) {
        values.putAll(other.values);
    }

    /// Takes over what another says and this does not.
    void addMissing(ProxyParameters other) {
        other.values.forEach(values::putIfAbsent);
    }

    public String text(ProxyParameter parameter, String byDefault) {
        return values.getOrDefault(parameter, byDefault);
    }

    public int number(ProxyParameter parameter, int byDefault) {
        String text = values.get(parameter);
        if (text == null) {
            return byDefault;
        }
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            wrong(parameter, "\"" + text + "\" is not a number");
            return byDefault;
        }
    }

    double factor(ProxyParameter parameter, double byDefault) {
        String text = values.get(parameter);
        try {
            double number = text == null ? byDefault : Double.parseDouble(text);
            if (number >= 1 && number <= 100) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, with what is out of bounds.
        }
        wrong(parameter, "\"" + text + "\" is not a number from 1 to 100");
        return byDefault;
    }

    public boolean flag(ProxyParameter parameter, boolean byDefault) {
        String text = values.get(parameter);
        if (text == null) {
            return byDefault;
        }
        boolean on = text.equalsIgnoreCase("on");
        if (!on && !text.equalsIgnoreCase("off")) {
            wrong(parameter, "\"" + text + "\" is neither On nor Off");
        }
        return on;
    }

    /// Seconds, or with a unit: `500ms`, `2s`, `1mi`.
    public Duration time(ProxyParameter parameter, Duration byDefault) {
        String text = values.get(parameter);
        if (text == null) {
            return byDefault;
        }
        return HttpdTime.parse(text, 1000)
                .orElseGet(() -> {
                    wrong(parameter, "\"" + text + "\" is not a time, as in 30 or 500ms");
                    return byDefault;
                });
    }

    List<Integer> statuses(ProxyParameter parameter) {
        List<Integer> statuses = new ArrayList<>();
        for (String word : text(parameter, "").split(",")) {
            if (word.matches("[1-5][0-9][0-9]")) {
                statuses.add(Integer.parseInt(word));
            } else if (!word.isBlank()) {
                wrong(parameter, "\"" + word + "\" is not a status code");
            }
        }
        return statuses;
    }

    public void wrong(ProxyParameter parameter, String text) {
        account.wrong(place, directive + " " + parameter.word(), text);
    }

    public void changed(ProxyParameter parameter, String text) {
        account.changed(place, directive + " " + parameter.word(), text);
    }

    @Override
    public String toString() {
        return values.toString().toLowerCase(Locale.ROOT);
    }
}
