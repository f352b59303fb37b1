package io.margay.servlet.files;

import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.HtmlText;
import io.margay.servlet.resource.WebResource;
import io.margay.servlet.resource.WebResources;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The page that shows what a folder of an application holds. Stateless.
final class FolderListing {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

    private static final String ROW =
            "<tr><td><a href=\"%s\">%s</a></td><td>%s</td><td>%s</td></tr>\n";

    private FolderListing() {}

    /// The page, in UTF-8.
    ///
    /// @param path of the folder, canonical, with a slash at its end
    /// @param names what it holds, as [WebResources#list] has it
    static byte[] page(String contextPath, String path, Set<String> names, WebResources resources) {
        StringBuilder page = new StringBuilder(1024);
        String title = "Directory Listing For [" + HtmlText.of(path) + "]";
        page.append("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>")
                .append(title)
                .append("</title></head>\n<body><h1>")
                .append(title)
                .append("</h1>\n<table>\n");
        page.append("<tr><th>Filename</th><th>Size</th><th>Last Modified</th></tr>\n");
        if (path.length() > 1) {
            String parent = path.substring(0, path.lastIndexOf('/', path.length() - 2) + 1);
            page.append(ROW.formatted(address(contextPath + parent), "../", "", ""));
        }
        for (String name : names) {
            WebResource found = DefaultServlet.isHidden(name) ? null : resources.get(name);
            if (found != null) {
                page.append(
                        ROW.formatted(
                                address(contextPath + name),
                                HtmlText.of(name.substring(path.length())),
                                size(found.length()),
                                date(found.modifiedNanos())));
            }
        }
        page.append("</table></body></html>\n");
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String address(String path) {
        return HtmlText.of(PercentEncoding.path(path));
    }

    private static String size(long bytes) {
        if (bytes < 0) {
            return "";
        }
        long tenths = bytes == 0 ? 0 : Math.max(1, bytes * 10 / 1024);
        return String.format(Locale.ROOT, "%d.%d KiB", tenths / 10, tenths % 10);
    }

    private static String date(long nanos) {
        return nanos == 0
                ? ""
                : DATE.format(Instant.ofEpochMilli(TimeUnit.NANOSECONDS.toMillis(nanos)));
    }
}
