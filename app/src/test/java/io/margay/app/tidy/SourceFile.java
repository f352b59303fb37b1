package io.margay.app.tidy;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
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
        this.path = path;
        this.text = text;
        this.lines = text.lines().toList();
        var source =
                new SimpleJavaFileObject(URI.create("string:///" + path), Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return text;
                    }
                };
        var task =
                (JavacTask)
                        ToolProvider.getSystemJavaCompiler()
                                .getTask(null, null, d -> {}, null, null, List.of(source));
        try {
            this.tree = task.parse().iterator().next();
        } catch (IOException e) {
            throw new UncheckedIOException(path, e);
        }
        this.positions = Trees.instance(task).getSourcePositions();
    }

    String path() {
        return path;
    }

    /// The name without its folder, such as `Method.java`.
    String name() {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /// The first part of the path.
    String module() {
        return path.substring(0, path.indexOf('/'));
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
