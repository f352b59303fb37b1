package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleLimits;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.forwarded.Networks;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.MurmurHash2;
import org.jspecify.annotations.Nullable;

/// A map of rules, ready to be asked. Thread-safe.
interface RuleMap {
    /// What nginx takes for an address that is none.
    String NOWHERE = "255.255.255.255";

    /// An address of IPv4 with all of its parts.
    Pattern WHOLE = Pattern.compile("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}");

    /// The value, or null when the map has none.
    @Nullable String get(String key);

    /// Makes one. A file that is not there has no values.
    static RuleMap of(MapSource source, RuleLimits limits) {
        return switch (source) {
            case MapSource.Made(MapSource.Function function) -> key -> made(function, key);
            case MapSource.Geo(Map<String, String> values) -> geo(values);
            case MapSource.Split(List<MapSource.Split.Part> parts) -> key -> split(parts, key);
            case MapSource.Lines lines -> {
                CachedFile<Map<String, String>> file =
                        new CachedFile<>(
                                lines.file(),
                                limits.fileBytesMax(),
                                RuleMap::parse,
                                Map.of(),
                                System::nanoTime);
                yield lines.random()
                        ? key -> oneOf(file.get().get(key), ThreadLocalRandom.current())
                        : key -> file.get().get(key);
            }
        };
    }

    private static @Nullable String made(MapSource.Function function, String key) {
        return switch (function) {
            case LOWER -> key.toLowerCase(Locale.ROOT);
            case UPPER -> key.toUpperCase(Locale.ROOT);
            case ESCAPE -> RulePath.encode(key);
            case PARAMETER -> PercentEncoding.encode(key, "_");
            case UNESCAPE -> {
                try {
                    yield URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
                } catch (IllegalArgumentException e) {
                    yield null;
                }
            }
        };
    }

    private static RuleMap geo(Map<String, String> values) {
        record Place(int bits, Networks networks, String value) {}
        List<Place> places = new ArrayList<>();
        values.forEach((text, value) -> {
            int slash = text.indexOf('/');
            int bits = slash < 0 ? Integer.MAX_VALUE : Integer.parseInt(text.substring(slash + 1));
            places.add(new Place(bits, Networks.of(List.of(text)), value));
        });
        places.sort(Comparator.comparingInt(Place::bits).reversed());
        return key -> {
            InetAddress address = address(key);
            for (Place one : places) {
                if (one.networks.includes(address)) {
                    return one.value;
                }
            }
            return null;
        };
    }

    private static InetAddress address(String text) {
        boolean whole = text.indexOf(':') >= 0 || WHOLE.matcher(text).matches();
        try {
            return InetAddress.ofLiteral(whole ? text : NOWHERE);
        } catch (IllegalArgumentException e) {
            return InetAddress.ofLiteral(NOWHERE);
        }
    }

    private static @Nullable String split(List<MapSource.Split.Part> parts, String key) {
        byte[] data = key.getBytes(StandardCharsets.UTF_8);
        long hash = Integer.toUnsignedLong(MurmurHash2.hash32(data, data.length, 0));
        for (MapSource.Split.Part part : parts) {
            if (hash < part.below()) {
                return part.value();
            }
        }
        return null;
    }

    private static @Nullable String oneOf(@Nullable String values, RandomGenerator random) {
        if (values == null) {
            return null;
        }
        List<String> all = List.of(values.split("\\|"));
        return all.get(random.nextInt(all.size()));
    }

    /// A key, blanks, a value; `#` begins a comment.
    private static Map<String, String> parse(byte[] bytes) {
        Map<String, String> values = new HashMap<>();
        new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> line.strip().split("\\s+"))
                .filter(words -> words.length > 1)
                .forEach(words -> values.putIfAbsent(words[0], words[1]));
        return values;
    }
}
