package io.margay.app.config.binding;

import io.margay.app.yaml.Amounts;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The forms that values of the file have. Stateless.
public final class Forms {
    private static final Pattern RANGE = Pattern.compile("(-?[0-9]+) to ([0-9]+)");

    private static final Pattern LIST = Pattern.compile("(.+?)(, at least one)?, each (.+)");

    private Forms() {}

    /// The form of a component whose type says all: true or false, a time, a path, a word of an
    /// enum, and numbers, which are bytes where the name says so, and of which long ones may be -1.
    @SuppressWarnings("unchecked")
    static <V> Form<V> ofType(Class<?> type, String name) {
        boolean bytes = name.contains("Bytes");
        Form<?> form = null;
        if (type == boolean.class || type == Boolean.class) {
            form = flag();
        } else if (type == Duration.class) {
            form = duration();
        } else if (type == int.class) {
            form =
                    bytes
                            ? bytes(0, Integer.MAX_VALUE).as(Math::toIntExact, Integer::longValue)
                            : whole(0, Integer.MAX_VALUE);
        } else if (type == long.class) {
            form = bytes ? bytes(-1, Long.MAX_VALUE) : number(-1);
        } else if (type == Path.class) {
            form = path();
        } else if (type.isEnum()) {
            form = word((Enum<?>[]) type.getEnumConstants());
        }
        if (form == null) {
            throw new IllegalStateException("the form of " + name + " is not said by " + type);
        }
        return (Form<V>) form;
    }

