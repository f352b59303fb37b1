package io.margay.app.migrate;

import io.margay.app.config.binding.YamlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A mapping of YAML on one line. Confined to one thread.
public final class YamlLine {
    private final List<String> parts = new ArrayList<>();

    /// Adds a text, quoted.
    YamlLine text(String key, String value) {
        return raw(key, YamlText.quote(value));
    }

    /// Adds a list of texts.
    YamlLine texts(String key, List<String> values) {
        return raw(key, list(values));
    }

    /// Adds a mapping of texts.
    YamlLine map(String key, Map<String, String> values) {
        YamlLine line = new YamlLine();
        values.forEach((name, value) -> line.raw(YamlText.quote(name), YamlText.quote(value)));
        return raw(key, line.toString());
    }

    /// Adds a number that is not the default.
    YamlLine number(String key, long value, long byDefault) {
        return value == byDefault ? this : raw(key, String.valueOf(value));
    }

    /// Adds a flag that is not the default.
    YamlLine flag(String key, boolean value, boolean byDefault) {
        return value == byDefault ? this : raw(key, String.valueOf(value));
    }

    /// Adds a value as it is.
    YamlLine raw(String key, String value) {
        parts.add(key + ": " + value);
        return this;
    }

    /// A list of texts.
    static String list(List<String> values) {
        return "[" + String.join(", ", values.stream().map(YamlText::quote).toList()) + "]";
    }

    @Override
    public String toString() {
        return "{" + String.join(", ", parts) + "}";
    }
}
