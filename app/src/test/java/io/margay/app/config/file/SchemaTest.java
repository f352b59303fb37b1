package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.cli.Command;
import io.margay.app.cli.Help;
import io.margay.app.cli.Option;
import io.margay.app.command.CommandTables;
import io.margay.app.yaml.ReferenceWriter;
import io.margay.app.yaml.SchemaWriter;
import io.margay.app.yaml.Shape;
import io.margay.gateway.config.PeerLimits;
import io.margay.gateway.login.LoginLimits;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http2.Http2Limits;
import io.margay.server.config.HttpLimits;
import io.margay.server.config.MemoryLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.servlet.deploy.WarLimits;
import io.margay.servlet.jsp.JspSettings;
import io.margay.servlet.naming.PoolLimits;
import io.margay.servlet.realm.LockOutLimits;
import io.margay.servlet.settings.ServletLimits;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The published schema and reference say what the reader takes. `-Dmargay.update=true` writes them
/// anew.
final class SchemaTest {
    private static final Path ROOT = Path.of(System.getProperty("margay.root", ".."));
    private static final String ID = "urn:margay:configuration";

    private static void sameAsPublished(Path file, String expected) throws IOException {
        if (Boolean.getBoolean("margay.update")) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, expected);
        }
        assertTrue(Files.exists(file), file + " is missing; see the class comment");
        assertEquals(
                expected, Files.readString(file), file + " is outdated; see the class comment");
    }

    @Test
    void schema_asPublished_saysWhatTheReaderTakes() throws IOException {
        String schema = SchemaWriter.write(FileShape.root(), ID, "Margay configuration");
        sameAsPublished(ROOT.resolve("docs/reference/margay.schema.json"), schema);
    }

    @Test
    void reference_asPublished_saysWhatTheReaderTakes() throws IOException {
        for (Map.Entry<String, String> page : ReferenceWriter.write(FileShape.root()).entrySet()) {
            generated(page.getKey(), "keys", page.getValue());
        }
    }

    @Test
    void reference_asPublished_saysWhatTheCommandLineTakes() throws IOException {
        List<Option> shared = sharedOptions();
        List<String> everywhere = sharedDetails();
        Map<String, List<Option>> byCommands = new LinkedHashMap<>();
        shared.forEach(option ->
                byCommands.computeIfAbsent(commands(option), _ -> new ArrayList<>()).add(option));
        StringBuilder all = new StringBuilder();
        byCommands.forEach((commands, options) -> {
            all.append("Options of ").append(commands).append(":\n\n");
            for (Option option : options) {
                all.append("- `").append((option.name() + " " + option.argument()).strip());
                all.append("`: ").append(option.meaning()).append('\n');
            }
            all.append('\n');
        });
        all.append("Rules:\n\n");
        everywhere.forEach(paragraph -> all.append("- ").append(paragraph).append('\n'));
        all.append('\n');
        for (Command command : CommandTables.all()) {
            all.append("### `margay ").append(command.name()).append("`\n\n```\n");
            all.append(shown(command, shared, everywhere)).append("```\n\n");
        }
        generated("commands", "commands", all.toString());
    }

    /// The help of a command without what others have as well, and without its examples.
    private static String shown(Command command, List<Option> shared, List<String> everywhere) {
        List<Option> own = new ArrayList<>(command.options());
        own.removeAll(shared);
        List<String> details = new ArrayList<>(command.details());
        details.removeAll(everywhere);
        String help =
                Help.of(
                        new Command(
                                command.name(),
                                command.summary(),
                                command.operands(),
                                details,
                                own,
                                List.of()));
        return help.replace("\nExamples:\n", "").replaceFirst("\nOptions:\n$", "");
    }

    /// The commands with this option, by name unless nearly all have it.
    private static String commands(Option option) {
        List<String> names =
                CommandTables.all().stream()
                        .filter(command -> command.options().contains(option))
                        .map(Command::name)
                        .toList();
        return names.size() > CommandTables.all().size() * 3 / 4
                ? "nearly all commands"
                : "`" + String.join("`, `", names) + "`";
    }

    /// Paragraphs of several commands.
    private static List<String> sharedDetails() {
        List<String> all =
                CommandTables.all().stream().flatMap(each -> each.details().stream()).toList();
        return all.stream()
                .distinct()
                .filter(each -> all.stream().filter(each::equals).count() > 1)
                .toList();
    }

    /// What several commands have.
    private static List<Option> sharedOptions() {
        return CommandTables.all().stream()
                .flatMap(command -> command.options().stream())
                .distinct()
                .filter(option ->
                        CommandTables.all().stream()
                                        .filter(each -> each.options().contains(option))
                                        .count()
                                > 1)
                .toList();
    }

    /// What stands between two marks of a page of the reference; the page without a name is its
    /// index.
    private static void generated(String page, String part, String expected) throws IOException {
        Path file =
                ROOT.resolve(
                        "docs/reference/configuration"
                                + (page.isEmpty() ? "" : "/" + page)
                                + ".md");
        String begin = "<!-- generated: " + part + " -->\n";
        String end = "<!-- end of " + part + " -->";
        String text = Files.readString(file);
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end);
        assertTrue(from >= begin.length() && to >= from, "marks of " + part);
        sameAsPublished(file, text.substring(0, from) + expected + text.substring(to));
    }

    /// A limit that another module adds gets its key and its line in the reference.
    @Test
    void limits_ofEveryModule_haveKeysWithMeanings() {
        complete(Http1Limits.class, "limits", "http1");
        complete(Http2Limits.class, "limits", "http2");
        complete(HttpLimits.class, "limits", "connection");
        complete(ServletLimits.class, "limits", "servlet");
        complete(MemoryLimits.class, "limits", "memory");
        complete(PeerLimits.class, "limits", "peers");
        complete(LoginLimits.class, "limits", "login");
        complete(WarLimits.class, "limits", "war");
        complete(WorkerLimits.class, "workers");
        complete(PoolLimits.class, "resources");
        complete(LockOutLimits.class, "deploy", "lock-out");
        complete(JspSettings.class, "deploy", "pages");
    }

    private static void complete(Class<? extends Record> limits, String... path) {
        Shape shape = FileShape.root();
        for (String name : path) {
            shape =
                    ((Shape.Section) shape)
                            .keys().stream()
                                    .filter(key -> key.name().equals(name))
                                    .findFirst()
                                    .orElseThrow()
                                    .shape();
        }
        Shape section = shape instanceof Shape.Named named ? named.value() : shape;
        Set<String> keys = new HashSet<>();
        ((Shape.Section) section).keys().forEach(key -> keys.add(key.name()));
        for (RecordComponent component : limits.getRecordComponents()) {
            if (!component.getType().isRecord()) {
                String key =
                        component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
                assertTrue(keys.contains(key), limits.getSimpleName() + " " + key);
            }
        }
    }

    @Test
    void keys_ofTheFile_haveMeaningAndDefault() {
        described(FileShape.root());
    }

    private static void described(Shape shape) {
        switch (shape) {
            case Shape.Section section -> {
                for (Shape.Key key : section.keys()) {
                    assertTrue(!key.meaning().isEmpty(), key.name());
                    assertTrue(
                            key.required()
                                    || !key.byDefault().isEmpty()
                                    || section.exactlyOne().contains(key.name()),
                            "default of " + key.name());
                    described(key.shape());
                }
            }
            case Shape.Items items -> described(items.item());
            case Shape.Named named -> described(named.value());
            case Shape.Scalar _ -> {
                // Nothing below.
            }
        }
    }
}
