package io.margay.app.yaml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Writes a shape as lists in Markdown, one per section, on several pages. What recurs is written
/// once, on the page [#PARTS], and linked. Used by one thread.
public final class ReferenceWriter {
    /// The page of the top level.
    public static final String INDEX = "";

    /// The page of sections and keys that several sections share.
    public static final String PARTS = "parts";

    /// The page of each section, by the beginning of its path; the longest beginning decides.
    private static final Map<String, String> PAGES =
            Map.ofEntries(
                    Map.entry("listeners", "listeners"),
                    Map.entry("hosts", "hosts"),
                    Map.entry("hosts[].rules", "rules"),
                    Map.entry("hosts[].routes", "routes"),
                    Map.entry("hosts[].access", "access"),
                    Map.entry("hosts[].access-log", "hosts"),
                    Map.entry("upstreams", "upstreams"),
                    Map.entry("sessions", "limits"),
                    Map.entry("workers", "limits"),
                    Map.entry("limits", "limits"),
                    Map.entry("deploy", "deploy"),
                    Map.entry("resources", "deploy"),
                    Map.entry("register", "server"),
                    Map.entry("acme", "server"),
                    Map.entry("shared", "server"),
                    Map.entry("admin", "server"),
                    Map.entry("telemetry", "server"));

    /// Pages that keep the sections which only they share.
    private static final Set<String> OWN_PARTS = Set.of("rules", "access");

    /// Sections at least that have the same key, for it to be written among the shared ones.
    private static final int COMMON_MIN = 5;

    /// Equal keys at least, for a list to refer to another one.
    private static final int ALIKE_MIN = 4;

    /// How a key of upstreams begins that is the default of a key of its members.
    private static final String OF_MEMBERS = "Default of its members: ";

    /// What stands between a value and its default.
    private static final String DEFAULT = "; **";

    /// What stands between a value and the meaning, until a line is written.
    private static final String BAR = " | ";

    /// Words for a default that is nothing, or that stands in a list of its own.
    private static final Set<String> NO_DEFAULT = Set.of("", "none", "as listed");

    /// Values that a literal default tells, and such defaults.
    private static final Pattern PLAIN = Pattern.compile("boolean|duration|size|≥ -?\\d+");

    private static final Pattern LITERAL = Pattern.compile("true|false|-?\\d+\\w*");

    private static final Pattern WHOLE =
            Pattern.compile("a whole number from (-?\\d+)(?: to (\\d+))?");

    /// How the lists name values whose forms the index explains.
    private static final Map<String, String> VALUES =
            Map.of(
                    "true or false", "boolean",
                    "a time with its unit, such as 500ms, 30s, 5m, 2h", "duration",
                    "a number of bytes, such as 8192, 8KiB, 2MiB", "size",
                    "a path, relative to the file", "file",
                    "a regular expression", "regex",
                    "a text with %{VARIABLE}", "template",
                    "a path, in which * is any run of characters and ? is one", "path pattern");

    /// A section of the file, with what its list says.
    ///
    /// @param keys value and meaning of each key, by its name
    /// @param signature the same for sections that need to be written once
    private record Part(
            String path, Shape.Section shape, Map<String, String> keys, String signature) {}

    /// Where a section is written.
    private record Place(String page, String heading) {
        Place below(String step) {
            return new Place(page, heading.replaceFirst("`$", "." + step + "`"));
        }

        String anchor() {
            return heading.toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
        }
    }

    /// All sections in the order of the file, equal ones once.
    private final Map<String, Part> parts = new LinkedHashMap<>();

    private final Map<String, Integer> uses = new HashMap<>();
    private final Map<String, Integer> rows = new LinkedHashMap<>();
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, StringBuilder> pages = new LinkedHashMap<>();
    private final List<Part> written = new ArrayList<>();

    private ReferenceWriter() {}

    /// The generated text of each page, by the page's name.
    public static Map<String, String> write(Shape.Section root) {
        ReferenceWriter writer = new ReferenceWriter();
        writer.collect("", root);
        writer.choosePlaces();
        writer.parts.values().forEach(writer::list);
        writer.common();
        Map<String, String> texts = new LinkedHashMap<>();
        writer.pages.forEach((page, text) -> texts.put(page, text.toString()));
        return texts;
    }

