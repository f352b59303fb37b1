package io.margay.app.tidy;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A rule that looks at one source at a time.
enum TidyRule {
    FILE_LENGTH {
        @Override
        List<Violation> check(SourceFile file) {
            int count = file.lines().size();
            return count <= FILE_LINES_MAX || isDataTable(file)
                    ? List.of()
                    : List.of(violation(file, 0, count + " lines, at most " + FILE_LINES_MAX));
        }
    },

    METHOD_LENGTH {
        @Override
        List<Violation> check(SourceFile file) {
            return isDataTable(file)
                    ? List.of()
                    : scan(file, (node, found) -> methodLength(file, node, found));
        }
    },

    LINE_LENGTH {
        @Override
        List<Violation> check(SourceFile file) {
            return isDataTable(file)
                    ? List.of()
                    : badLines(file, TidyRule::isTooLong, "more than 100 columns");
        }
    },

    NO_TABS {
        @Override
        List<Violation> check(SourceFile file) {
            return badLines(file, line -> line.indexOf('\t') >= 0, "a tab");
        }
    },

    BANNED_NAMES {
        @Override
        List<Violation> check(SourceFile file) {
            return scan(
                    file,
                    (node, found) -> {
                        if (node instanceof ClassTree type
                                && BANNED_NAME.matcher(type.getSimpleName()).matches()) {
                            var text = type.getSimpleName() + ": say what it is or does";
                            found.add(violation(file, file.firstLine(node), text));
                        }
                    });
        }
    },

    NO_CONSOLE {
        @Override
        List<Violation> check(SourceFile file) {
            if (file.isTest() || CONSOLE_ALLOWED.stream().anyMatch(file.path()::startsWith)) {
                return List.of();
            }
            return scan(
                    file,
                    (node, found) -> {
                        if (isConsole(node)) {
                            var text = node + ": use System.Logger";
                            found.add(violation(file, file.firstLine(node), text));
                        }
                    });
        }
    },

    NO_SLEEP_IN_TESTS {
        @Override
        List<Violation> check(SourceFile file) {
            return file.isTest()
                    ? scan(file, (node, found) -> sleep(file, node, found))
                    : List.of();
        }
    },

    /// Where deadlines are kept, time is asked of a clock that is given: `System::nanoTime` is
    /// named by who sets things up.
    NO_CLOCK_OF_ITS_OWN {
        @Override
        List<Violation> check(SourceFile file) {
            if (file.path().startsWith("gateway/src/main/")) {
                return scan(file, (node, found) -> clock(ANY_CLOCK, file, node, found));
            }
            return file.path().startsWith("server/src/main/")
                    ? scan(file, (node, found) -> clock(CLOCK, file, node, found))
                    : List.of();
        }
    },

    /// What clients send is searched with expressions that cannot overflow the stack: the JDK's
    /// engine calls itself once for each turn of a group that is repeated, unless the repetition is
    /// possessive. Expressions of a configuration go through `BoundedRegex` or `BoundedPattern`.
    BOUNDED_EXPRESSIONS {
        @Override
        List<Violation> check(SourceFile file) {
            boolean served = SERVED.stream().anyMatch(file.path()::startsWith);
            return !served || ENGINES.contains(file.name())
                    ? List.of()
                    : scan(file, (node, found) -> expression(file, node, found));
        }
    },

    NO_BARE_TODO {
        @Override
        List<Violation> check(SourceFile file) {
            var found = new ArrayList<Violation>();
            for (var comment : Comment.allOf(file.text())) {
                if (BARE_TODO.matcher(comment.text()).find()) {
                    found.add(violation(file, comment.line(), "do it, or name its issue: (#12)"));
                }
            }
            return found;
        }
    },

    NO_COMMENTED_OUT_CODE {
        @Override
        List<Violation> check(SourceFile file) {
            var found = new ArrayList<Violation>();
            for (var comment : Comment.allOf(file.text())) {
                if (comment.kind() != Comment.Kind.DOC
                        && comment.text().lines().anyMatch(l -> CODE.matcher(l).find())) {
                    found.add(violation(file, comment.line(), "code in a comment: remove it"));
                }
            }
            return found;
        }
    },

