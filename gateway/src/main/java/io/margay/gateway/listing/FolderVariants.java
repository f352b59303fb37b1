package io.margay.gateway.listing;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What sections say of files that stand for a name without its endings, as mod_negotiation finds
/// them, and of the languages and codings that names say. Immutable.
public final class FolderVariants {
    /// Of a section that says nothing.
    public static final FolderVariants NONE = new FolderVariants(null, List.of());

    private final @Nullable Boolean on;
    private final List<List<String>> lines;
    private final VariantSettings settings;

    /// @param on whether such files are looked for; null = the section says nothing
    /// @param lines name and arguments of each directive, those of outer sections first
    public FolderVariants(@Nullable Boolean on, List<List<String>> lines) {
        this.on = on;
        this.lines = lines.stream().map(List::copyOf).toList();
        settings = VariantSettings.of(this.lines);
    }

    /// What one section says, with lines as httpd writes them.
    public static FolderVariants of(@Nullable Boolean on, List<String> lines) {
        return on == null && lines.isEmpty()
                ? NONE
                : new FolderVariants(on, lines.stream().map(FolderListing::words).toList());
    }

    /// What holds where a later section says something, too.
    public FolderVariants then(FolderVariants later) {
        if (later.isNone()) {
            return this;
        }
        if (isNone()) {
            return later;
        }
        List<List<String>> all = new ArrayList<>(lines);
        all.addAll(later.lines);
        return new FolderVariants(later.on != null ? later.on : on, all);
    }

    private boolean isNone() {
        return on == null && lines.isEmpty();
    }

    /// Whether such files are looked for; null = nothing is said.
    public @Nullable Boolean on() {
        return on;
    }

    /// Whether such files are looked for.
    public boolean isOn() {
        return Boolean.TRUE.equals(on);
    }

    /// What the lines say.
    public VariantSettings settings() {
        return settings;
    }

    /// The lines, as [#of] reads them.
    public List<String> texts() {
        return lines.stream()
                .map(line -> String.join(" ", line.stream().map(FolderListing::quoted).toList()))
                .toList();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FolderVariants those
                && Objects.equals(on, those.on)
                && lines.equals(those.lines);
    }

    @Override
    public int hashCode() {
        return Objects.hash(on, lines);
    }

    @Override
    public String toString() {
        return on + " " + lines;
    }
}
