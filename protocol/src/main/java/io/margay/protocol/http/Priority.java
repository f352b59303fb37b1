package io.margay.protocol.http;

import org.jspecify.annotations.Nullable;

/// How urgently a response is wanted (RFC 9218 §4). Immutable.
///
/// @param urgency from 0, the most urgent, to 7
/// @param incremental whether a part of the response is of use before the rest has come
public record Priority(int urgency, boolean incremental) {
    /// Urgencies that there are.
    public static final int URGENCIES = 8;

    /// What holds where nothing else was said.
    public static final Priority DEFAULT = new Priority(3, false);

    public Priority {
        if (urgency < 0 || urgency >= URGENCIES) {
            throw new IllegalArgumentException("urgency " + urgency);
        }
    }

    /// What the `priority` fields of a request say; null when there are none.
    public static @Nullable Priority of(Fields fields) {
        return fields.contains("priority")
                ? DEFAULT.changedBy(String.join(",", fields.all("priority")))
                : null;
    }

    /// The same with what a value of the field says. A value that breaks the rules says nothing,
    /// nor does a parameter that is unknown or out of range (RFC 9218 §4, RFC 8941 §4.2).
    public Priority changedBy(String value) {
        Found found = new Found(this);
        return StructuredDictionary.read(value, found)
                ? new Priority(found.urgency, found.incremental)
                : this;
    }

    private static final class Found implements StructuredDictionary.Members {
        private final Priority before;
        private int urgency;
        private boolean incremental;

        Found(Priority before) {
            this.before = before;
            urgency = before.urgency;
            incremental = before.incremental;
        }

        @Override
        public void integer(String key, long number) {
            if (key.equals("u") && number >= 0 && number < URGENCIES) {
                urgency = (int) number;
            } else {
                other(key);
            }
        }

        @Override
        public void bool(String key, boolean value) {
            if (key.equals("i")) {
                incremental = value;
            } else {
                other(key);
            }
        }

        /// The last member of a name counts, so one without meaning takes back those before it.
        @Override
        public void other(String key) {
            if (key.equals("u")) {
                urgency = before.urgency;
            } else if (key.equals("i")) {
                incremental = before.incremental;
            }
        }
    }
}
