package io.margay.shadow;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Compares JSON as values: neither blanks nor the order of members nor how a number is written
/// says anything. Stateless.
record JsonComparison(Found found) {
    private static final JSON READER =
            JSON.builder().enable(JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS).build();
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final int PLACE_CHARS_MAX = 160;

    static void compare(byte[] old, byte[] fresh, Found found) {
        Object left;
        Object right;
        try {
            left = read(old);
        } catch (IOException e) {
            BytesComparison.compare(old, fresh, found); // The old server's is none, either.
            return;
        }
        try {
            right = read(fresh);
        } catch (IOException e) {
            found.add(Kind.FORM, "", "JSON", "JSON that cannot be read");
            return;
        }
        new JsonComparison(found).value("", "", left, right);
    }

    private static @Nullable Object read(byte[] bytes) throws IOException {
        try (JsonParser parser = FACTORY.createParser(bytes)) {
            Object value = READER.anyFrom(parser);
            if (parser.nextToken() != null) {
                throw new IOException("there is more than one value");
            }
            return value;
        }
    }

    /// @param name of the member, which may say that it is nobody's business
    private void value(String place, String name, @Nullable Object old, @Nullable Object fresh) {
        if (found.isFull()) {
            return;
        }
        if (old instanceof Map<?, ?> left && fresh instanceof Map<?, ?> right) {
            members(place, name, left, right);
        } else if (old instanceof List<?> left && fresh instanceof List<?> right) {
            elements(place, name, left, right);
        } else if (!isSame(old, fresh)) {
            boolean texts = old instanceof String && fresh instanceof String;
            if (!Shown.isSecret(name)) {
                found.add(Kind.CHANGED, shown(place), text(old), text(fresh));
            } else if (!texts) {
                found.addSecret(Kind.CHANGED, shown(place), "(not shown)");
            }
        }
    }

    private void members(String place, String of, Map<?, ?> old, Map<?, ?> fresh) {
        TreeSet<String> names = new TreeSet<>();
        old.keySet().forEach(each -> names.add(String.valueOf(each)));
        fresh.keySet().forEach(each -> names.add(String.valueOf(each)));
        for (String name : names) {
            String said = Shown.isSecret(of) ? of : name;
            String at = place + "/" + PathPattern.part(name);
            if (!fresh.containsKey(name)) {
                one(Kind.MISSING, at, said, old.get(name));
            } else if (!old.containsKey(name)) {
                one(Kind.ADDED, at, said, fresh.get(name));
            } else {
                value(at, said, old.get(name), fresh.get(name));
            }
        }
    }

    private void elements(String place, String name, List<?> old, List<?> fresh) {
        String at = place + "/*";
        for (Alignment.Pair<Box> pair :
                Alignment.of(boxed(old), boxed(fresh), Box::hash, Box::kind)) {
            Box left = pair.old();
            Box right = pair.fresh();
            if (left != null && right != null) {
                value(at, name, left.value, right.value);
            } else if (left != null) {
                one(Kind.MISSING, at, name, left.value);
            } else if (right != null) {
                one(Kind.ADDED, at, name, right.value);
            }
        }
    }

    /// An element of an array, which may be null.
    private record Box(@Nullable Object value, long hash) {
        long kind() {
            return switch (value) {
                case Map<?, ?> _ -> 1;
                case List<?> _ -> 2;
                case null, default -> 3;
            };
        }
    }

    private static List<Box> boxed(List<?> values) {
        List<Box> boxed = new ArrayList<>();
        values.forEach(value -> boxed.add(new Box(value, deep(value))));
        return boxed;
    }

    /// The same for values that are the same.
    private static long deep(@Nullable Object value) {
        return switch (value) {
            case null -> 1;
            case Map<?, ?> map -> {
                long sum = 7;
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    long name = String.valueOf(entry.getKey()).hashCode();
                    sum += 31 * name + name * deep(entry.getValue());
                }
                yield sum;
            }
            case List<?> list -> {
                long sum = 11;
                for (Object each : list) {
                    sum = 1_000_003L * sum + deep(each);
                }
                yield sum;
            }
            case Number number -> decimal(number).stripTrailingZeros().hashCode();
            default -> 13L * value.hashCode() + value.getClass().getName().hashCode();
        };
    }

    private static boolean isSame(@Nullable Object old, @Nullable Object fresh) {
        if (old instanceof Number left && fresh instanceof Number right) {
            return left.toString().equals(right.toString())
                    || decimal(left).compareTo(decimal(right)) == 0;
        }
        if (old instanceof String left && fresh instanceof String right) {
            return Shown.withoutSessions(left).equals(Shown.withoutSessions(right));
        }
        return Objects.equals(old, fresh);
    }

    private static BigDecimal decimal(Number number) {
        return number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString());
    }

    private void one(Kind kind, String place, String name, @Nullable Object value) {
        String text = Shown.isSecret(name) ? "(not shown)" : text(value);
        found.add(
                kind, shown(place), kind == Kind.ADDED ? "" : text, kind == Kind.ADDED ? text : "");
    }

    /// Of what has members, only that: they may have names that are nobody's business.
    private static String text(@Nullable Object value) {
        return switch (value) {
            case Map<?, ?> map -> "an object of " + map.size();
            case List<?> list -> "an array of " + list.size();
            case String text -> "\"" + Shown.withoutSessions(text) + "\"";
            case null, default -> String.valueOf(value);
        };
    }

    private static String shown(String place) {
        if (place.isEmpty()) {
            return "/";
        }
        return place.length() <= PLACE_CHARS_MAX
                ? place
                : "…" + place.substring(place.length() - PLACE_CHARS_MAX);
    }
}
