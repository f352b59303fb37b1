package io.margay.gateway.listing;

import java.util.Comparator;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// In which order and form a folder is listed: as its sections say, or the query of the request
/// (`?C=N;O=D`). Confined to one request.
final class ListingOrder implements Comparator<ListingPage.Row> {
    private static final String KEYS = "NMSD";

    /// Characters of a pattern that a client may send.
    private static final int PATTERN_MAX = 100;

    boolean fancy;
    boolean table;
    private final boolean foldersFirst;
    private final boolean anyCase;
    private final boolean sortable;
    private boolean natural;
    private char key;
    private char direction;
    private String form = "";
    private String version = "";
    private String pattern = "";

    private ListingOrder(ListingStyle style) {
        fancy = style.has(ListingOption.FANCY_INDEXING);
        table = style.has(ListingOption.HTML_TABLE);
        natural = style.has(ListingOption.VERSION_SORT);
        anyCase = style.has(ListingOption.IGNORE_CASE);
        foldersFirst = style.has(ListingOption.FOLDERS_FIRST);
        sortable =
                !style.has(ListingOption.IGNORE_CLIENT)
                        && !style.has(ListingOption.SUPPRESS_COLUMN_SORTING);
        key = style.key == 0 ? 'N' : style.key;
        direction = style.direction == 0 ? 'A' : style.direction;
    }

    static ListingOrder of(ListingStyle style, @Nullable String query) {
        ListingOrder order = new ListingOrder(style);
        if (query != null && !style.has(ListingOption.IGNORE_CLIENT)) {
            for (String part : query.split("[;&]")) {
                if (!order.take(part)) {
                    break;
                }
            }
        }
        return order;
    }

    /// Whether a part of the query is understood; nothing behind one that is not counts.
    private boolean take(String part) {
        char c = part.length() == 3 && part.charAt(1) == '=' ? part.charAt(2) : 0;
        if (part.startsWith("C=") && c != 0 && KEYS.indexOf(c) >= 0) {
            key = c;
        } else if (part.startsWith("O=") && (c == 'A' || c == 'D')) {
            direction = c;
        } else if (part.startsWith("F=") && c >= '0' && c <= '2') {
            fancy = c != '0';
            table = c == '2';
            form = ";F=" + c;
        } else if (part.startsWith("V=") && (c == '0' || c == '1')) {
            natural = c == '1';
            version = ";V=" + c;
        } else if (part.startsWith("P=") && part.length() <= PATTERN_MAX) {
            pattern = decoded(part.substring(2));
        } else {
            return false;
        }
        return true;
    }

    /// Whether a name is one that the client wants to see.
    boolean takes(String name) {
        return pattern.isEmpty() || Wildcards.match(pattern, name);
    }

    /// The title of a column.
    String link(char column, String title) {
        if (!sortable) {
            return title;
        }
        boolean reverses = key == column && direction == 'A';
        String more =
                form
                        + version
                        + (pattern.isEmpty() ? "" : ";P=" + escaped(ListingPage.encoded(pattern)));
        String to = "?C=" + column + ";O=" + (reverses ? 'D' : 'A') + more;
        return "<a href=\"" + to + "\">" + title + "</a>";
    }

    private static String decoded(String text) {
        StringBuilder made = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int octet = c == '%' && i + 2 < text.length() ? octet(text, i + 1) : -1;
            made.append(octet > 0 ? (char) octet : c);
            i += octet > 0 ? 2 : 0;
        }
        return made.toString();
    }

    private static int octet(String text, int at) {
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    @Override
    public int compare(ListingPage.Row one, ListingPage.Row other) {
        boolean first = one.entry().isFolder();
        if (foldersFirst && (fancy || table) && first != other.entry().isFolder()) {
            return first ? -1 : 1;
        }
        // A plain list has neither dates nor sizes nor texts to httpd.
        int result =
                switch (fancy || table ? key : 'N') {
                    case 'M' ->
                            Long.compare(
                                    one.entry().modifiedMillis() / 1000,
                                    other.entry().modifiedMillis() / 1000);
                    case 'S' -> Long.compare(one.entry().length(), other.entry().length());
                    case 'D' -> compare(text(one.about()), text(other.about()));
                    default -> 0;
                };
        if (result == 0) {
            result = compare(one.text(), other.text());
        }
        return direction == 'A' ? result : -result;
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    private int compare(String one, String other) {
        if (natural) {
            return NaturalOrder.compare(one, other, anyCase);
        }
        return anyCase
                ? one.toLowerCase(Locale.ROOT).compareTo(other.toLowerCase(Locale.ROOT))
                : one.compareTo(other);
    }
}
