package io.margay.server.files;

import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.HtmlText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The page that lists a folder. Stateless.
final class Listing {
    /// Names on one page at most.
    static final int NAMES_MAX = 10_000;

    private Listing() {}

    /// @param path canonical path of the folder, ending in `/`
    /// @param guarded whether `WEB-INF` and `META-INF` are left out
    static byte[] of(Path folder, String path, boolean guarded) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                boolean hidden =
                        name.startsWith(".")
                                || (guarded
                                        && (name.equalsIgnoreCase("WEB-INF")
                                                || name.equalsIgnoreCase("META-INF")));
                if (!hidden && names.size() < NAMES_MAX) {
                    names.add(Files.isDirectory(file) ? name + "/" : name);
                }
            }
        }
        names.sort(null);
        StringBuilder page = new StringBuilder(256 + names.size() * 64);
        String title = "Index of " + HtmlText.of(path);
        page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
        page.append(title)
                .append("</title></head>\n<body><h1>")
                .append(title)
                .append("</h1>\n<ul>\n");
        if (path.length() > 1) {
            page.append("<li><a href=\"../\">../</a></li>\n");
        }
        for (String name : names) {
            page.append("<li><a href=\"./")
                    .append(HtmlText.of(PercentEncoding.path(name)))
                    .append("\">");
            page.append(HtmlText.of(name)).append("</a></li>\n");
        }
        page.append("</ul></body></html>\n");
        return page.toString().getBytes(StandardCharsets.UTF_8);
    }
}
