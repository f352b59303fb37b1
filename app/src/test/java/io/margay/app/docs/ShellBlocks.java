package io.margay.app.docs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The commands that the documents have people type, as scripts that try them: all of a page in one
/// folder, from the first to the last.
public final class ShellBlocks {
    private static final Pattern COMMAND =
            Pattern.compile(
                    "(\\./margay|make|curl|htpasswd|mkdir|openssl|docker|tar|gpg|git|apt-get"
                            + "|kubectl|bin/[a-z]+|[A-Z_]+=\\S+) .*");

    private static final Pattern SERVES =
            Pattern.compile(
                    "([A-Z_]+=(\"[^\"]*\"|\\S+) )*"
                            + "\\./margay (run|gateway|tomcat|proxy|files|docs)\\b.*",
                    Pattern.DOTALL);

    private static final Pattern TEXT = Pattern.compile("<<'(\\w+)'");

    /// What no script can do in an empty folder without a network, by how such a block begins.
    private static final Map<String, String> LEFT_OUT =
            Map.ofEntries(
                    Map.entry("make ", "builds the checkout whose test this is"),
                    Map.entry("./margay lab ", "measures for minutes; LabIT runs it"),
                    Map.entry("./margay shadow ", "needs two servers; CommandLineTest runs it"),
                    Map.entry("./margay move ", "needs two servers; MoveCommandTest runs it"),
                    Map.entry("docker ", "needs a daemon of containers"),
                    Map.entry("kubectl ", "needs a cluster"),
                    Map.entry("tar ", "unpacks into /opt, as root; DistributionIT unpacks it"),
                    Map.entry("CATALINA_BASE=", "is where it was installed; CatalinaScriptTest"),
                    Map.entry("apt-get ", "installs, as root"),
                    Map.entry("gpg ", "needs what has been published"),
                    Map.entry("git ", "needs what has been published"),
                    Map.entry("useradd ", "adds a user, as root"),
                    Map.entry("helm ", "needs a cluster"),
                    Map.entry("sha256sum ", "needs what has been published"),
                    Map.entry("openssl ocsp", "asks the responder of an authority"));

    /// What has to be there before a block, by how it begins.
    private static final Map<String, String> BEFORE =
            Map.of(
                    "./margay check margay.yaml", "yaml",
                    "./margay convert ", "javax",
                    "./margay migrate httpd.conf", "alone",
                    "curl -T shop.war -u x:TOKEN", "manager",
                    "curl -si http://127.0.0.1/shop/", "beside",
                    "curl -X PUT -H \"Authorization: Bearer $TOKEN\" ", "members");

    private ShellBlocks() {}

    /// A page and what its commands are as a script.
    public record Page(String name, String script) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// Pages with commands that can be tried.
    public static List<Page> pages() throws IOException {
        Map<String, StringBuilder> scripts = new LinkedHashMap<>();
        for (Document document : documents()) {
            for (Document.Block block : document.blocks()) {
                StringBuilder script = script(block);
                if (block.language().equals("sh") && !script.isEmpty()) {
                    scripts.computeIfAbsent(document.toString(), _ -> new StringBuilder())
                            .append(script);
                }
            }
        }
        List<Page> pages = new ArrayList<>();
        scripts.forEach((name, script) -> pages.add(new Page(name, script.toString())));
        return pages;
    }

    /// Blocks of commands that are not marked as such.
    static List<String> unmarked() throws IOException {
        List<String> unmarked = new ArrayList<>();
        for (Document document : documents()) {
            for (Document.Block block : document.blocks()) {
                if (block.language().isEmpty()
                        && COMMAND.matcher(block.lines().getFirst()).matches()) {
                    unmarked.add(block.toString());
                }
            }
        }
        return unmarked;
    }

    /// Reasons that nothing needs any more.
    static List<String> unusedReasons() throws IOException {
        List<String> unused = new ArrayList<>(LEFT_OUT.keySet());
        for (Document document : documents()) {
            for (Document.Block block : document.blocks()) {
                if (block.language().equals("sh")) {
                    block.lines().forEach(line -> leftOut(line).ifPresent(unused::remove));
                }
            }
        }
        return unused;
    }

    private static List<Document> documents() throws IOException {
        return Document.all().stream()
                .filter(page ->
                        page.toString().equals("README.md")
                                || page.toString().startsWith("docs/guide/")
                                || page.toString().startsWith("docs/reference/"))
                .toList();
    }

    private static Optional<String> leftOut(String command) {
        return LEFT_OUT.keySet().stream().filter(command::startsWith).findFirst();
    }

    /// Servers are started in the background, and go on until the next one is started.
    private static StringBuilder script(Document.Block block) {
        StringBuilder script = new StringBuilder();
        StringBuilder command = new StringBuilder();
        for (String line : block.lines()) {
            command.append(line);
            if (line.endsWith("\\") || isOpen(command)) {
                command.append('\n');
            } else {
                if (leftOut(command.toString()).isEmpty()) {
                    script.append(wrapped(command.toString())).append('\n');
                }
                command.setLength(0);
            }
        }
        BEFORE.forEach((begin, before) -> {
            if (!script.isEmpty() && block.lines().getFirst().startsWith(begin)) {
                script.insert(0, "before_" + before + "\n");
            }
        });
        return script;
    }

    /// Whether the lines of a text for a command go on, as behind `<<'END'`.
    private static boolean isOpen(CharSequence command) {
        Matcher text = TEXT.matcher(command);
        return text.find() && !command.toString().endsWith("\n" + text.group(1));
    }

    private static String wrapped(String command) {
        String here =
                command.replaceAll("/var/lib/tomcat[0-9]+", "base")
                        .replace("/tmp/", "")
                        .replace("/etc/apache2/apache2.conf", "apache2.conf")
                        .replace("ajp://10.0.0.5", "ajp://127.0.0.1")
                        .replace("https://10.0.0.2:9990", "http://127.0.0.1:9990")
                        .replace("-u x:TOKEN", "-u \"x:$TOKEN\"")
                        .replace("Bearer TOKEN", "Bearer $TOKEN");
        boolean serves = SERVES.matcher(here).matches();
        return "echo '" + command.replace("'", "'\\''") + "'\n" + (serves ? serving(here) : here);
    }

    private static String serving(String command) {
        return "stop_server\n("
                + command.replaceFirst(" +#.*", "")
                + ") >server.log 2>&1 &\nstarted $!";
    }
}
