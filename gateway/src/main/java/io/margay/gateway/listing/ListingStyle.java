package io.margay.gateway.listing;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How the page of a folder looks: what the sections about it say, merged as mod_autoindex merges
/// it. Confined to the thread that makes it, then immutable.
final class ListingStyle {
    private static final int NAME_WIDTH = 23;
    private static final int DESCRIPTION_WIDTH = 23;
    private static final int ICON_WIDTH = 20;
    private static final int ICON_HEIGHT = 22;

    /// What an icon or text is for.
    enum By {
        PATH,
        TYPE,
        ENCODING
    }

    /// An icon, or the text in its place, for some files.
    ///
    /// @param below a pattern of the paths of files
    record Item(By by, String below, String to, String value) {}

    /// A text about some files.
    record Description(String pattern, boolean whole, boolean wild, String text) {}

    /// A width of a column.
    ///
    /// @param widest whether it is that of the longest text
    record Width(int characters, boolean widest) {}

    final Set<ListingOption> options = EnumSet.noneOf(ListingOption.class);
    private final Set<ListingOption> added = EnumSet.noneOf(ListingOption.class);
    private final Set<ListingOption> removed = EnumSet.noneOf(ListingOption.class);
    private boolean none;
    private boolean ignoresAnew;
    final List<Item> icons = new ArrayList<>();
    final List<Item> alternatives = new ArrayList<>();
    final List<Item> ignored = new ArrayList<>();
    final List<Item> headers = new ArrayList<>();
    final List<Item> readmes = new ArrayList<>();
    final List<Description> descriptions = new ArrayList<>();
    private @Nullable Width name;
    private @Nullable Width description;
    int iconWidth;
    int iconHeight;
    @Nullable String defaultIcon;
    @Nullable String styleSheet;
    @Nullable String headInsert;
    @Nullable String charset;
    @Nullable String type;
    char key;
    char direction;

    private ListingStyle() {}

    static ListingStyle of(List<FolderListing.Part> parts) {
        ListingStyle style = new ListingStyle();
        for (FolderListing.Part part : parts) {
            ListingStyle own = new ListingStyle();
            part.lines().forEach(line -> own.read(line, part.path()));
            own.after(style);
            style = own;
        }
        return style;
    }