    private void collect(String path, Shape.Section shape) {
        Map<String, String> keys = new LinkedHashMap<>();
        for (Shape.Key key : shape.keys()) {
            keys.put(key.name(), rest(key));
        }
        String signature = signature(shape);
        if (uses.merge(signature, 1, Integer::sum) > 1) {
            return;
        }
        parts.put(signature, new Part(path, shape, keys, signature));
        keys.forEach((name, cells) -> rows.merge(row(name, cells), 1, Integer::sum));
        for (Shape.Key key : shape.keys()) {
            String below = path.isEmpty() ? key.name() : path + "." + key.name();
            Shape.Section inner = inner(key.shape());
            if (inner != null) {
                collect(below + suffix(key.shape()), inner);
            }
        }
    }

    /// What its list and those below it say.
    private static String signature(Shape.Section shape) {
        StringBuilder all = new StringBuilder();
        for (Shape.Key key : shape.keys()) {
            all.append(key.name()).append('|').append(rest(key)).append('\n');
        }
        return Integer.toHexString(all.toString().hashCode()) + "/" + all.length();
    }

    private static Shape.Section inner(Shape shape) {
        return switch (shape) {
            case Shape.Section section -> section;
            case Shape.Items items -> inner(items.item());
            case Shape.Named named -> inner(named.value());
            case Shape.Scalar _ -> null;
        };
    }

    private static String suffix(Shape shape) {
        return switch (shape) {
            case Shape.Items items -> "[]" + suffix(items.item());
            case Shape.Named named -> "." + named.keyName() + suffix(named.value());
            case Shape.Section _, Shape.Scalar _ -> "";
        };
    }

    private void choosePlaces() {
        Set<String> taken = new HashSet<>();
        for (Part part : parts.values()) {
            String home = page(part.path());
            boolean shared = uses.getOrDefault(part.signature(), 0) > 1 || isOfLogin(part.path());
            String heading = part.path().isEmpty() ? "Top level" : "`" + part.path() + "`";
            if (shared) {
                String[] steps = part.path().split("\\.");
                heading = "`" + steps[steps.length - 1] + "`";
                for (int i = steps.length - 2; !taken.add(heading); i--) {
                    heading = "`" + steps[i] + "." + heading.substring(1);
                }
            }
            boolean moves = shared && !OWN_PARTS.contains(home);
            places.put(part.signature(), new Place(moves ? PARTS : home, heading));
        }
    }

    /// Whether only logins have it, of which there is one kind.
    private static boolean isOfLogin(String path) {
        return path.contains(".access.login");
    }

    private static String page(String path) {
        if (path.contains(".access.")) {
            return "access";
        }
        return PAGES.entrySet().stream()
                .filter(page -> path.startsWith(page.getKey()))
                .max(Comparator.comparingInt(page -> page.getKey().length()))
                .map(Map.Entry::getValue)
                .orElse(INDEX);
    }

    private void list(Part part) {
        Place place = at(part);
        StringBuilder out = page(place);
        out.append("### ").append(place.heading()).append("\n\n");
        Map<String, String> own = new LinkedHashMap<>(part.keys());
        List<String> ofMembers = new ArrayList<>();
        own.entrySet()
                .removeIf(key ->
                        key.getValue().contains(OF_MEMBERS)
                                && ofMembers.add("`" + key.getKey() + "`"));
        Part like = mostAlike(part);
        List<String> common = new ArrayList<>();
        List<String> alike = new ArrayList<>();
        own.entrySet()
                .removeIf(key -> {
                    if (isCommon(key.getKey(), key.getValue())) {
                        return common.add("`" + key.getKey() + "`");
                    }
                    return like != null
                            && key.getValue().equals(like.keys().get(key.getKey()))
                            && alike.add("`" + key.getKey() + "`");
                });
        if (!own.isEmpty()) {
            own.forEach((name, cells) -> out.append(linked(place, name, cells)));
            out.append('\n');
        }
        if (!ofMembers.isEmpty()) {
            out.append("Defaults of the keys of the same names of its [members](");
            out.append(link(place, place.below("members[]"))).append("): ");
            out.append(String.join(", ", ofMembers)).append(".\n\n");
        }
        if (!alike.isEmpty()) {
            out.append("As in [").append(at(like).heading()).append("](");
            out.append(link(place, at(like))).append("): ");
            out.append(String.join(", ", alike)).append(".\n\n");
        }
        if (!common.isEmpty()) {
            out.append("Also the [common keys](");
            out.append(link(place, new Place(PARTS, "Common keys"))).append(") ");
            out.append(String.join(", ", common)).append(".\n\n");
        }
        if (!part.shape().exactlyOne().isEmpty()) {
            out.append("Exactly one of `");
            out.append(String.join("`, `", part.shape().exactlyOne())).append("` is given.\n\n");
        }
        written.add(part);
    }

