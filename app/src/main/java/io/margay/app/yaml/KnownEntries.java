package io.margay.app.yaml;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What readings of a file have made of the entries of its long list, so that the next reading
/// makes only those anew that are written otherwise. Confined to one thread at a time.
public final class KnownEntries {
    private final String key;
    private Map<String, Known> entries = Map.of();
    private Map<String, String> variables = Map.of();
    private String frame = "";
    private boolean sameFrame;

    /// What was made of an entry.
    ///
    /// @param nodes how many values it has
    record Known(Object made, int nodes) {}

    /// @param key the key of the list, at the top level of the file
    public KnownEntries(String key) {
        this.key = key;
    }

    /// Whether the last reading found all that stands outside of the list as the one before.
    public boolean isFrameSame() {
        return sameFrame;
    }

    String key() {
        return key;
    }

    /// What was made of an entry that is written like this, or null.
    @Nullable Known known(String text) {
        return entries.get(text);
    }

    /// A reading begins; what variables stand for belongs to what entries say.
    void begin(Map<String, String> variables) {
        if (!this.variables.equals(variables)) {
            forget();
            this.variables = Map.copyOf(variables);
        }
    }

    /// A reading has come to an end without problems.
    void replace(String frame, Map<String, Known> entries) {
        sameFrame = this.frame.equals(frame);
        this.frame = frame;
        this.entries = entries;
    }

    /// Nothing is known any more.
    public void forget() {
        entries = new HashMap<>();
        frame = "";
        sameFrame = false;
    }
}
