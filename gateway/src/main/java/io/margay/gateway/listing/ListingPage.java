package io.margay.gateway.listing;

import io.margay.protocol.http.PercentEncoding;
import io.margay.server.files.FolderPage;
import io.margay.server.files.FolderPage.Entry;
import io.margay.server.files.FolderPage.Inset;
import io.margay.server.files.FolderPage.Insets;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Writes the page of a folder as mod_autoindex does: as a list, in columns, or as a table. Its
/// text has a character for each octet, as the names of files may be in any charset. Confined to
/// one request.
public final class ListingPage {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT);
    private static final DateTimeFormatter OLD_DATE =
            DateTimeFormatter.ofPattern("dd-MMM-yyyy HH:mm", Locale.ENGLISH);
    private static final String UNITS = "KMGTPE";

    private final ListingStyle style;
    private final ListingOrder order;
    private final String path;
    private final String folder;
    private final Function<String, @Nullable String> types;
    private final StringBuilder out = new StringBuilder(4096);
    private final String end;

    private ListingPage(
            FolderListing said,
            String path,
            String folder,
            @Nullable String query,
            Function<String, @Nullable String> types) {
        style = ListingStyle.of(said.parts());
        order = ListingOrder.of(style, query);
        this.path = path;
        this.folder = folder;
        this.types = types;
        end = style.has(ListingOption.XHTML) ? " />" : ">";
    }

    /// What is shown of a folder.
    ///
    /// @param path of the request, canonical, with a slash at the end
    /// @param folder its whole path, with a slash at the end
    /// @param types the media type of a file by its name
    public static ListingPage of(
            FolderListing said,
            String path,
            String folder,
            @Nullable String query,
            Function<String, @Nullable String> types) {
        return new ListingPage(said, path, folder, query, types);
    }

    /// Why a line is wrong; null when it is not.
    public static @Nullable String problem(List<String> line) {
        return ListingStyle.problem(line);
    }

    /// Whether a name is left out by what is said of names.
    public boolean leavesOut(String name) {
        return style.ignores(folder + name) || !order.takes(name);
    }

    /// Whether what asks for a password is shown.
    public boolean showsForbidden() {
        return style.has(ListingOption.SHOW_FORBIDDEN);
    }

    /// `Content-Type`.
    public String type() {
        return (style.type == null ? "text/html" : style.type)
                + ";charset="
                + (style.charset == null ? "ISO-8859-1" : style.charset);
    }

    /// A line of the list.
    ///
    /// @param link percent-encoded
    /// @param text as octets
    /// @param about null where nothing is said of it
    record Row(
            Entry entry,
            String link,
            String text,
            @Nullable String icon,
            @Nullable String alternative,
            @Nullable String about) {}

    /// The page.
    public byte[] content(List<FolderPage.Entry> entries, Insets insets) {
        List<Row> rows = new ArrayList<>();
        for (Entry entry : entries) {
            rows.add(row(entry));
        }
        rows.sort(order);
        if (path.length() > 1 && !style.ignores(folder + "..")) {
            rows.addFirst(parent());
        }
        head(insets);
        if (order.table) {
            table(rows);
        } else if (order.fancy) {
            columns(rows);
        } else {
            out.append("<ul>");
            for (Row row : rows) {
                out.append("<li>").append(link(row, " " + escaped(row.text))).append("</li>\n");
            }
            out.append("</ul>\n");
        }
        tail(insets);
        return out.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private Row row(Entry entry) {
        String whole = folder + entry.name();
        String name = entry.isFolder() ? entry.name() + "/" : entry.name();
        String type = entry.isFolder() ? null : types.apply(entry.name());
        String plain = type == null ? null : type.replaceFirst(";.*", "").strip();
        String icon = ListingStyle.find(style.icons, whole, plain);
        String alternative = ListingStyle.find(style.alternatives, whole, plain);
        if (entry.isFolder()) {
            icon = icon != null ? icon : ofFolder(style.icons);
            alternative = alternative != null ? alternative : ofFolder(style.alternatives);
            alternative = alternative != null ? alternative : "DIR";
        }
        String encoded = encoded(name);
        int colon = encoded.indexOf(':');
        return new Row(
                entry,
                colon >= 0 ? "./" + encoded : encoded,
                octets(name),
                icon,
                alternative,
                style.describe(whole));
    }

    /// With small letters for octets, as httpd writes them.
    static String encoded(String name) {
        String encoded = PercentEncoding.path(name);
        StringBuilder made = new StringBuilder(encoded);
        for (int at = encoded.indexOf('%'); at >= 0; at = encoded.indexOf('%', at + 1)) {
            String small = encoded.substring(at, at + 3).toLowerCase(Locale.ROOT);
            made.replace(at, at + 3, small);
        }
        return made.toString();
    }

    private Row parent() {
        String up = path.substring(0, path.lastIndexOf('/', path.length() - 2) + 1);
        String whole = folder + "..";
        String icon = ListingStyle.find(style.icons, whole, null);
        String alternative = ListingStyle.find(style.alternatives, whole, null);
        if (alternative == null) {
            alternative = ofFolder(style.alternatives);
        }
        return new Row(
                new Entry("..", true, -1, -1),
                encoded(up),
                "Parent Directory",
                icon != null ? icon : ofFolder(style.icons),
                alternative == null ? "PARENTDIR" : alternative,
                style.describe(whole));
    }

    private static @Nullable String ofFolder(List<ListingStyle.Item> items) {
        return ListingStyle.find(items, "^^DIRECTORY^^", null);
    }

    // What stands above and below

    private void head(Insets insets) {
        Inset inset = inset(style.headers, insets);
        boolean html = inset != null && isHtml(inset);
        if (!html || !style.has(ListingOption.SUPPRESS_PREAMBLE)) {
            preamble();
        }
        if (inset == null) {
            boolean styled = style.styleSheet != null;
            out.append(styled ? "  <h1 id=\"indextitle\">" : "<h1>");
            out.append("Index of ").append(title()).append("</h1>\n");
        } else {
            put(inset);
        }
    }

    private void preamble() {
        out.append(
                style.has(ListingOption.XHTML)
                        ? """
                        <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
                        "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
                        <html xmlns="http://www.w3.org/1999/xhtml">
                        """
                        : "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\""
                                + " \"http://www.w3.org/TR/html4/strict.dtd\">\n<html>\n");
        out.append(" <head>\n  <title>Index of ").append(title()).append("</title>\n");
        if (style.styleSheet != null) {
            out.append("  <link rel=\"stylesheet\" href=\"")
                    .append(octets(style.styleSheet))
                    .append("\" type=\"text/css\"")
                    .append(end)
                    .append('\n');
        }
        if (style.headInsert != null) {
            out.append(octets(style.headInsert));
        }
        out.append(" </head>\n <body>\n");
    }

    private String title() {
        String plain = path.length() > 1 ? path.substring(0, path.length() - 1) : path;
        return escaped(octets(plain));
    }

    private void tail(Insets insets) {
        Inset inset = inset(style.readmes, insets);
        if (inset != null) {
            put(inset);
        }
        boolean html = inset != null && isHtml(inset);
        if (!html || !style.has(ListingOption.SUPPRESS_PREAMBLE)) {
            out.append("</body></html>\n");
        }
    }

    private @Nullable Inset inset(List<ListingStyle.Item> items, Insets insets) {
        String link = ListingStyle.find(items, folder, null);
        Inset found = link == null ? null : insets.find(link);
        String type = found == null ? null : found.type();
        return type != null && type.startsWith("text/") ? found : null;
    }

    private static boolean isHtml(Inset inset) {
        String type = inset.type();
        return type != null && type.replaceFirst(";.*", "").strip().equals("text/html");
    }

    private void put(Inset inset) {
        String text = new String(inset.content(), StandardCharsets.ISO_8859_1);
        if (isHtml(inset)) {
            out.append(text);
        } else {
            String plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            out.append("<pre>\n").append(plain).append("</pre>\n");
        }
    }

    // The list

    private void columns(List<Row> rows) {
        int width = style.name().characters();
        int about = style.description().characters();
        for (Row row : rows) {
            width = style.name().widest() ? Math.max(width, name(row).length()) : width;
            int length = row.about == null ? 0 : octets(row.about).length();
            about = style.description().widest() ? Math.max(about, length) : about;
        }
        out.append("<pre>");
        if (shows(ListingOption.SUPPRESS_ICON)) {
            String blank = ListingStyle.find(style.icons, "^^BLANKICON^^", null);
            out.append(blank == null ? "     " : image(blank, "Icon ")).append(' ');
        }
        out.append(order.link('N', "Name")).append(" ".repeat(width - 3));
        if (shows(ListingOption.SUPPRESS_LAST_MODIFIED)) {
            out.append(order.link('M', "Last modified")).append("      ");
        }
        if (shows(ListingOption.SUPPRESS_SIZE)) {
            out.append(order.link('S', "Size")).append("  ");
        }
        if (shows(ListingOption.SUPPRESS_DESCRIPTION)) {
            out.append(order.link('D', "Description"));
        }
        boolean rules = shows(ListingOption.SUPPRESS_RULES);
        out.append(rules ? "<hr" + end : "\n");
        for (Row row : rows) {
            column(row, width, about);
        }
        out.append(rules ? "<hr" + end + "</pre>\n" : "</pre>\n");
    }

    private void column(Row row, int width, int about) {
        if (shows(ListingOption.SUPPRESS_ICON)) {
            String shown = icon(row, "     ");
            out.append(style.has(ListingOption.ICONS_ARE_LINKS) ? link(row, shown) : shown);
            out.append(' ');
        }
        name(row, width);
        out.append(' ');
        if (shows(ListingOption.SUPPRESS_LAST_MODIFIED)) {
            out.append(date(row)).append("  ");
        }
        if (shows(ListingOption.SUPPRESS_SIZE)) {
            out.append(size(row.entry.length())).append("  ");
        }
        if (shows(ListingOption.SUPPRESS_DESCRIPTION) && row.about != null) {
            out.append(ListingText.cut(octets(row.about), free(about)));
        }
        out.append('\n');
    }

    /// The width of descriptions, which have the room of columns that are not there.
    private int free(int width) {
        if (!style.isDescriptionFree()) {
            return width;
        }
        return width
                + (shows(ListingOption.SUPPRESS_ICON) ? 0 : 6)
                + (shows(ListingOption.SUPPRESS_LAST_MODIFIED) ? 0 : 19)
                + (shows(ListingOption.SUPPRESS_SIZE) ? 0 : 7);
    }

    private void table(List<Row> rows) {
        boolean styled = style.styleSheet != null;
        out.append(styled ? "  <table id=\"indexlist\">\n" : "  <table>\n");
        out.append(styled ? "   <tr class=\"indexhead\">" : "   <tr>");
        int columns = 1;
        if (shows(ListingOption.SUPPRESS_ICON)) {
            String blank = ListingStyle.find(style.icons, "^^BLANKICON^^", null);
            cell("th", "icon", " valign=\"top\"", blank == null ? "&nbsp;" : image(blank, "[ICO]"));
            columns++;
        }
        cell("th", "name", "", order.link('N', "Name"));
        if (shows(ListingOption.SUPPRESS_LAST_MODIFIED)) {
            cell("th", "lastmod", "", order.link('M', "Last modified"));
            columns++;
        }
        if (shows(ListingOption.SUPPRESS_SIZE)) {
            cell("th", "size", "", order.link('S', "Size"));
            columns++;
        }
        if (shows(ListingOption.SUPPRESS_DESCRIPTION)) {
            cell("th", "desc", "", order.link('D', "Description"));
            columns++;
        }
        String rule =
                shows(ListingOption.SUPPRESS_RULES)
                        ? (styled ? "   <tr class=\"indexbreakrow\">" : "   <tr>")
                                + "<th colspan=\""
                                + columns
                                + "\"><hr"
                                + end
                                + "</th></tr>\n"
                        : "";
        out.append("</tr>\n").append(rule);
        boolean even = true;
        for (Row row : rows) {
            out.append(
                    !styled ? "<tr>" : even ? "   <tr class=\"even\">" : "   <tr class=\"odd\">");
            cells(row);
            out.append("</tr>\n");
            even = !even;
        }
        out.append(rule).append("</table>\n");
    }

    private void cells(Row row) {
        if (shows(ListingOption.SUPPRESS_ICON)) {
            String shown = icon(row, "&nbsp;");
            boolean links = style.has(ListingOption.ICONS_ARE_LINKS);
            cell("td", "icon", " valign=\"top\"", links ? link(row, shown) : shown);
        }
        boolean styled = style.styleSheet != null;
        out.append(styled ? "<td class=\"indexcolname\">" : "<td>");
        if (style.name().widest()) {
            out.append(link(row, escaped(row.text)));
        } else {
            name(row, style.name().characters());
        }
        out.append("</td>");
        if (shows(ListingOption.SUPPRESS_LAST_MODIFIED)) {
            boolean none = row.entry.modifiedMillis() < 0;
            cell(
                    "td",
                    "lastmod",
                    none ? "" : " align=\"right\"",
                    none ? "&nbsp;" : date(row) + "  ");
        }
        if (shows(ListingOption.SUPPRESS_SIZE)) {
            cell("td", "size", " align=\"right\"", size(row.entry.length()));
        }
        if (shows(ListingOption.SUPPRESS_DESCRIPTION)) {
            String about = row.about == null ? "&nbsp;" : octets(row.about);
            int width = free(style.description().characters());
            boolean whole = row.about == null || style.description().widest();
            cell("td", "desc", "", whole ? about : ListingText.cut(about, width));
        }
    }

    /// @param place what says where its content stands, without a style sheet
    private void cell(String tag, String column, String place, String content) {
        String attribute = style.styleSheet != null ? " class=\"indexcol" + column + "\"" : place;
        out.append('<').append(tag).append(attribute).append('>');
        out.append(content).append("</").append(tag).append('>');
    }

    private boolean shows(ListingOption suppressed) {
        return !style.has(suppressed);
    }

    private static String name(Row row) {
        return row.entry.name().equals("..") ? row.link : row.text;
    }

    /// The name in a column of some width.
    private void name(Row row, int width) {
        String text = row.text;
        boolean cut = text.length() > width;
        String shown = cut ? text.substring(0, width - 3) + "..>" : text;
        out.append(link(row, escaped(shown))).append(" ".repeat(width - shown.length()));
    }

    private static String link(Row row, String content) {
        return "<a href=\"" + escaped(row.link) + "\">" + content + "</a>";
    }

    private String icon(Row row, String none) {
        String icon = row.icon != null ? row.icon : style.defaultIcon;
        String alternative = row.alternative == null ? "   " : octets(row.alternative);
        return icon == null ? none : image(icon, "[" + alternative + "]");
    }

    private String image(String url, String alternative) {
        return "<img src=\""
                + escaped(octets(url))
                + "\" alt=\""
                + alternative
                + "\""
                + (style.iconWidth == 0 ? "" : " width=\"" + style.iconWidth + "\"")
                + (style.iconHeight == 0 ? "" : " height=\"" + style.iconHeight + "\"")
                + end;
    }

    private String date(Row row) {
        DateTimeFormatter format = style.has(ListingOption.USE_OLD_DATE_FORMAT) ? OLD_DATE : DATE;
        long millis = row.entry.modifiedMillis();
        return millis < 0
                ? " ".repeat(17)
                : format.format(Instant.ofEpochMilli(millis).atZone(ZoneId.systemDefault()));
    }

    /// A number of octets in four characters.
    static String size(long length) {
        if (length < 0) {
            return "  - ";
        }
        if (length < 973) {
            return String.format(Locale.ROOT, "%3d ", length);
        }
        long left = length;
        int unit = -1;
        long rest;
        do {
            rest = left & 1023;
            left >>= 10;
            unit++;
        } while (left >= 973);
        char letter = UNITS.charAt(unit);
        if (left < 9 || (left == 9 && rest < 973)) {
            long tenths = (rest * 5 + 256) / 512;
            if (tenths >= 10) {
                left++;
                tenths = 0;
            }
            return left + "." + tenths + letter;
        }
        return String.format(Locale.ROOT, "%3d%c", rest >= 512 ? left + 1 : left, letter);
    }

    private static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