    /// The layer rules see what a class calls, but not `synchronized`.
    NO_LOCKS_IN_PROTOCOL {
        @Override
        List<Violation> check(SourceFile file) {
            if (!file.path().startsWith("protocol/src/main/")) {
                return List.of();
            }
            return scan(
                    file,
                    (node, found) -> {
                        if (node instanceof SynchronizedTree) {
                            found.add(violation(file, file.firstLine(node), "synchronized"));
                        }
                    });
        }
    };

    static final int FILE_LINES_MAX = 800;
    static final int METHOD_LINES_MAX = 70;
    static final int LINE_COLUMNS_MAX = 100;

    /// Names of files that are data in the form of Java, free of the three rules of length.
    static final Set<String> DATA_TABLES = Set.of();

    /// Where printing is the job: the command line, programs that make runs from their source, a
    /// child process that tells its parent it is ready, and the place of last resort when logging
    /// fails.
    static final Set<String> CONSOLE_ALLOWED =
            Set.of(
                    "app/src/main/java/io/margay/app/command/Main.java",
                    "lab/src/main/java/io/margay/lab/Main.java",
                    "packages/src/main/java/io/margay/packages/Artefacts.java",
                    "packages/src/main/java/io/margay/packages/KubernetesFiles.java",
                    "packages/src/main/java/io/margay/packages/Main.java",
                    "packages/src/main/java/io/margay/packages/Release.java",
                    "packages/src/main/java/io/margay/packages/ReleaseComparison.java",
                    "app/src/main/java/io/margay/app/cli/",
                    "testing/testkit/src/main/java/io/margay/testkit/IdleClients.java",
                    "transport/src/main/java/io/margay/transport/loop/SteadyLog.java");

    private static final Pattern BANNED_NAME =
            Pattern.compile("Abstract\\p{Lu}.*|.*(Impl|Utils?|Helpers?|Manager)");

    private static final Pattern CONSOLE = Pattern.compile("^(java\\.lang\\.)?System\\.(out|err)$");

    private static final Pattern STACK_TRACE = Pattern.compile("(^|\\.)printStackTrace$");

    private static final Pattern CLOCK = Pattern.compile("(^|\\.)System\\.nanoTime$");

    private static final Pattern ANY_CLOCK =
            Pattern.compile("(^|\\.)(System\\.(nanoTime|currentTimeMillis)|Instant\\.now)$");

    /// Where texts of clients are worked on.
    private static final List<String> SERVED =
            Stream.of(
                            "protocol",
                            "transport",
                            "server",
                            "servlet",
                            "gateway",
                            "extensions/login-oidc",
                            "extensions/shadow",
                            "compat/tomcat")
                    .map(module -> module + "/src/main/")
                    .toList();

    /// What bounds the expressions of configurations.
    private static final Set<String> ENGINES =
            Set.of("BoundedRegex.java", "LinearRegex.java", "BoundedPattern.java");

    /// The end of a group and an open repetition.
    private static final Pattern OPEN_LOOP =
            Pattern.compile("(?<![(\\\\])\\)(?:[*+]|\\{\\d*,\\})(?![+])");

    private static final Pattern SLEEP = Pattern.compile("(^|\\.)Thread\\.sleep$");

