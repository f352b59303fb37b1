import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Asks two servers for the same list of pages and says where their answers differ.
///
/// `java ComparePages.java LIST BASE-A BASE-B [--without FEATURE]...`, for example with
/// `tomcat-pages.txt`, in which the format of lists is described. Exit 1 if any page differs.
final class ComparePages {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);

    private final HttpClient client =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    private ComparePages() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length < 3) {
            System.err.println(
                    "usage: ComparePages.java LIST BASE-A BASE-B [--without FEATURE]...");
            System.exit(2);
        }
        var left = new ArrayList<String>();
        for (int i = 3; i + 1 < args.length; i += 2) {
            left.add(args[i + 1]);
        }
        PageList list = PageList.read(Path.of(args[0]));
        System.exit(new ComparePages().compare(list, args[1], args[2], left) ? 0 : 1);
    }

    private boolean compare(PageList list, String baseA, String baseB, List<String> left)
            throws IOException, InterruptedException {
        var serverA = new Server(baseA);
        var serverB = new Server(baseB);
        int compared = 0;
        int differing = 0;
        for (Page page : list.pages) {
            if (left.stream().anyMatch(page.features::contains)) {
                continue;
            }
            compared++;
            String a = answer(list, page, serverA);
            String b = answer(list, page, serverB);
            if (!a.equals(b)) {
                differing++;
                System.out.println("differs: line " + page.line + ": " + page);
                showFirstDifference(a, b);
            }
        }
        System.out.println((compared - differing) + " of " + compared + " pages answer alike");
        return differing == 0;
    }

    private static void showFirstDifference(String a, String b) {
        String[] linesA = a.split("\n", -1);
        String[] linesB = b.split("\n", -1);
        int i = 0;
        while (i < linesA.length && i < linesB.length && linesA[i].equals(linesB[i])) {
            i++;
        }
        System.out.println("  A: " + (i < linesA.length ? linesA[i] : "(ends)"));
        System.out.println("  B: " + (i < linesB.length ? linesB[i] : "(ends)"));
    }

    /// Status, the headers to compare and the body as one text, without what may differ.
    private String answer(PageList list, Page page, Server server)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(server.base + page.path))
                        .timeout(ANSWER_MAX)
                        .header("User-Agent", "ComparePages");
        page.headers.forEach(request::header);
        if (page.type != null) {
            request.header("Content-Type", page.type);
        }
        Map<String, String> jar =
                page.jar == null
                        ? new HashMap<>()
                        : server.jars.computeIfAbsent(page.jar, name -> new LinkedHashMap<>());
        if (!jar.isEmpty()) {
            var cookies = new StringBuilder();
            jar.forEach((name, value) -> cookies.append("; ").append(name + "=" + value));
            request.header("Cookie", cookies.substring(2));
        }
        request.method(
                page.method,
                page.body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(page.body));
        HttpResponse<byte[]> response;
        try {
            response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException e) {
            return "no answer: " + e;
        }
        keepCookies(response, jar);
        return normal(list, page, text(list, page, response), server, jar);
    }

    private static void keepCookies(HttpResponse<byte[]> response, Map<String, String> jar) {
        for (String cookie : response.headers().allValues("Set-Cookie")) {
            String pair = cookie.split(";", 2)[0];
            int equals = pair.indexOf('=');
            jar.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
    }

    private static String text(PageList list, Page page, HttpResponse<byte[]> response) {
        var text = new StringBuilder("status " + response.statusCode() + "\n");
        if (page.statusOnly) {
            return text.toString();
        }
        for (String name : list.headers) {
            for (String value : response.headers().allValues(name)) {
                String shown =
                        name.equalsIgnoreCase("Content-Type") ? value.replace(" ", "") : value;
                text.append(name).append(": ").append(shown).append('\n');
            }
        }
        // One character per byte, so that a wrong encoding differs.
        String body = new String(response.body(), StandardCharsets.ISO_8859_1);
        return text.append('\n').append(body.replace("\r\n", "\n")).toString();
    }

    private static String normal(
            PageList list, Page page, String text, Server server, Map<String, String> jar) {
        String session = jar.get("JSESSIONID");
        if (session != null) {
            text = text.replace(session, "SESSION");
        }
        text = text.replace(server.base, "BASE").replace(server.authority, "HOST:PORT");
        text = text.replaceAll("\\b" + server.port + "\\b", "PORT");
        for (Pattern pattern : list.drops) {
            text = pattern.matcher(text).replaceAll("");
        }
        for (Pattern pattern : page.hides) {
            text = pattern.matcher(text).replaceAll("*");
        }
        return page.sortLines ? text.lines().sorted().reduce("", (a, b) -> a + "\n" + b) : text;
    }

    /// One of the two servers, with its cookies.
    private static final class Server {
        final String base;
        final String authority;
        final int port;
        final Map<String, Map<String, String>> jars = new HashMap<>();

        Server(String base) {
            this.base = base;
            this.authority = URI.create(base).getAuthority();
            this.port = URI.create(base).getPort();
        }
    }

    /// One request of the list.
    private static final class Page {
        final int line;
        final String method;
        final String path;
        final Map<String, String> headers = new LinkedHashMap<>();
        final List<Pattern> hides = new ArrayList<>();
        final List<String> features = new ArrayList<>();
        String jar;
        String type;
        String body;
        boolean statusOnly;
        boolean sortLines;

        Page(int line, String method, String path) {
            this.line = line;
            this.method = method;
            this.path = path;
        }

        void set(String name, String value) {
            switch (name) {
                case "form" -> {
                    type = "application/x-www-form-urlencoded";
                    body = value;
                }
                case "text" -> {
                    type = "text/plain";
                    body = value;
                }
                case "header" -> {
                    String[] parts = value.split(": *", 2);
                    headers.put(parts[0], parts[1]);
                }
                case "jar" -> jar = value;
                case "hide" -> hides.add(Pattern.compile(value));
                case "feature" -> features.add(value);
                case "status-only" -> statusOnly = true;
                case "sort-lines" -> sortLines = true;
                default -> throw new IllegalArgumentException("unknown: " + name);
            }
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /// The list, as its file says.
    private static final class PageList {
        private static final Pattern REQUEST = Pattern.compile("([A-Z]+) +(/\\S*)");
        private static final Pattern SETTING = Pattern.compile("([a-z-]+)(?: +(.*))?");

        final List<String> headers = new ArrayList<>();
        final List<Pattern> drops = new ArrayList<>();
        final List<Page> pages = new ArrayList<>();

        static PageList read(Path file) throws IOException {
            var list = new PageList();
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                try {
                    list.add(number, line);
                } catch (IllegalArgumentException e) {
                    throw new IOException(file + ":" + number + ": " + e.getMessage(), e);
                }
            }
            return list;
        }

        private void add(int number, String line) {
            if (line.isBlank() || line.startsWith("#")) {
                return;
            }
            Matcher request = REQUEST.matcher(line);
            if (request.matches()) {
                pages.add(new Page(number, request.group(1), request.group(2)));
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
}
