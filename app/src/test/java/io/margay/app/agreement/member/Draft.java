package io.margay.app.agreement.member;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// A configuration while it is made. Confined to one thread.
final class Draft {
    private final RandomGenerator chance;
    private final List<String> lines = new ArrayList<>();
    private final Map<String, String> files = new LinkedHashMap<>();
    private final List<String> targets = new ArrayList<>();

    Draft(RandomGenerator chance) {
        this.chance = chance;
    }

    List<String> lines() {
        return lines;
    }

    Map<String, String> files() {
        return files;
    }

    /// What requests ask for.
    List<String> targets() {
        return targets;
    }

    /// Adds lines as they stand.
    void add(String text) {
        text.lines().forEach(lines::add);
    }

    void targets(String... more) {
        targets.addAll(List.of(more));
    }

    boolean one(int of) {
        return chance.nextInt(of) == 0;
    }

    int upTo(int most) {
        return 1 + chance.nextInt(most);
    }

    @SafeVarargs
    final <T> T any(T... all) {
        return all[chance.nextInt(all.length)];
    }

    <T> T any(List<T> all) {
        return all.get(chance.nextInt(all.size()));
    }

    /// Puts lines where they may stand: in the host, in a section, or in a `.htaccess`.
    void put(String text) {
        String section =
                any(
                        "",
                        "",
                        "",
                        "",
                        "Location /app",
                        "Location /",
                        "LocationMatch \"^/(app|m)/\"",
                        "Location /fcgi",
                        "Directory \"@DIR@/sub\"",
                        "Directory \"@DIR@\"",
                        "Files \"x.php\"",
                        "FilesMatch \"\\.(html|css)$\"",
                        "Files \"*.js\"",
                        "If \"%{REQUEST_URI} =~ m#^/(app|sub)#\"",
                        "If \"%{HTTP:X-One} == 'one'\"",
                        ".htaccess",
                        "sub/.htaccess");
        if (section.endsWith(".htaccess")) {
            files.merge(section, text + "\n", String::concat);
            targets("/", "/a.txt", "/sub/f.txt", "/sub/", "/style.css");
        } else if (section.isEmpty()) {
            add(text);
        } else {
            add("<" + section + ">");
            text.lines().map(line -> "  " + line).forEach(lines::add);
            add("</" + section.replaceFirst(" .*", "") + ">");
            targets("/app/x", "/sub/f.txt", "/style.css", "/app.js", "/page.html");
        }
    }
}