    private static final Pattern BARE_TODO =
            Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?!\\(#\\d+\\))");

    /// What a line of prose does not look like: `x = 1;` `call(x);` `return x;` `if (x) {` `}`.
    private static final Pattern CODE =
            Pattern.compile(
                    "=\\s*\\S[^.]*;\\s*$|\\S\\(.*\\)\\s*;\\s*$"
                            + "|^\\W*(return|throw|break|continue|import|package)\\b[^,]*;\\s*$"
                            + "|(\\)|\\b(else|try|finally|do|class \\w+|record \\w+))\\s*\\{\\s*$"
                            + "|^\\s*\\}[;)]*\\s*$"
                            + "|^\\W*(private|public|protected|static|final)\\s.*[;{]\\s*$");

    /// The places of `file` that break this rule.
    abstract List<Violation> check(SourceFile file);

    /// An import cannot be broken, and the formatter leaves a long address as it is.
    private static boolean isTooLong(String line) {
        return line.length() > LINE_COLUMNS_MAX
                && !line.startsWith("import ")
                && !line.contains("https://");
    }

    static boolean isDataTable(SourceFile file) {
        return DATA_TABLES.contains(file.name());
    }

    private static void methodLength(SourceFile file, Tree node, List<Violation> found) {
        if (node instanceof ClassTree type) {
            // Initializers are blocks that are members.
            type.getMembers().stream()
                    .filter(BlockTree.class::isInstance)
                    .forEach(block -> tooLong(file, block, "initializer", found));
        } else if (node instanceof MethodTree method) {
            tooLong(file, method, method.getName().toString(), found);
        }
    }

    private static void tooLong(SourceFile file, Tree node, String name, List<Violation> found) {
        int first = file.firstLine(node);
        int count = file.lastLine(node) - first + 1;
        if (count > METHOD_LINES_MAX) {
            var text = name + ": " + count + " lines, at most " + METHOD_LINES_MAX;
            found.add(violation(file, first, text));
        }
    }

    /// Whether it names the console, or prints a stack trace there.
    private static boolean isConsole(Tree node) {
        return switch (node) {
            case MemberSelectTree select -> CONSOLE.matcher(select.toString()).find();
            case MethodInvocationTree call ->
                    call.getArguments().isEmpty()
                            && STACK_TRACE.matcher(call.getMethodSelect().toString()).find();
            default -> false;
        };
    }

    private static void expression(SourceFile file, Tree node, List<Violation> found) {
        if (node instanceof LiteralTree literal
                && literal.getValue() instanceof String text
                && OPEN_LOOP.matcher(text).find()) {
            var why = "\"" + text + "\" repeats a group, and not possessively";
            found.add(violation(file, file.firstLine(node), why));
        }
        if (node instanceof MethodInvocationTree call
                && call.getMethodSelect().toString().endsWith("Pattern.compile")
                && isGiven(call.getArguments().getFirst())) {
            found.add(violation(file, file.firstLine(node), call + ": use BoundedRegex"));
        }
    }

    /// Whether an expression is neither a literal nor a constant.
    private static boolean isGiven(Tree regex) {
        return switch (regex) {
            case IdentifierTree name -> Character.isLowerCase(name.toString().charAt(0));
            case MemberSelectTree part -> Character.isLowerCase(part.getIdentifier().charAt(0));
            case MethodInvocationTree _ -> true;
            default -> false;
        };
    }

    private static void sleep(SourceFile file, Tree node, List<Violation> found) {
        if (node instanceof MethodInvocationTree call
                && SLEEP.matcher(call.getMethodSelect().toString()).find()) {
            found.add(violation(file, file.firstLine(node), "Thread.sleep: wait for the event"));
        }
    }

    private static void clock(Pattern asked, SourceFile file, Tree node, List<Violation> found) {
        if (node instanceof MethodInvocationTree call
                && asked.matcher(call.getMethodSelect().toString()).find()) {
            found.add(violation(file, file.firstLine(node), "take a clock"));
        }
    }

    private static Violation violation(SourceFile file, int line, String text) {
        return new Violation(file.path(), line, text);
    }

    private static List<Violation> badLines(SourceFile file, Predicate<String> bad, String text) {
        return IntStream.range(0, file.lines().size())
                .filter(i -> bad.test(file.lines().get(i)))
                .mapToObj(i -> violation(file, i + 1, text))
                .toList();
    }

    /// Shows every node of the syntax tree to `visitor`.
    private static List<Violation> scan(SourceFile file, Visitor visitor) {
        var found = new ArrayList<Violation>();
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void scan(@Nullable Tree node, @Nullable Void unused) {
                if (node != null) {
                    visitor.visit(node, found);
                }
                return super.scan(node, unused);
            }
        }.scan(file.tree(), null);
        return found;
    }

    private interface Visitor {
        void visit(Tree node, List<Violation> found);
    }
}
