package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Reads `bin/setenv.sh`. If the start script has run it, all of it holds; otherwise it is not run:
/// the `-D` options of the JVM are honoured, the others are named. Stateless.
final class SetEnv {
    private static final String FILE = "bin/setenv.sh";

    /// What `catalina.sh` sets when it has run that file.
    private static final String RUN = "MARGAY_SETENV";

    private static final Pattern ASSIGNMENT =
            Pattern.compile("(?:export\\s+)?([A-Za-z_][A-Za-z0-9_]*)=(.*)");
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private SetEnv() {}

    /// The system properties that the script sets.
    ///
    /// @param environment of the process
    static Map<String, String> read(
            Path base, Map<String, String> environment, ElementAccount account) throws IOException {
        Path file = base.resolve(FILE);
        Map<String, String> properties = new TreeMap<>();
        if (!Files.isRegularFile(file)) {
            return properties;
        }
        ElementAccount told = account;
        if ("run".equals(environment.get(RUN))) {
            account.tell(
                    file.toString(), 1, "setenv.sh", Verdict.HONOURED, "the start script runs it");
            told = new ElementAccount(); // Only the properties are wanted of its lines.
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                line(file.toString(), i + 1, line, properties, told);
            }
        }
        return properties;
    }

    private static void line(
            String file,
            int number,
            String line,
            Map<String, String> properties,
            ElementAccount account) {
        Matcher assignment = ASSIGNMENT.matcher(line);
        if (!assignment.matches()) {
            boolean exported = line.matches("export\\s+[A-Z_ ]+");
            account.tell(
                    file,
                    number,
                    "line",
                    exported ? Verdict.NOTED : Verdict.CHANGED,
                    "the script is read, not run: " + line);
            return;
        }
        String name = assignment.group(1);
        switch (name) {
            case "JAVA_OPTS", "CATALINA_OPTS" ->
                    options(file, number, assignment.group(2), properties, account);
            case "JAVA_HOME", "JRE_HOME" ->
                    account.tell(
                            file, number, name, Verdict.NOTED, "MARGAY_JAVA_HOME names the JDK");
            default ->
                    account.tell(
                            file,
                            number,
                            name,
                            Verdict.CHANGED,
                            "is not set; set it where the server is started");
        }
    }

    private static void options(
            String file,
            int number,
            String value,
            Map<String, String> properties,
            ElementAccount account) {
        String plain =
                value.length() > 1 && value.matches("^(\".*\"|'.*')$")
                        ? value.substring(1, value.length() - 1)
                        : value;
        Matcher words = WORD.matcher(plain);
        while (words.find()) {
            String word =
                    words.group(1) != null
                            ? words.group(1)
                            : words.group(2) != null ? words.group(2) : words.group(3);
            if (word.startsWith("$")) {
                continue; // What the variable was before.
            }
            int equals = word.indexOf('=');
            if (word.startsWith("-D") && equals > 0 && word.indexOf('$') < 0) {
                properties.put(word.substring(2, equals), word.substring(equals + 1));
                account.tell(file, number, word.substring(0, equals), Verdict.HONOURED, "is set");
            } else {
                account.tell(
                        file,
                        number,
                        word,
                        Verdict.CHANGED,
                        "is not an option of this JVM; start with MARGAY_JAVA_OPTS=\""
                                + word
                                + "\"");
            }
        }
    }
}
