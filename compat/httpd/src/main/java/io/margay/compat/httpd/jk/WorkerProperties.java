package io.margay.compat.httpd.jk;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.syntax.TextFile;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The properties of `workers.properties` and of `JkWorkerProperty`, variables replaced and
/// references followed. Confined to one reading.
public final class WorkerProperties {
    /// Depth to which `reference` is followed, as in mod_jk.
    static final int REFERENCE_DEPTH_MAX = 20;

    private static final Set<String> LISTS =
            Set.of("list", "balance_workers", "balanced_workers", "mount", "user");
    private static final String WORKER = "worker.";

    /// A value and where it stands.
    record Value(String text, Place place) {}

    private final Map<String, Value> values = new LinkedHashMap<>();
    private final Map<String, String> environment;
    private final Account account;

    public WorkerProperties(Map<String, String> environment, Account account) {
        this.environment = environment;
        this.account = account;
    }

    /// Reads a file.
    public void read(TextFile file) {
        for (int i = 0; i < file.lines().size(); i++) {
            line(file.lines().get(i), new Place(file.name(), i + 1));
        }
    }

    /// Reads one line: `name=value`, with a comment anywhere.
    public void line(String text, Place place) {
        int comment = text.indexOf('#');
        String line = (comment < 0 ? text : text.substring(0, comment)).strip();
        if (line.isEmpty()) {
            return;
        }
        int equals = line.indexOf('=');
        if (equals <= 0) {
            account.wrong(place, line, "is not name=value; write one, or start the line with #");
            return;
        }
        String name = line.substring(0, equals).strip();
        String value = replace(line.substring(equals + 1).strip(), name, place);
        if (!name.startsWith(WORKER)) {
            account.honoured(place, name, "a variable, used as $(" + name + ")");
            values.put(name, new Value(value, place));
            return;
        }
        put(name, value, place);
    }

    private void put(String name, String value, Place place) {
        Value before = values.get(name);
        if (before == null) {
            values.put(name, new Value(value, place));
        } else if (LISTS.contains(directive(name))) {
            values.put(name, new Value(before.text + "," + value, before.place));
        } else {
            account.noted(before.place, name, "overridden by line " + place.line());
            values.put(name, new Value(value, place));
        }
    }

    private static String directive(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /// `$(name)` is a property that stands before, or else a variable of the environment.
    private String replace(String value, String name, Place place) {
        int at = value.indexOf("$(");
        if (at < 0) {
            return value;
        }
        StringBuilder result = new StringBuilder();
        int from = 0;
        while (at >= 0) {
            int end = value.indexOf(')', at);
            if (end < 0) {
                account.wrong(place, name, "\"$(\" without \")\"");
                return value;
            }
            String variable = value.substring(at + 2, end);
            Value known = values.get(variable);
            String text = known != null ? known.text : environment.get(variable);
            if (text == null) {
                account.wrong(
                        place,
                        name,
                        "$(" + variable + ") is not set; set it before, or in the environment");
                text = "";
            }
            result.append(value, from, at).append(text);
            from = end + 1;
            at = value.indexOf("$(", from);
        }
        return result.append(value, from, value.length()).toString();
    }

    /// The value of a whole property name, or null.
    @Nullable Value get(String name) {
        return values.get(name);
    }

    /// Every property whose name begins with `worker.`.
    public Map<String, Value> workerProperties() {
        Map<String, Value> found = new LinkedHashMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(WORKER)) {
                found.put(name, value);
            }
        });
        return found;
    }

    /// The names of workers about which something is said.
    Set<String> workerNames() {
        Set<String> names = new LinkedHashSet<>();
        for (String name : workerProperties().keySet()) {
            int dot = name.lastIndexOf('.');
            if (dot > WORKER.length()) {
                names.add(name.substring(WORKER.length(), dot));
            }
        }
        return names;
    }

    /// What is said about a worker, its own words before those of what it refers to.
    public Map<String, Value> of(String worker) {
        Map<String, Value> found = new LinkedHashMap<>();
        String prefix = WORKER + worker;
        for (int depth = 0; depth <= REFERENCE_DEPTH_MAX; depth++) {
            Value reference = values.get(prefix + ".reference");
            for (Map.Entry<String, Value> entry : values.entrySet()) {
                String name = entry.getKey();
                if (name.startsWith(prefix + ".")) {
                    String key = name.substring(prefix.length() + 1);
                    if (key.indexOf('.') < 0) {
                        found.putIfAbsent(key, entry.getValue());
                    }
                }
            }
            if (reference == null) {
                return found;
            }
            prefix = reference.text;
        }
        Value first = values.get(WORKER + worker + ".reference");
        account.wrong(
                first == null ? new Place("", 0) : first.place,
                WORKER + worker + ".reference",
                "has more than "
                        + REFERENCE_DEPTH_MAX
                        + " references in a chain, perhaps in a circle; break it");
        return found;
    }
}
