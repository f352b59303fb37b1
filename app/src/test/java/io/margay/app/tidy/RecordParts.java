package io.margay.app.tidy;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/// What is built of many parts: two numbers that change places still compile. Found in the main
/// sources.
///
/// @param records components by record, of those that have more than [#COMPONENTS_MAX]
/// @param calls uses of `new` with more than [#ARGUMENTS_MAX] arguments by class, where it is not
///   declared in the same file
record RecordParts(Map<String, Integer> records, Map<String, Integer> calls) {
    static final int COMPONENTS_MAX = 9;
    static final int ARGUMENTS_MAX = 7;

    /// @param files of which those that are no main sources are left out
    static RecordParts of(List<SourceFile> files) {
        RecordParts parts = new RecordParts(new TreeMap<>(), new TreeMap<>());
        Set<String> declared = new HashSet<>();
        files.stream()
                .filter(file -> file.path().contains("/src/main/"))
                .forEach(file -> parts.add(file, declared));
        parts.calls.keySet().retainAll(declared);
        return parts;
    }

    private void add(SourceFile file, Set<String> declared) {
        Set<String> own = new HashSet<>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            private final Deque<String> within = new ArrayDeque<>();

            @Override
            public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
                String name = type.getSimpleName().toString();
                own.add(name);
                within.addLast(name);
                int components = components(type);
                if (components > COMPONENTS_MAX) {
                    records.put(file.module() + " " + String.join(".", within), components);
                }
                super.visitClass(type, unused);
                within.removeLast();
                return null;
            }
        }.scan(file.tree(), null);
        declared.addAll(own);
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitNewClass(NewClassTree call, @Nullable Void unused) {
                String name = name(call.getIdentifier());
                if (call.getArguments().size() > ARGUMENTS_MAX && !own.contains(name)) {
                    calls.merge(name, 1, Integer::sum);
                }
                return super.visitNewClass(call, unused);
            }
        }.scan(file.tree(), null);
    }

    /// Zero of what is no record.
    private static int components(ClassTree type) {
        return type.getKind() == Tree.Kind.RECORD
                ? (int)
                        type.getMembers().stream()
                                .filter(member ->
                                        member instanceof VariableTree field
                                                && !field.getModifiers()
                                                        .getFlags()
                                                        .contains(Modifier.STATIC))
                                .count()
                : 0;
    }

    /// The last part of a name, without what fills its parameters.
    private static String name(Tree type) {
        return type.toString().replaceAll("<.*", "").replaceAll(".*\\.", "");
    }
}
