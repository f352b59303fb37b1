package io.margay.compat.nginx.syntax;

import io.margay.compat.account.AccountLine.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// A row of the table of nginx's directives, `directives.txt`: one place says where each may stand,
/// how many words it has, and what becomes of it. Immutable.
///
/// @param contexts blocks in which it may stand: `main`, `events`, `http`, `server`, `location`,
///   `if-server` and `if` (an `if` in a server, in a location), `limit_except`, `upstream`, those
///   of `mail` and `stream`; `any`
/// @param arity nginx's flags for its words: `NOARGS`, `TAKE12`, `1MORE`, `FLAG`, `BLOCK`
/// @param once whether a second one in the same block is refused
/// @param verdict what becomes of it; one that is honoured still has to be asked for by who reads
///   it
/// @param closes whether something is open without it
/// @param text what is done instead
public record NginxDirective(
        String name,
        Set<String> contexts,
        Set<String> arity,
        boolean once,
        Verdict verdict,
        boolean closes,
        String text) {
    /// Blocks whose content is no directives.
    private static final Set<String> FREE =
            Set.of("map", "geo", "types", "split_clients", "charset_map");

    /// An entry of such a block.
    private static final NginxDirective ENTRY =
            new NginxDirective(
                    "",
                    Set.of("any"),
                    Set.of("NOARGS", "1MORE"),
                    false,
                    Verdict.HONOURED,
                    false,
                    "");

    private static final Map<String, List<NginxDirective>> ALL = read();

    public NginxDirective {
        contexts = Set.copyOf(contexts);
        arity = Set.copyOf(arity);
    }

    /// All rows, in the order of the table.
    public static List<NginxDirective> all() {
        return ALL.values().stream().flatMap(List::stream).toList();
    }

    /// The rows of a name; none where nginx has no such directive.
    static List<NginxDirective> named(String name) {
        return ALL.getOrDefault(name, List.of());
    }

    /// An entry of a block like `map`.
    static NginxDirective entry() {
        return ENTRY;
    }

    private static Map<String, List<NginxDirective>> read() {
        Map<String, List<NginxDirective>> all = new LinkedHashMap<>();
        try (InputStream in = NginxDirective.class.getResourceAsStream("directives.txt")) {
            if (in == null) {
                throw new IllegalStateException("directives.txt is missing");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .map(NginxDirective::row)
                    .forEach(row -> all.computeIfAbsent(row.name, _ -> new ArrayList<>()).add(row));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all;
    }

    private static NginxDirective row(String line) {
        String[] cells = line.split("\\|", -1);
        return new NginxDirective(
                cells[0],
                Set.copyOf(Arrays.asList(cells[1].split(" "))),
                Set.copyOf(Arrays.asList(cells[2].split(" "))),
                cells[3].equals("once"),
                Verdict.valueOf(cells[4].toUpperCase(Locale.ROOT)),
                cells[5].equals("closes"),
                cells[6]);
    }

    /// Whether it may stand in a block.
    boolean isIn(String context) {
        return contexts.contains("any") || contexts.contains(context);
    }

    /// Whether it has a block.
    boolean isBlock() {
        return arity.contains("BLOCK");
    }

    /// Whether what stands in its block is no directives.
    boolean isFree() {
        return FREE.contains(name);
    }

    /// Whether it may have so many words.
    boolean takes(int count) {
        for (String one : arity) {
            boolean fits =
                    switch (one) {
                        case "NOARGS" -> count == 0;
                        case "FLAG" -> count == 1;
                        case "1MORE" -> count >= 1;
                        case "2MORE" -> count >= 2;
                        default -> one.startsWith("TAKE") && one.indexOf('0' + count, 4) > 0;
                    };
            if (fits) {
                return true;
            }
        }
        return arity.equals(Set.of("BLOCK")) && count == 0;
    }

    /// Whether its only word is `on` or `off`.
    boolean isFlag() {
        return arity.contains("FLAG");
    }
}