    /// Why a directive is wrong; null when it is not.
    static @Nullable String problem(List<String> line) {
        try {
            new ListingStyle().read(line, "");
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    boolean has(ListingOption option) {
        return options.contains(option);
    }

    Width name() {
        return name == null ? new Width(NAME_WIDTH, false) : name;
    }

    Width description() {
        return description == null ? new Width(DESCRIPTION_WIDTH, false) : description;
    }

    /// Whether nobody has said how wide descriptions are.
    boolean isDescriptionFree() {
        return description == null;
    }

    private void read(List<String> line, String path) {
        List<String> words = line.subList(1, line.size());
        String directive = line.getFirst().toLowerCase(Locale.ROOT);
        boolean one = Set.of("headername", "readmename", "indexorderdefault").contains(directive);
        if (words.isEmpty()
                || (directive.startsWith("add") && words.size() < 2)
                || (one && words.size() != (directive.startsWith("index") ? 2 : 1))) {
            throw new IllegalArgumentException("has not enough words, or too many");
        }
        String below = path + "*";
        String first = words.getFirst();
        List<String> rest = words.subList(1, words.size());
        switch (directive) {
            case "indexoptions" -> words.forEach(this::option);
            case "indexorderdefault" -> order(first, rest.getFirst());
            case "indexignore" ->
                    words.forEach(word -> ignored.add(new Item(By.TYPE, below, word, "")));
            case "indexignorereset" -> ignoresAnew = first.equalsIgnoreCase("on");
            case "headername" -> headers.add(new Item(By.TYPE, below, "", first));
            case "readmename" -> readmes.add(new Item(By.TYPE, below, "", first));
            case "defaulticon" -> defaultIcon = first;
            case "indexstylesheet" -> styleSheet = first;
            case "indexheadinsert" -> headInsert = first;
            case "addicon" -> rest.forEach(word -> icon(By.PATH, below, word, first));
            case "addiconbytype" -> rest.forEach(word -> icon(By.TYPE, below, word, first));
            case "addiconbyencoding" -> rest.forEach(word -> icon(By.ENCODING, below, word, first));
            case "addalt" -> rest.forEach(word -> item(alternatives, By.PATH, below, word, first));
            case "addaltbytype" ->
                    rest.forEach(word -> item(alternatives, By.TYPE, below, word, first));
            case "addaltbyencoding" ->
                    rest.forEach(word -> item(alternatives, By.ENCODING, below, word, first));
            case "adddescription" -> rest.forEach(word -> description(word, first));
            default -> throw new IllegalArgumentException("is not about listings");
        }
    }

    private static void item(List<Item> to, By by, String below, String word, String value) {
        String plain = word.equals("**DIRECTORY**") ? "^^DIRECTORY^^" : word;
        String pattern = by == By.PATH && !Wildcards.hasSome(plain) ? "*" + plain : plain;
        to.add(new Item(by, below, pattern, value));
    }

    /// `(ALT,URL)` or `URL`.
    private void icon(By by, String below, String word, String value) {
        String url = value;
        if (value.startsWith("(")) {
            int comma = value.indexOf(',');
            if (comma < 0 || !value.endsWith(")")) {
                throw new IllegalArgumentException("write (TEXT,URL), or URL");
            }
            item(alternatives, by, below, word, value.substring(1, comma));
            url = value.substring(comma + 1, value.length() - 1);
        }
        item(icons, by, below, word, url);
    }

    private void description(String word, String text) {
        boolean whole = word.indexOf('/') >= 0;
        boolean wild = whole || Wildcards.hasSome(word);
        String pattern = wild ? (whole ? "*/" : "*") + word + "*" : word;
        descriptions.add(new Description(pattern, whole, wild, text));
    }

    private void order(String way, String what) {
        direction = one(way, List.of("ascending", "descending"), "AD");
        key = one(what, List.of("name", "date", "size", "description"), "NMSD");
    }

    private static char one(String word, List<String> words, String letters) {
        int found = words.indexOf(word.toLowerCase(Locale.ROOT));
        if (found < 0) {
            throw new IllegalArgumentException(
                    "\"" + word + "\" is none of " + String.join(", ", words));
        }
        return letters.charAt(found);
    }

    private void option(String text) {
        char action = text.startsWith("+") || text.startsWith("-") ? text.charAt(0) : 0;
        String word = action == 0 ? text : text.substring(1);
        int equals = word.indexOf('=');
        String lower = (equals < 0 ? word : word.substring(0, equals)).toLowerCase(Locale.ROOT);
        String value = equals < 0 ? "" : word.substring(equals + 1);
        ListingOption option = equals < 0 ? ListingOption.of(word) : null;
        if (option == null) {
            special(lower, value, action == '-');
        } else if (action == '+') {
            added.add(option);
            removed.remove(option);
            return;
        } else if (action == '-') {
            removed.add(option);
            added.remove(option);
            return;
        } else {
            options.add(option);
        }
        if (action == 0) {
            added.clear();
            removed.clear();
        }
    }

    private void special(String word, String value, boolean off) {
        switch (word) {
            case "none" -> none = true;
            case "iconwidth" ->
                    iconWidth = off ? 0 : value.isEmpty() ? ICON_WIDTH : number(value, 1);
            case "iconheight" ->
                    iconHeight = off ? 0 : value.isEmpty() ? ICON_HEIGHT : number(value, 1);
            case "namewidth" -> name = width(value, NAME_WIDTH, 5);
            case "descriptionwidth" -> description = width(value, DESCRIPTION_WIDTH, 12);
            case "charset" -> charset = value;
            case "type" -> type = value;
            default ->
                    throw new IllegalArgumentException("\"" + word + "\" is not one of its words");
        }
    }

    private static Width width(String value, int usual, int least) {
        return value.equals("*")
                ? new Width(usual, true)
                : new Width(value.isEmpty() ? usual : number(value, least), false);
    }

    private static int number(String text, int least) {
        if (!text.matches("[0-9]{1,4}") || Integer.parseInt(text) < least) {
            throw new IllegalArgumentException("\"" + text + "\" is not a number from " + least);
        }
        return Integer.parseInt(text);
    }

    /// Takes what the sections before say, as far as this one does not.
    private void after(ListingStyle before) {
        if (none) {
            options.clear();
            added.clear();
            removed.clear();
        } else if (options.isEmpty()) {
            added.addAll(before.added);
            added.removeAll(removed);
            removed.addAll(before.removed);
            options.addAll(before.options);
        } else {
            added.clear();
            removed.clear();
        }
        options.addAll(added);
        options.removeAll(removed);
        icons.addAll(before.icons);
        alternatives.addAll(before.alternatives);
        if (!ignoresAnew) {
            ignored.addAll(before.ignored);
        }
        headers.addAll(before.headers);
        readmes.addAll(before.readmes);
        descriptions.addAll(before.descriptions);
        name = name != null ? name : before.name;
        description = description != null ? description : before.description;
        iconWidth = iconWidth != 0 ? iconWidth : before.iconWidth;
        iconHeight = iconHeight != 0 ? iconHeight : before.iconHeight;
        defaultIcon = defaultIcon != null ? defaultIcon : before.defaultIcon;
        styleSheet = styleSheet != null ? styleSheet : before.styleSheet;
        headInsert = headInsert != null ? headInsert : before.headInsert;
        charset = charset != null ? charset : before.charset;
        type = type != null ? type : before.type;
        key = key != 0 ? key : before.key;
        direction = direction != 0 ? direction : before.direction;
    }

    /// What of a list is for a file; null where nothing is.
    ///
    /// @param path its whole path; or a name of what stands for no file, as `^^DIRECTORY^^`
    /// @param mediaType null where its type does not matter
    static @Nullable String find(List<Item> items, String path, @Nullable String mediaType) {
        boolean bare = path.startsWith("^");
        for (Item item : items) {
            if (!bare && !Wildcards.match(item.below, path)) {
                continue;
            }
            boolean found =
                    item.to.isEmpty()
                            || ((item.by == By.PATH || bare)
                                    ? Wildcards.match(item.to, path)
                                    : item.by == By.TYPE
                                            && mediaType != null
                                            && Wildcards.match(
                                                    item.to.toLowerCase(Locale.ROOT), mediaType));
            if (found) {
                return item.value;
            }
        }
        return null;
    }

    /// The text about a file, or null.
    @Nullable String describe(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        for (Description one : descriptions) {
            String text = one.whole ? path : name;
            if (one.wild ? Wildcards.match(one.pattern, text) : text.contains(one.pattern)) {
                return one.text;
            }
        }
        return null;
    }

    /// Whether a file, or `..`, is left out.
    boolean ignores(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return ignored.stream()
                .anyMatch(one ->
                        Wildcards.match(one.below, path)
                                && Wildcards.match(
                                        one.to.substring(one.to.lastIndexOf('/') + 1), name));
    }
}
