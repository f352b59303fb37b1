package io.margay.compat.nginx.syntax;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads `nginx.conf` and what it includes into directives. What nginx refuses is wrong, in nginx's
/// words. Confined to one reading.
public final class NginxParser {
    private static final int FILES_MAX = 1_000;
    private static final int FILE_BYTES_MAX = 8 << 20;
    private static final int DEPTH_MAX = 32;

    private final Account account;
    private final Path folder;
    private int files;
    private int depth;

    /// @param folder to which names of files are relative
    public NginxParser(Account account, Path folder) {
        this.account = account;
        this.folder = folder;
    }

    /// Reads a file.
    public List<NginxNode> parse(Path file) {
        List<NginxNode> nodes = new ArrayList<>();
        read(file, file.toString(), "main", nodes);
        return nodes;
    }

    private boolean read(Path file, String shown, String context, List<NginxNode> to) {
        if (++files > FILES_MAX || depth >= DEPTH_MAX) {
            account.wrong(new Place(shown, 0), "include", "includes too many files");
            return false;
        }
        String text;
        try {
            text = text(file);
        } catch (IOException e) {
            account.wrong(new Place(shown, 0), "the file", "cannot be read: " + e.getMessage());
            return false;
        }
        NginxLexer lexer = new NginxLexer(text);
        depth++;
        try {
            block(new Source(lexer, shown), context, to, false, false);
            return true;
        } catch (NginxLexer.Malformed e) {
            account.wrong(
                    new Place(shown, lexer.line()), "the file", String.valueOf(e.getMessage()));
            return false;
        } finally {
            depth--;
        }
    }

    private static String text(Path file) throws IOException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException("it is larger than " + FILE_BYTES_MAX + " octets");
        }
        byte[] bytes = Files.readAllBytes(file);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    private record Source(NginxLexer lexer, String shown) {
        Place place() {
            return new Place(shown, lexer.line());
        }
    }

    private void block(
            Source source, String context, List<NginxNode> to, boolean inner, boolean free)
            throws NginxLexer.Malformed {
        while (true) {
            NginxLexer.End end = source.lexer.next();
            switch (end) {
                case FILE -> {
                    if (inner) {
                        throw new NginxLexer.Malformed("unexpected end of file, expecting \"}\"");
                    }
                    return;
                }
                case CLOSE -> {
                    if (!inner) {
                        throw new NginxLexer.Malformed("unexpected \"}\"");
                    }
                    return;
                }
                case OPEN, SEMICOLON ->
                        directive(source, context, to, end == NginxLexer.End.OPEN, free);
            }
        }
    }

    private void directive(
            Source source, String context, List<NginxNode> to, boolean opens, boolean free)
            throws NginxLexer.Malformed {
        String name = source.lexer.words().getFirst();
        List<String> words = source.lexer.words().subList(1, source.lexer.words().size());
        Place place = source.place();
        if (name.equals("include") && words.size() == 1 && !opens) {
            include(words.getFirst(), place, context, to, free);
            return;
        }
        NginxDirective row = free ? NginxDirective.entry() : row(name, context);
        String fault = free && !opens ? null : fault(row, name, words, opens);
        if (fault == null && row != null && !row.isIn(context)) {
            fault = "\"" + name + "\" directive is not allowed here";
        }
        if (fault == null && !free && row != null && isSecond(row, name, to)) {
            fault = "\"" + name + "\" directive is duplicate";
        }
        NginxNode node =
                new NginxNode(name, words, place, row == null ? NginxDirective.entry() : row);
        if (fault != null) {
            account.wrong(place, name, fault);
            node.tell();
        } else {
            to.add(node);
        }
        if (opens) {
            boolean inFree = row != null && row.isFree();
            block(source, inner(name, context), node.block(), true, inFree || row == null);
        }
    }

    private static boolean isSecond(NginxDirective row, String name, List<NginxNode> before) {
        return row.once() && before.stream().anyMatch(one -> one.name().equals(name));
    }

    private static @Nullable NginxDirective row(String name, String context) {
        List<NginxDirective> rows = NginxDirective.named(name);
        return rows.stream()
                .filter(one -> one.isIn(context))
                .findFirst()
                .orElse(rows.isEmpty() ? null : rows.getFirst());
    }

    private @Nullable String fault(
            @Nullable NginxDirective row, String name, List<String> words, boolean opens) {
        if (row == null) {
            return "unknown directive \"" + name + "\"";
        }
        if (row.isBlock() && !opens) {
            return "directive \"" + name + "\" has no opening \"{\"";
        }
        if (!row.isBlock() && opens) {
            return "directive \"" + name + "\" is not terminated by \";\"";
        }
        if (!row.takes(words.size())) {
            return "invalid number of arguments in \"" + name + "\" directive";
        }
        if (row.isFlag() && !words.getFirst().toLowerCase(Locale.ROOT).matches("on|off")) {
            return "invalid value \""
                    + words.getFirst()
                    + "\" in \""
                    + name
                    + "\" directive, it must be \"on\" or \"off\"";
        }
        return null;
    }

    /// The context of what stands in a block.
    private static String inner(String name, String context) {
        return switch (name) {
            case "if" -> context.equals("server") ? "if-server" : "if";
            case "server" ->
                    context.equals("mail") || context.equals("stream")
                            ? context + "-server"
                            : "server";
            case "upstream" -> context.equals("stream") ? "stream-upstream" : "upstream";
            default -> name;
        };
    }

    private void include(String name, Place place, String context, List<NginxNode> to, boolean free)
            throws NginxLexer.Malformed {
        for (Path file : included(name, place)) {
            if (!free) {
                read(file, file.toString(), context, to);
            } else if (++files <= FILES_MAX) {
                entries(file, to);
            }
        }
    }

    private void entries(Path file, List<NginxNode> to) throws NginxLexer.Malformed {
        try {
            block(new Source(new NginxLexer(text(file)), file.toString()), "", to, false, true);
        } catch (IOException e) {
            account.wrong(
                    new Place(file.toString(), 0), "the file", "cannot be read: " + e.getMessage());
        }
    }

    private List<Path> included(String name, Place place) {
        try {
            Path path = folder.resolve(name);
            if (!name.matches(".*[*?\\[].*")) {
                if (!Files.isRegularFile(path)) {
                    account.wrong(place, "include", "\"" + path + "\": no such file");
                    return List.of();
                }
                return List.of(path);
            }
            return matching(path);
        } catch (InvalidPathException e) {
            account.wrong(place, "include", "\"" + name + "\" is not a file");
            return List.of();
        }
    }

    /// The files that a pattern stands for, in order; wildcards may stand in any part of it.
    private static List<Path> matching(Path pattern) {
        List<Path> found = new ArrayList<>(List.of(Path.of("/")));
        for (Path part : pattern.toAbsolutePath().normalize()) {
            List<Path> next = new ArrayList<>();
            for (Path parent : found) {
                if (!part.toString().matches(".*[*?\\[].*")) {
                    next.add(parent.resolve(part));
                } else if (Files.isDirectory(parent)) {
                    next.addAll(listed(parent, part.toString()));
                }
            }
            found = next;
        }
        return found.stream().filter(Files::isRegularFile).sorted().toList();
    }

    private static List<Path> listed(Path parent, String glob) {
        List<Path> next = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, glob)) {
            for (Path one : all) {
                boolean hidden = String.valueOf(one.getFileName()).startsWith(".");
                if (!hidden || glob.startsWith(".")) {
                    next.add(one);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return List.of();
        }
        return next;
    }
}
