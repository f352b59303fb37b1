package io.margay.gateway.rules;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where a map of rules, `${map:key}`, has its values from. Immutable.
public sealed interface MapSource {
    /// It makes them of the key.
    record Made(Function function) implements MapSource {}

    /// A file with a key and a value in each line, read again when it changes.
    ///
    /// @param random whether a value is several, separated by `|`, of which one is taken by chance
    record Lines(Path file, boolean random) implements MapSource {}

    /// The value of the smallest network that an address is in, as nginx's `geo` has it. What is no
    /// address is taken for 255.255.255.255, as there.
    ///
    /// @param values by networks and addresses, as [io.margay.server.forwarded.Networks] reads them
    record Geo(Map<String, String> values) implements MapSource {
        public Geo {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }
    }

    /// A value for each part of all keys, by their MurmurHash2, as nginx's `split_clients` has it.
    record Split(List<Part> parts) implements MapSource {
        /// @param below the first hash that is not in it, from 0 to 2³²
        public record Part(long below, String value) {}

        public Split {
            parts = List.copyOf(parts);
        }
    }

    /// Whether a signed link holds, as nginx's `secure_link` says it: `1`; `0` when its time is
    /// over; no value when it does not. The key is made of three parts with blanks between them:
    /// microseconds since 1970; the link, the MD5 in base64 of URLs, and behind a comma the second
    /// until which it holds; and what the MD5 is made of, in which a secret stands. With `hex` as
    /// the first part the MD5 is in hexadecimal, and the link holds for ever.
    record Link() implements MapSource {}

    /// What is made of a key.
    enum Function {
        /// Letters in lower case.
        LOWER,

        /// Letters in upper case.
        UPPER,

        /// Percent-encoded.
        ESCAPE,

        /// Decoded.
        UNESCAPE,

        /// Percent-encoded as the value of a parameter: all but letters, digits and `_`.
        PARAMETER
    }
}
