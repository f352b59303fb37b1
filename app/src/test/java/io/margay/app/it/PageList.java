package io.margay.app.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Requests to be made to two servers, and what of their answers is compared; the format is
/// described in `examples/tomcat-pages.txt`. Immutable once read.
///
/// @param headers names of the response's fields that are compared
/// @param drops what is removed from both answers
record PageList(List<String> headers, List<Pattern> drops, List<Page> pages) {
    private static final Pattern REQUEST = Pattern.compile("([A-Z]+) +(/\\S*)");
    private static final Pattern SETTING = Pattern.compile("([a-z-]+)(?: +(.*))?");

    /// Without most JSP pages: where it is the way to the server that is tested, compiling them
    /// costs more time than it tells.
    PageList few() {
        return new PageList(
                headers,
                drops,
                pages.stream()
                        .filter(page ->
                                !page.path.contains(".jsp")
                                        || page.path.contains("/snp/")
                                        || page.path.contains("/sessions/"))
                        .toList());
    }

    /// One request.
    static final class Page {
        final String method;
        final String path;
        final List<String[]> headers = new ArrayList<>();
        final List<Pattern> hides = new ArrayList<>();
        @Nullable String jar;
        @Nullable String body;
        boolean statusOnly;
        boolean sortLines;

        private Page(String method, String path) {
            this.method = method;
            this.path = path;
        }

        private void set(String name, String value) {
            switch (name) {
                case "form" -> {
                    headers.add(new String[] {"Content-Type", "application/x-www-form-urlencoded"});
                    body = value;
                }
                case "text" -> {
                    headers.add(new String[] {"Content-Type", "text/plain"});
                    body = value;
                }
                case "header" -> headers.add(value.split(": *", 2));
                case "jar" -> jar = value;
                case "hide" -> hides.add(Pattern.compile(value));
                case "status-only" -> statusOnly = true;
                case "sort-lines" -> sortLines = true;
                default -> throw new IllegalArgumentException("unknown: " + name);
            }
        }

        /// The request line, body and fields, which tell this request from the others.
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(method + " " + path);
            if (body != null) {
                text.append(" \"").append(body).append('"');
            }
            for (String[] header : headers) {
                if (!header[0].equals("Content-Type")) {
                    text.append(" [").append(header[0]).append(": ").append(header[1]).append(']');
                }
            }
            return text.toString();
        }
    }

    /// Reads a list.
    static PageList read(Path file) throws IOException {
        PageList list = new PageList(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            try {
                list.add(line);
            } catch (IllegalArgumentException e) {
                throw new IOException(file + ":" + number + ": " + e.getMessage(), e);
            }
        }
        return list;
    }

    private void add(String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        Matcher request = REQUEST.matcher(line);
        if (request.matches()) {
            pages.add(new Page(request.group(1), request.group(2)));
            return;
        }
        Matcher setting = SETTING.matcher(line.strip());
        if (!setting.matches()) {
            throw new IllegalArgumentException("neither a request nor a setting");
        }
        String value = setting.group(2) == null ? "" : setting.group(2);
        if (line.startsWith(" ")) {
            pages.getLast().set(setting.group(1), value);
        } else if (setting.group(1).equals("compare-headers")) {
            headers.addAll(List.of(value.split(" +")));
        } else if (setting.group(1).equals("drop")) {
            drops.add(Pattern.compile(value));
        } else {
            throw new IllegalArgumentException("unknown: " + setting.group(1));
        }
    }
}
