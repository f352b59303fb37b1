package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is secret in a configuration is in no message about it.
final class SecretsTest {
    private static final String SECRET = "hunter2";

    /// Names of what is secret, but for paths of files, and for words that say something else.
    private static final Pattern SECRET_NAME =
            Pattern.compile(".*(secret|password|passphrase|token|hmac)|(.*-)?key");

    private static final Set<String> NOT_SECRET =
            Set.of("secret-required", "password-query", "key of what makes a certificate");

    @TempDir Path folder;

    /// A value of the file, and the file around it, in which `@` stands for the value.
    private record Place(String path, Shape.Key key, String file) {}

    private static List<Place> places() {
        List<Place> places = new ArrayList<>();
        walk(FileShape.root(), "@", "", new HashSet<>(), places);
        return places;
    }

    private static void walk(
            Shape shape, String file, String path, Set<String> seen, List<Place> places) {
        switch (shape) {
            case Shape.Section section -> {
                for (Shape.Key key : section.keys()) {
                    String at = path + "/" + key.name();
                    if (seen.add(section.says() + " " + key.name())) {
                        String inside = file.replace("@", "{" + key.name() + ": @}");
                        if (leaf(key.shape())) {
                            places.add(new Place(at, key, inside));
                        } else {
                            walk(key.shape(), inside, at, seen, places);
                        }
                    }
                }
            }
            case Shape.Items items ->
                    walk(items.item(), file.replace("@", "[@]"), path, seen, places);
            case Shape.Named named -> {
                String inside = file.replace("@", "{" + name(named.key()) + ": @}");
                if (leaf(named.value())) {
                    Shape.Key key =
                            new Shape.Key(
                                    named.says(), named::value, false, () -> "", "", List.of());
                    places.add(new Place(path + "/" + named.says(), key, inside));
                } else {
                    walk(named.value(), inside, path, seen, places);
                }
            }
            case Shape.Scalar _ -> {}
        }
    }

    private static boolean leaf(Shape shape) {
        return shape instanceof Shape.Scalar;
    }

    private static String name(Shape.Scalar key) {
        for (String name : List.of("a", "/", "/*", "a.example", "jdbc/a", "404")) {
            try {
                Object _ = key.parse().apply(name);
                return name;
            } catch (IllegalArgumentException e) {
                // The next.
            }
        }
        throw new AssertionError(key.says());
    }

    private String problems(String text) throws Exception {
        Path file = Files.writeString(folder.resolve("margay.yaml"), text);
        ConfigFile.Result result = ConfigFile.read(file, Map.of("SECRET", SECRET + SECRET));
        List<Problem> problems = new ArrayList<>(result.problems());
        problems.addAll(result.missing());
        return problems.toString();
    }

    @Test
    void keysThatAreNamedAsSecrets_areMarked() {
        List<String> unmarked = new ArrayList<>();
        for (Place place : places()) {
            Shape.Scalar scalar = (Shape.Scalar) place.key().shape();
            boolean named = SECRET_NAME.matcher(place.key().name()).matches();
            boolean file = scalar.says().startsWith("a path") || !scalar.choices().isEmpty();
            if (named && !file && !scalar.secret() && !NOT_SECRET.contains(place.key().name())) {
                unmarked.add(place.path());
            }
        }
        assertEquals(List.of(), unmarked);
    }

    @Test
    void secrets_withAnyWrongValue_areInNoProblem() throws Exception {
        int secrets = 0;
        for (Place place : places()) {
            if (((Shape.Scalar) place.key().shape()).secret()) {
                secrets++;
                for (String value :
                        List.of(
                                SECRET,
                                "\"" + SECRET + "\\u0007\\u20ac\"",
                                "\"" + SECRET.repeat(2_000) + "\"",
                                "${SECRET}",
                                "[" + SECRET + "]",
                                "{" + SECRET + ": 1}")) {
                    String problems = problems(place.file().replace("@", value));
                    assertFalse(problems.contains(SECRET), place.path() + " " + value + problems);
                }
            }
        }
        assertTrue(secrets >= 16, "only " + secrets);
    }

    @Test
    void urls_inAnyValue_areShownWithoutWhoLogsIn() throws Exception {
        for (Place place : places()) {
            for (String value :
                    List.of(
                            "http://admin:" + SECRET + "@10.0.0.1:99999/",
                            "redis://" + SECRET + "@host:x/",
                            "jdbc:x://host/?user=a&password=" + SECRET,
                            "ajp://u:" + SECRET + "@")) {
                String problems = problems(place.file().replace("@", "\"" + value + "\""));
                assertFalse(problems.contains(SECRET), place.path() + problems);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "listeners: [{ajp: '127.0.0.1:0', secret: \"@\\u20ac\"}]",
                "upstreams: {a: {members: [{url: 'ajp://10.0.0.1:8009', secret: \"@\\u20ac\"}]}}",
                "upstreams: {a: {members: [{url: 'http://u:@@10.0.0.1:80/'}]}}",
                "sessions: {store: valkey, url: 'redis://u:@@h:1:2/x', key: @@@@@@@@@@}",
                "sessions: {store: jdbc, url: 'jdbc:x:?password=@', key: @@@@@@@@@@}",
                "shared: {url: 'nothing://u:@@h', key: @@@@@@@@@@@}"
            })
    void valuesThatFitNoOther_areInNoProblem(String file) throws Exception {
        String problems =
                problems(file.replace("@", SECRET).replace(SECRET + SECRET + "10", SECRET + "@10"));
        assertFalse(problems.contains(SECRET), problems);
    }
}
