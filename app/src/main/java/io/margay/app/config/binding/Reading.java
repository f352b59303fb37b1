package io.margay.app.config.binding;

import io.margay.app.yaml.Nearest;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The file that is read. Used by one thread.
///
/// @param base the folder that paths are relative to
/// @param problems what is wrong with the file
/// @param missing applications and folders that are not there
/// @param upstreams names of those that stand in the file
public record Reading(
        Path base, List<Problem> problems, List<Problem> missing, Set<String> upstreams) {
    /// A file, or a part of one, without upstreams.
    public Reading(Path base, List<Problem> problems, List<Problem> missing) {
        this(base, problems, missing, Set.of());
    }

    /// Reports a problem at a key.
    public void problem(Settings section, String key, String message) {
        problems.add(new Problem(section.position(key), message));
    }

    /// What is made of a section; empty where that is refused, which is reported at a key by the
    /// first line of the IllegalArgumentException's message.
    public <V> Optional<V> made(Settings section, String key, Supplier<V> made) {
        try {
            return Optional.of(made.get());
        } catch (IllegalArgumentException e) {
            problem(section, key, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            return Optional.empty();
        }
    }

    /// Whether the file has an upstream of this name; a missing one is reported.
    public boolean hasUpstream(Settings section, String key, String name) {
        if (upstreams.contains(name)) {
            return true;
        }
        String hint = Nearest.hint(name, upstreams);
        problem(section, key, "there is no upstream \"" + name + "\"" + hint);
        return false;
    }

    /// Reports keys that are given and belong elsewhere.
    public void strangers(Settings section, List<String> keys, String owner) {
        for (String key : keys) {
            if (section.has(key)) {
                problem(section, key, "\"" + key + "\" belongs to " + owner);
            }
        }
    }

    /// The path that a text stands for.
    public Path path(String text) {
        return base.resolve(text).normalize();
    }

    /// The same, also when it is not there, which is then reported.
    public Path existing(Settings section, String key, String text) {
        Path path = path(text);
        if (!Files.exists(path)) {
            problem(section, key, "\"" + key + "\": " + path + " does not exist");
        }
        return path;
    }
}
