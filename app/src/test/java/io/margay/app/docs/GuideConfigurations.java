package io.margay.app.docs;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import io.margay.testkit.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The complete configurations of the guide, to be tried.
public final class GuideConfigurations {
    private static final Pattern TOP_LEVEL = Pattern.compile("^(listeners|hosts|upstreams):.*");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)");
    private static final Pattern PORT =
            Pattern.compile("\\b(https?|ajp|admin): (?:[0-9.]+:)?[0-9]{2,5}\\b");
    private static final Pattern ADDRESS = Pattern.compile("10[.][0-9]+[.][0-9]+[.][0-9]+:[0-9]+");
    private static final Pattern NAMED =
            Pattern.compile(
                    "(?<=[ /{\\[])[a-z0-9/-]+[.](pem|key|war|token|htpasswd|html|members)\\b");

    private static final Map<String, String> REST =
            Map.of(
                    "listeners:", "[{http: 0}]",
                    "hosts:", "[{routes: {/: {files: .}}}]",
                    "upstreams:", "{shop: {members: [{url: \"http://127.0.0.1:1\"}]}}");

    private static final Pattern OTHERS =
            Pattern.compile("acme:|[.]internal|https://ldap|jdbc:|register:|kubernetes:|etcd:");

    private static final List<String> FOLDERS =
            List.of("public", "api", "video", "lib", "webapps", "downloads", "hello");

    private GuideConfigurations() {}

    public static List<Guided> all() throws IOException {
        List<Guided> all = new ArrayList<>();
        for (Document document : Document.all()) {
            for (Document.Block block : document.blocks()) {
                if (document.toString().startsWith("docs/guide/")
                        && block.language().equals("yaml")
                        && block.lines().stream().anyMatch(l -> TOP_LEVEL.matcher(l).matches())) {
                    all.add(new Guided(block.toString(), text(block)));
                }
            }
        }
        return all;
    }

    /// Whole, at ports of this machine that are free, and with members where nobody listens.
    private static String text(Document.Block block) {
        StringBuilder whole = new StringBuilder(String.join("\n", block.lines())).append('\n');
        REST.forEach((key, rest) -> {
            if (block.lines().stream().noneMatch(line -> line.startsWith(key))) {
                whole.append(key).append(' ').append(rest).append('\n');
            }
        });
        String text = PORT.matcher(whole).replaceAll("$1: 127.0.0.1:0");
        text = text.replace("/run/secrets/", "secrets/").replace("/run/margay/", "@/");
        AtomicInteger port = new AtomicInteger();
        return ADDRESS.matcher(text)
                .replaceAll(_ -> "127.0.0.1:" + port.incrementAndGet())
                .replaceAll("(?m)^ *crl: .*\n", "");
    }

    /// One of them.
    ///
    /// @param name where it stands
    public record Guided(String name, String text) {
        public Map<String, String> variables() {
            Map<String, String> variables = new HashMap<>();
            Matcher variable = VARIABLE.matcher(text);
            while (variable.find()) {
                variables.put(variable.group(1), "some-text-of-more-than-32-characters");
            }
            return variables;
        }

        /// Whether a start, or the stop after it, would ask servers of others and wait for them.
        public boolean asksOthers() {
            return OTHERS.matcher(text).find();
        }

        /// Writes it into an empty folder, and beside it what it names.
        public Path write(Path folder) throws IOException {
            Path file =
                    Files.writeString(
                            folder.resolve("margay.yaml"), text.replace("@/", folder + "/"));
            TestCertificate certificate = TestCertificate.in(folder);
            Matcher named = NAMED.matcher(text);
            while (named.find()) {
                Path one = folder.resolve(named.group());
                Files.createDirectories(one.getParent());
                switch (named.group(1)) {
                    case "pem" -> Files.copy(certificate.cert(), one, REPLACE_EXISTING);
                    case "key" -> Files.copy(certificate.key(), one, REPLACE_EXISTING);
                    case "members" -> Files.writeString(one, "http://127.0.0.1:1\n");
                    case "war" -> Files.createDirectories(one);
                    default -> Files.writeString(one, "a-text-of-some-length");
                }
            }
            for (String name :
                    List.of("secrets/ldap", "secrets/shop", "secrets/cookies", "groups")) {
                Path one = folder.resolve(name);
                Files.createDirectories(one.getParent());
                Files.writeString(one, name.equals("groups") ? "" : "a-secret-of-some-length");
            }
            for (String name : FOLDERS) {
                Files.createDirectories(folder.resolve(name));
            }
            return file;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
