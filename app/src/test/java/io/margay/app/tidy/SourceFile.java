package io.margay.app.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// A Java source as text and as javac's syntax tree. Immutable.
///
/// `path` is relative to the root of the checkout, with `/` between its parts, such as
/// `protocol/src/main/java/io/margay/protocol/http/Method.java`.
final class SourceFile {
    private final String path;
    private final String text;
    private final List<String> lines;
    private final CompilationUnitTree tree;
    private final SourcePositions positions;

    SourceFile(String path, String text) {
        this(path, text, parse(List.of(new Source(path, text))).getFirst());
    }

    private SourceFile(String path, String text, Parsed parsed) {
        this.path = path;
        this.text = text;
        this.lines = text.lines().toList();
        this.tree = parsed.tree();
        this.positions = parsed.positions();
    }

    /// Many files, in the order of their paths: one compiler for all of them has each name in
    /// memory once.
    static List<SourceFile> all(SortedMap<String, String> textsByPath) {
        List<Source> sources = new ArrayList<>();
        textsByPath.forEach((path, text) -> sources.add(new Source(path, text)));
        List<Parsed> parsed = parse(sources);
        List<SourceFile> files = new ArrayList<>();
        for (int i = 0; i < parsed.size(); i++) {
            Source source = sources.get(i);
            files.add(new SourceFile(source.path, source.text, parsed.get(i)));
        }
        return List.copyOf(files);
    }

    private record Parsed(CompilationUnitTree tree, SourcePositions positions) {}

    /// A text as the compiler takes it.
    private static final class Source extends SimpleJavaFileObject {
        private final String path;
        private final String text;

        Source(String path, String text) {
            super(URI.create("string:///" + path), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static List<Parsed> parse(List<Source> sources) {
        var task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(null, null, d -> {}, null, null, sources);
        try {
            var positions = Trees.instance(task).getSourcePositions();
            List<Parsed> parsed = new ArrayList<>();
            for (CompilationUnitTree tree : task.parse()) {
                if (!tree.getSourceFile().toUri().equals(sources.get(parsed.size()).toUri())) {
                    throw new IllegalStateException("not in order: " + tree.getSourceFile());
                }
                parsed.add(new Parsed(tree, positions));
            }
            return parsed;
        } catch (IOException e) {
            throw new UncheckedIOException(sources.toString(), e);
        }
    }

    String path() {
        return path;
    }

    /// The name without its folder, such as `Method.java`.
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /// The folder of the module, such as `compat/httpd`.
    String module() {
        return path.substring(0, path.indexOf("/src/"));
    }

    boolean isTest() {
        return path.contains("/src/test/");
    }

    String text() {
        return text;
    }

    List<String> lines() {
        return lines;
    }

    CompilationUnitTree tree() {
        return tree;
    }

    /// The line on which `node` begins; modifiers and annotations belong to it, comments do not.
    int firstLine(Tree node) {
        return lineAt(positions.getStartPosition(tree, node));
    }

    int lastLine(Tree node) {
        return lineAt(positions.getEndPosition(tree, node));
    }

    private int lineAt(long offset) {
        return (int) tree.getLineMap().getLineNumber(offset);
    }
}
