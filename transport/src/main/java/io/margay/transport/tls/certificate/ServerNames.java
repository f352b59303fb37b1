package io.margay.transport.tls.certificate;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Something for each host name: that of the exact name, then of the longest `*.suffix`, then that
/// for all others, as virtual hosts are found. Immutable.
public final class ServerNames<T> {
    private final Map<String, T> exact = new HashMap<>();
    private final Map<String, T> suffixes = new HashMap<>();
    private final T others;

    /// Names and what they stand for; of a name that stands there twice the first counts.
    public record Entry<T>(List<String> names, T value) {}

    /// @param others what holds for all other names
    public ServerNames(T others, List<Entry<T>> entries) {
        this.others = others;
        for (Entry<T> entry : entries) {
            for (String name : entry.names) {
                if (name.startsWith("*.")) {
                    suffixes.putIfAbsent(name.substring(1), entry.value);
                } else {
                    exact.putIfAbsent(name, entry.value);
                }
            }
        }
    }

    /// @param host in any case, also with a dot at its end; null where none is named
    public T of(@Nullable String host) {
        if (host == null || (exact.isEmpty() && suffixes.isEmpty())) {
            return others;
        }
        String name = host.toLowerCase(Locale.ROOT);
        if (name.endsWith(".")) {
            name = name.substring(0, name.length() - 1);
        }
        T found = exact.get(name);
        for (int dot = name.indexOf('.'); found == null && dot >= 0; ) {
            found = suffixes.get(name.substring(dot));
            dot = name.indexOf('.', dot + 1);
        }
        return found != null ? found : others;
    }

    /// Whether names make a difference.
    public boolean differ() {
        return all().size() > 1;
    }

    /// Each once, that for all other names first.
    public Set<T> all() {
        Set<T> all = new LinkedHashSet<>();
        all.add(others);
        all.addAll(exact.values());
        all.addAll(suffixes.values());
        return all;
    }
}
