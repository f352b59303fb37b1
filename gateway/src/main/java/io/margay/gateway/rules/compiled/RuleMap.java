package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleLimits;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.forwarded.NetworkValues;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
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

    /// An MD5 in base64 of URLs.
    Pattern SUM = Pattern.compile("[A-Za-z0-9_-]{22}={0,2}");

    /// From 1 on.
    Pattern SECONDS = Pattern.compile("0{0,9}[1-9][0-9]{0,11}");

    long MICROS = 1_000_000;

    /// The value, or null when the map has none.
    @Nullable String get(String key);

    /// Makes one. A file that is not there has no values.
    static RuleMap of(MapSource source, RuleLimits limits) {
        return switch (source) {
            case MapSource.Made(MapSource.Function function) -> key -> made(function, key);
            case MapSource.Geo(Map<String, String> values) -> geo(values);
            case MapSource.Link _ -> RuleMap::link;
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
        NetworkValues networks = new NetworkValues(values);
        return key -> networks.get(address(key));
    }

    private static InetAddress address(String text) {
        boolean whole = text.indexOf(':') >= 0 || WHOLE.matcher(text).matches();
        try {
            return InetAddress.ofLiteral(whole ? text : NOWHERE);
        } catch (IllegalArgumentException e) {
            return InetAddress.ofLiteral(NOWHERE);
        }
    }

    private static @Nullable String link(String key) {
        String[] parts = key.split(" ", 3);
        if (parts.length < 3) {
            return null;
        }
        byte[] made = md5(parts[2].getBytes(StandardCharsets.UTF_8));
        if (parts[0].equals("hex")) {
            byte[] said = parts[1].toLowerCase(Locale.ROOT).getBytes(StandardCharsets.ISO_8859_1);
            byte[] written = HexFormat.of().formatHex(made).getBytes(StandardCharsets.ISO_8859_1);
            return MessageDigest.isEqual(said, written) ? "1" : null;
        }
        int comma = parts[1].indexOf(',');
        String until = comma < 0 ? "" : parts[1].substring(comma + 1);
        String sum = comma < 0 ? parts[1] : parts[1].substring(0, comma);
        boolean readable = comma < 0 || SECONDS.matcher(until).matches();
        if (!readable || !SUM.matcher(sum).matches()) {
            return null;
        }
        byte[] said = Base64.getUrlDecoder().decode(sum.replaceFirst("=+$", ""));
        if (!MessageDigest.isEqual(said, made)) {
            return null;
        }
        long now = Long.parseLong(parts[0]) / MICROS;
        return comma >= 0 && Long.parseLong(until) < now ? "0" : "1";
    }

    private static byte[] md5(byte[] text) {
        try {
            return MessageDigest.getInstance("MD5").digest(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
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
