package io.margay.compat.tomcat.base;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The properties by which `${...}` is replaced in the files of a `CATALINA_BASE`: its folders, the
/// `-D` of `bin/setenv.sh`, and `conf/catalina.properties`. Immutable.
public final class CatalinaProperties {
    /// Where no base is around: nothing is replaced.
    public static final CatalinaProperties NONE = new CatalinaProperties(Map.of(), Map.of());

    /// Libraries that are not looked through, by the patterns of their names.
    public static final String JARS_TO_SKIP = "tomcat.util.scan.StandardJarScanFilter.jarsToSkip";

    /// Those of them that are looked through nevertheless.
    public static final String JARS_TO_SCAN = "tomcat.util.scan.StandardJarScanFilter.jarsToScan";

    private static final Pattern REFERENCE = Pattern.compile("\\$\\{([^}]*)}");

    /// Replacements within replacements.
    private static final int DEPTH_MAX = 20;

    private static final String SOURCE = "org.apache.tomcat.util.digester.PROPERTY_SOURCE";

    private final Map<String, String> values;
    private final Map<String, String> environment;

    private CatalinaProperties(Map<String, String> values, Map<String, String> environment) {
        this.values = new TreeMap<>(values);
        this.environment = environment;
    }

    /// Reads those of a base.
    ///
    /// @param options `-D` options, by name
    /// @param environment of the process: `CATALINA_HOME`, and for bases that replace by it
    /// @throws IOException when catalina.properties is there and cannot be read
    public static CatalinaProperties read(
            Path base, Map<String, String> options, Map<String, String> environment)
            throws IOException {
        Map<String, String> all = new TreeMap<>(options);
        all.put("catalina.base", base.toString());
        all.putIfAbsent("catalina.home", home(base, environment).toString());
        Path file = base.resolve("conf/catalina.properties");
        if (Files.exists(file)) {
            Properties read = new Properties();
            try (Reader in = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                read.load(in);
            }
            read.stringPropertyNames().forEach(name -> all.put(name, read.getProperty(name)));
        }
        boolean byEnvironment = all.getOrDefault(SOURCE, "").contains("EnvironmentPropertySource");
        return new CatalinaProperties(all, byEnvironment ? environment : Map.of());
    }

    /// Tomcat's own folder, whose `lib` may hold drivers: that of `CATALINA_HOME` where there is a
    /// Tomcat, else the base.
    private static Path home(Path base, Map<String, String> environment) {
        String named = environment.getOrDefault("CATALINA_HOME", "");
        Path home = base.resolve(named).normalize();
        return Files.isRegularFile(home.resolve("bin/bootstrap.jar")) ? home : base;
    }

    /// All of them, replaced, by name.
    public Map<String, String> all() {
        Map<String, String> all = new TreeMap<>();
        values.forEach((name, value) -> all.put(name, replace(value)));
        return all;
    }

    /// The value of a name, replaced; null = there is none.
    public @Nullable String get(String name) {
        String value = values.get(name);
        return value == null ? null : replace(value);
    }

    /// A text with every `${name}` and `${name:-default}` replaced of which there is a value.
    public String replace(String text) {
        return values.isEmpty() ? text : replace(text, 0);
    }

    private String replace(String text, int depth) {
        if (depth > DEPTH_MAX || text.indexOf("${") < 0) {
            return text;
        }
        Matcher matcher = REFERENCE.matcher(text);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1);
            int dash = name.indexOf(":-");
            String value = value(dash < 0 ? name : name.substring(0, dash));
            if (value == null) {
                value = dash < 0 ? matcher.group() : name.substring(dash + 2);
            } else {
                value = replace(value, depth + 1);
            }
            matcher.appendReplacement(out, Matcher.quoteReplacement(value));
        }
        return matcher.appendTail(out).toString();
    }

    private @Nullable String value(String name) {
        String own = values.get(name);
        String of = own != null ? own : environment.get(name);
        return of != null ? of : System.getProperty(name);
    }

    /// The items of a list that is separated by commas, each of which may be quoted.
    public List<String> list(String name) {
        List<String> items = new ArrayList<>();
        String value = get(name);
        if (value != null) {
            for (String item : value.split(",", -1)) {
                String plain = item.strip().replaceAll("^\"|\"$", "");
                if (!plain.isEmpty()) {
                    items.add(plain);
                }
            }
        }
        return items;
    }
}