    private Place at(Part part) {
        return places.getOrDefault(part.signature(), new Place(INDEX, ""));
    }

    private boolean isCommon(String name, String cells) {
        return rows.getOrDefault(row(name, cells), 0) >= COMMON_MIN;
    }

    /// The written section with most keys of this one; null where none has enough of them.
    private Part mostAlike(Part part) {
        Part best = null;
        long most = ALIKE_MIN - 1;
        for (Part other : written) {
            long equal =
                    part.keys().entrySet().stream()
                            .filter(key -> !isCommon(key.getKey(), key.getValue()))
                            .filter(key -> key.getValue().equals(other.keys().get(key.getKey())))
                            .count();
            if (equal > most) {
                best = other;
                most = equal;
            }
        }
        return best;
    }

    private void common() {
        StringBuilder out = page(new Place(PARTS, ""));
        out.append("### Common keys\n\n");
        rows.forEach((row, count) -> {
            String name = row.substring(0, row.indexOf('|'));
            String cells = row.substring(name.length() + 1);
            if (isCommon(name, cells)) {
                out.append(linked(new Place(PARTS, ""), name, cells));
            }
        });
        out.append('\n');
    }

    /// The text of a page, which begins with how its lists are read.
    private StringBuilder page(Place place) {
        String how =
                place.page().equals(INDEX)
                        ? ""
                        : "Keys, with [values](../configuration.md#values) and **defaults**.\n\n";
        return pages.computeIfAbsent(place.page(), _ -> new StringBuilder(how));
    }

    private static String row(String name, String cells) {
        return name + "|" + cells;
    }

    /// The line of a key, whose value leads to the section that it is.
    private String linked(Place from, String name, String cells) {
        String text = cells;
        if (cells.startsWith("@")) {
            int begin = cells.indexOf('@', 1);
            int end = cells.indexOf(DEFAULT) < 0 ? cells.indexOf(BAR) : cells.indexOf(DEFAULT);
            Place to = places.getOrDefault(cells.substring(1, begin), from);
            text = "[" + cells.substring(begin + 1, end) + "](" + link(from, to) + ")";
            text += cells.substring(end);
        }
        return "- `" + name + "` (" + text.replaceFirst(Pattern.quote(BAR), "): ") + "\n";
    }

    private static String link(Place from, Place to) {
        if (from.page().equals(to.page())) {
            return "#" + to.anchor();
        }
        String page =
                to.page().equals(INDEX)
                        ? "../configuration.md"
                        : (from.page().equals(INDEX) ? "configuration/" : "") + to.page() + ".md";
        return page + "#" + to.anchor();
    }

    /// Value and meaning of a key; before them, when its value is a section, the signature of that
    /// between two `@`.
    private static String rest(Shape.Key key) {
        Shape.Section inner = inner(key.shape());
        StringBuilder rest = new StringBuilder();
        if (inner != null) {
            rest.append('@').append(signature(inner)).append('@');
        }
        rest.append(value(key)).append(BAR).append(key.meaning());
        key.aliases().forEach(alias -> rest.append(" Also `").append(alias).append("`."));
        return rest.toString();
    }

    /// What a key may be, and its default, which says enough where the index names such values.
    private static String value(Shape.Key key) {
        String says = says(key.shape());
        String byDefault = key.required() ? "required" : key.byDefault();
        if (NO_DEFAULT.contains(byDefault)) {
            return says;
        }
        String bold = "**" + (byDefault.contains("`") ? byDefault : starred(byDefault)) + "**";
        boolean tells = PLAIN.matcher(says).matches() && LITERAL.matcher(byDefault).matches();
        return tells ? bold : says + "; " + bold;
    }

    private static String starred(String text) {
        return text.replace("*", "\\*");
    }

    private static String says(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar -> value(scalar.says());
            case Shape.Items items ->
                    (items.orOne() ? "one or list of " : "list of ") + value(items.says());
            case Shape.Section section -> value(section.says());
            case Shape.Named named -> named.says();
        };
    }

    private static String value(String says) {
        Matcher whole = WHOLE.matcher(says);
        if (whole.matches()) {
            String to = whole.group(2);
            return to == null || to.equals(String.valueOf(Integer.MAX_VALUE))
                    ? "≥ " + whole.group(1)
                    : whole.group(1) + " to " + to;
        }
        return VALUES.getOrDefault(
                says,
                says.startsWith("PORT or")
                        ? "address"
                        : says.replaceFirst("^(an?|the|one of) ", ""));
    }
}