    /// A text that is described, or one that may be empty where `?` ends it; a range of whole
    /// numbers as in `0 to 9`; a list as in `names, each a name` or `names, at least one, each a
    /// name`.
    static Form<?> said(String says) {
        Matcher range = RANGE.matcher(says);
        if (range.matches()) {
            return whole(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
        }
        Matcher list = LIST.matcher(says);
        if (list.matches()) {
            return list(list.group(1), said(list.group(3)), list.group(2) == null ? 0 : 1);
        }
        return says.endsWith("?") ? textOrNone(says.substring(0, says.length() - 1)) : text(says);
    }

    /// A whole number that may be large.
    public static Form<Long> number(long min) {
        return scalar(Shape.whole(min, Long.MAX_VALUE), String::valueOf);
    }

    /// A word or number of which `parse` of the shape makes a value.
    @SuppressWarnings("unchecked")
    public static <V> Form<V> scalar(Shape.Scalar shape, Function<V, String> write) {
        return new Form<>(shape, (value, _, _) -> (V) value, (value, _) -> write.apply(value));
    }

    /// Any text that a check takes, written in quotes as the value says itself.
    public static <V> Form<V> parsed(String says, Function<String, V> parse) {
        return parsed(says, parse, Object::toString);
    }

    /// The same, written otherwise.
    public static <V> Form<V> parsed(
            String says, Function<String, V> parse, Function<V, String> text) {
        return scalar(Shape.text(says, parse::apply), value -> YamlText.quote(text.apply(value)));
    }

    /// A text with at least one character.
    public static Form<String> text(String says) {
        return scalar(Shape.text(says), YamlText::quote);
    }

    /// The name of a host, perhaps with `*.` at its beginning.
    public static Form<String> hostName() {
        return scalar(Shape.hostName(), YamlText::quote);
    }

    /// A text, a number, true or false, taken as it is written.
    public static Form<String> anyText() {
        return scalar(Shape.anyText(), YamlText::quote);
    }

    /// A text, or none.
    public static Form<String> textOrNone(String says) {
        return text(says, text -> text);
    }

    /// A text that a check takes.
    ///
    /// @param check returns the text; an IllegalArgumentException's message completes the problem
    public static Form<String> text(String says, Function<String, Object> check) {
        return scalar(Shape.text(says, check), YamlText::quote);
    }

    /// A text that fits.
    public static Form<String> matching(String says, Predicate<String> fits) {
        return matching(says, fits, "");
    }

    /// The same with more to say of one that does not.
    public static Form<String> matching(String says, Predicate<String> fits, String wrong) {
        return scalar(Shape.matching(says, fits, wrong), YamlText::quote);
    }

    /// A text that no message shows, long enough not to be guessed.
    public static Form<String> secret(int charsMin) {
        return matching("at least " + charsMin + " characters", text -> text.length() >= charsMin)
                .secret();
    }

    /// A whole number.
    public static Form<Integer> whole(int min, int max) {
        return new Form<>(
                Shape.whole(min, max),
                (value, _, _) -> Math.toIntExact((Long) value),
                (value, _) -> value.toString());
    }

    /// A percentage.
    public static Form<Double> percent() {
        return decimal("a percentage, as in 5%", "%", 100);
    }

    /// How many times something is as much as something else.
    public static Form<Double> factor() {
        return decimal("a factor, as in 1.5x", "x", 1000);
    }

    private static Form<Double> decimal(String says, String unit, double max) {
        Pattern form = Pattern.compile("([0-9]{1,4}(?:\\.[0-9]{1,3})?)" + unit);
        return scalar(
                Shape.text(
                        says,
                        text -> {
                            Matcher fits = form.matcher(text);
                            double value = fits.matches() ? Double.parseDouble(fits.group(1)) : -1;
                            if (value < 0 || value > max) {
                                throw new IllegalArgumentException("");
                            }
                            return value;
                        }),
                value -> YamlText.quote(decimal(value) + unit));
    }

    /// A number as people write it.
    public static String decimal(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /// A number of bytes.
    public static Form<Long> bytes(long min, long max) {
        return new Form<>(
                Shape.bytes(min, max),
                (value, _, _) -> (Long) value,
                (value, _) -> value.toString());
    }

    /// True or false.
    public static Form<Boolean> flag() {
        return scalar(Shape.flag(), String::valueOf);
    }

    /// A time.
    public static Form<Duration> duration() {
        return scalar(Shape.duration(), Amounts::write);
    }

    /// One of some values, each with its word.
    public static <V> Form<V> word(List<V> values, Function<V, String> word) {
        Map<String, V> byWord = new LinkedHashMap<>();
        values.forEach(value -> byWord.put(word.apply(value), value));
        return new Form<>(
                Shape.choice(byWord.keySet()),
                (text, _, _) -> byWord.get((String) text),
                (value, _) -> word.apply(value));
    }

    /// One of the constants, by their own words.
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <E extends Enum<?>> Form<E> word(E... values) {
        return word(List.of(values), words(values[0].getDeclaringClass())::apply);
    }

    /// One of some texts.
    public static Form<String> words(String... words) {
        return word(List.of(words), word -> word);
    }

    /// What constants themselves say that they are called, or their names in lower case.
    private static Function<Enum<?>, String> words(Class<?> type) {
        try {
            Method word = type.getMethod("word");
            return one -> String.valueOf(Draft.reflected(() -> word.invoke(one)));
        } catch (NoSuchMethodException e) {
            return one -> one.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// A path, whether or not it is there.
    public static Form<Path> path() {
        return new Form<>(
                Shape.path(),
                (value, at, _) -> at.reading().path((String) value),
                (value, _) -> YamlText.quote(value.toString()));
    }

    /// The path of what must be there.
    public static Form<Path> existing() {
        return new Form<>(
                Shape.path(),
                (value, at, _) -> at.reading().existing(at.section(), at.key(), (String) value),
                (value, _) -> YamlText.quote(value.toString()));
    }

    /// The path of a file that is needed later: that it cannot be read is reported as missing.
    public static Form<Path> readable() {
        return new Form<>(
                Shape.path(),
                (value, at, _) -> {
                    Path path = at.reading().path((String) value);
                    if (!Files.isReadable(path)) {
                        at.reading()
                                .missing()
                                .add(
                                        new Problem(
                                                at.section().position(at.key()),
                                                path + " cannot be read"));
                    }
                    return path;
                },
                existing().writer());
    }

    /// The path of a folder that must be there.
    public static Form<Path> folder() {
        return new Form<>(
                Shape.path(),
                (value, at, _) -> {
                    Path path = at.reading().existing(at.section(), at.key(), (String) value);
                    if (Files.exists(path) && !Files.isDirectory(path)) {
                        at.problem("\"" + at.key() + "\": " + path + " is not a folder");
                    }
                    return path;
                },
                existing().writer());
    }

    /// A list.
    public static <V> Form<List<V>> list(String says, Form<V> item, int min) {
        return list(new Shape.Items(says, item.shape(), min), item);
    }

    /// A list, or one item without the list around it.
    public static <V> Form<List<V>> listOrOne(String says, Form<V> item, int min) {
        return list(new Shape.Items(says, item.shape(), min, true), item);
    }

    private static <V> Form<List<V>> list(Shape.Items shape, Form<V> item) {
        return new Form<>(
                shape,
                (value, at, _) -> {
                    List<V> items = new ArrayList<>();
                    for (Object one : (List<?>) value) {
                        V read = item.reader().read(one, at, null);
                        if (read != null) {
                            items.add(read);
                        }
                    }
                    return List.copyOf(items);
                },
                (value, _) -> value.stream().map(one -> item.writer().write(one, null)).toList());
    }

    /// A section with free keys, which are names.
    public static <V> Form<Map<String, V>> named(String says, Form<V> item) {
        return named(says, "NAME", Shape.text("a name"), item);
    }

    /// A section with free keys.
    public static <V> Form<Map<String, V>> named(
            String says, String keyName, Shape.Scalar key, Form<V> item) {
        return new Form<>(
                new Shape.Named(says, keyName, key, item.shape()),
                (value, at, _) -> {
                    Settings named = (Settings) value;
                    Map<String, V> items = new LinkedHashMap<>();
                    for (String name : named.keys()) {
                        Object one = named.get(name, Object.class).orElseThrow();
                        V read =
                                item.reader()
                                        .read(one, new Form.Spot(named, name, at.reading()), null);
                        if (read != null) {
                            items.put(name, read);
                        }
                    }
                    return items;
                },
                (value, _) -> {
                    Map<String, Object> written = new LinkedHashMap<>();
                    sorted(value)
                            .forEach((name, one) ->
                                    written.put(
                                            YamlText.quote(name), item.writer().write(one, null)));
                    return written;
                });
    }

    /// Maps without an order are written by their keys.
    private static <V> Map<String, V> sorted(Map<String, V> map) {
        return map instanceof LinkedHashMap ? map : new TreeMap<>(map);
    }

    /// A section that is a record.
    public static <R> Form<R> section(Keys<R> keys) {
        return new Form<>(
                keys.shape(),
                (value, at, otherwise) ->
                        keys.read(
                                (Settings) value,
                                otherwise == null ? keys.defaults() : otherwise,
                                at.reading()),
                (value, otherwise) ->
                        keys.write(value, otherwise == null ? keys.defaults() : otherwise));
    }
}
