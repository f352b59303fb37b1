package io.margay.app.slow;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a thread is at, by its stack. Stateless.
final class StackReading {
    /// Frames of which somebody learns something.
    private static final int FRAMES_MAX = 16;

    /// What calls tell, from what says most on: a connection of a pool is a socket, too.
    private static final List<Rule> RULES =
            List.of(
                    new Rule(
                            Cause.SESSIONS,
                            Pattern.compile(
                                    "io\\.margay\\.(valkey\\.sessions\\.|servlet\\.session"
                                            + "\\.(Shared|EngineGuard|jdbc\\.)).*")),
                    new Rule(
                            Cause.POOL,
                            Pattern.compile(
                                    "com\\.zaxxer\\.hikari\\.pool\\.HikariPool\\.getConnection"
                                            + "|org\\.apache\\.commons\\.pool2?\\.impl\\..*"
                                            + "\\.borrowObject"
                                            + "|org\\.apache\\.tomcat\\.jdbc\\.pool\\.\\w+"
                                            + "\\.borrowConnection"
                                            + "|oracle\\.ucp\\..*\\.borrowConnection\\w*")),
                    new Rule(
                            Cause.PAGE,
                            Pattern.compile(
                                    "io\\.margay\\.servlet\\.jsp\\.PageCompiler\\.compile"
                                            + "|org\\.apache\\.jasper\\.compiler\\.Compiler"
                                            + "\\.compile")),
                    new Rule(
                            Cause.STATEMENT,
                            Pattern.compile(
                                    ".*(Statement|Stmt)\\w*\\.execute\\w*|.*ResultSet\\w*\\.next"
                                            + "|.*Connection\\w*"
                                            + "\\.(commit|rollback|prepareStatement)")),
                    new Rule(
                            Cause.NAME,
                            Pattern.compile(
                                    "java\\.net\\.Inet[\\w$]*Address[\\w$]*\\."
                                            + "(getAllByName\\w*|lookupAllHostAddr"
                                            + "|getAddressesFrom\\w+)"
                                            + "|com\\.sun\\.jndi\\.dns\\.DnsClient\\..*"
                                            + "|org\\.xbill\\.DNS\\..*")),
                    new Rule(
                            Cause.HANDSHAKE,
                            Pattern.compile(
                                    "sun\\.security\\.ssl\\.(SSLSocketImpl\\.startHandshake"
                                            + "|TransportContext\\.kickstart|\\w*Handshake\\w*"
                                            + "\\.\\w+)")),
                    new Rule(
                            Cause.DIAL,
                            Pattern.compile(
                                    "sun\\.nio\\.ch\\.(NioSocketImpl\\.connect"
                                            + "|SocketChannelImpl\\.(blockingConnect|connect)"
                                            + "|Net\\.(connect|pollConnect)\\w*)")),
                    new Rule(
                            Cause.HTTP,
                            Pattern.compile(
                                    "jdk\\.internal\\.net\\.http\\.HttpClientImpl\\.send"
                                            + "|sun\\.net\\.www\\.protocol\\.http"
                                            + "\\.HttpURLConnection"
                                            + "\\..*"
                                            + "|org\\.apache\\.(http|hc)\\..*\\.execute|okhttp3"
                                            + "\\..*")),
                    new Rule(
                            Cause.CLASSES,
                            Pattern.compile(
                                    "java\\.lang\\.ClassLoader\\.(loadClass|defineClass\\w*)"
                                            + "|.*\\.<clinit>"
                                            + "|io\\.margay\\.servlet\\.deploy\\.WebAppClassLoader"
                                            + "\\..*")),
                    new Rule(
                            Cause.PROGRAM,
                            Pattern.compile(
                                    "java\\.lang\\.Process(Impl)?\\.(waitFor|exitValue).*")),
                    new Rule(Cause.COLLECTIONS, Pattern.compile("java\\.lang\\.Runtime\\.gc")),
                    new Rule(Cause.SLEEP, Pattern.compile("java\\.lang\\.Thread\\.sleep\\w*")),
                    new Rule(
                            Cause.SOCKET,
                            Pattern.compile(
                                    "sun\\.nio\\.ch\\.(NioSocketImpl"
                                            + "\\.(implRead|read|implWrite|write)"
                                            + "|SocketChannelImpl\\.(read|write|implRead\\w*)"
                                            + "|DatagramChannelImpl\\.\\w*receive\\w*"
                                            + "|SocketDispatcher\\..*)")),
                    new Rule(
                            Cause.FILE,
                            Pattern.compile(
                                    "java\\.io"
                                            + "\\.(File(In|Out)putStream|RandomAccessFile"
                                            + "|FileDescriptor)"
                                            + "\\.(open|read|write|sync|seek)\\w*"
                                            + "|sun\\.nio\\.ch\\.FileChannelImpl\\..*"
                                            + "|sun\\.nio\\.ch\\.\\w*FileDispatcherImpl\\..*"
                                            + "|sun\\.nio\\.fs\\.UnixNativeDispatcher\\..*")),
                    new Rule(
                            Cause.LOCK,
                            Pattern.compile(
                                    "java\\.util\\.concurrent\\.locks\\.("
                                            + "Reentrant[\\w$]*|StampedLock)\\."
                                            + "(try)?\\w*[lL]ock\\w*")),
                    new Rule(
                            Cause.PERMIT,
                            Pattern.compile(
                                    "java\\.util\\.concurrent\\.Semaphore"
                                            + "\\.(try)?[aA]cquire\\w*")));

    /// Where a method is not of the application, nor of a library of its.
    private static final Pattern NOT_ITS =
            Pattern.compile(
                    "(java|javax|jdk|sun|com\\.sun|com\\.zaxxer\\.hikari|jakarta"
                            + "|org\\.apache\\.jasper"
                            + "|redis\\.clients|io\\.margay\\.(server|servlet|gateway|transport"
                            + "|protocol|valkey|telemetry|compat))\\..*");

    /// What moves the bytes of clients, but not what runs the tasks of requests.
    private static final Pattern CONNECTION =
            Pattern.compile(
                    "io\\.margay\\.server\\.(connection|multiplex|serial)\\.(?!ExchangeTasks).*");

    /// What other threads may be at while one is blocked in it.
    private static final Set<Cause> SHARED = Set.of(Cause.CLASSES, Cause.POOL, Cause.SESSIONS);

    private final List<StackTraceElement> stack;
    private final Thread.State state;

    /// Class and method of each call above the container.
    private final List<String> calls;

    StackReading(StackTraceElement[] stack, Thread.State state) {
        this.stack = List.of(stack);
        this.state = state;
        calls =
                this.stack.stream()
                        .takeWhile(frame -> !isOfContainer(frame))
                        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
                        .toList();
    }

    /// A call that tells what is done.
    private record Rule(Cause cause, Pattern call) {}

    /// What it is at.
    Cause cause() {
        Cause ofClient = ofClient();
        if (ofClient != null) {
            return ofClient;
        }
        boolean blocked = state == Thread.State.BLOCKED;
        for (Rule rule : RULES) {
            if ((!blocked || SHARED.contains(rule.cause)) && calls(rule.call)) {
                return rule.cause;
            }
        }
        return switch (state) {
            case BLOCKED -> Cause.LOCK;
            case WAITING, TIMED_WAITING -> Cause.THREAD;
            default -> Cause.PROCESSOR;
        };
    }

    /// What it waits for of its client, when the server itself reads or writes; null = it does not.
    private @Nullable Cause ofClient() {
        for (StackTraceElement frame : stack) {
            if (CONNECTION.matcher(frame.getClassName()).matches()) {
                return frame.getClassName().endsWith("ResponseWriter")
                        ? Cause.CLIENT
                        : Cause.CONTENT;
            }
            if (!NOT_ITS.matcher(frame.getClassName()).matches()) {
                return null;
            }
        }
        return null;
    }

    private boolean calls(Pattern call) {
        return calls.stream().anyMatch(each -> call.matcher(each).matches());
    }

    /// Whether the container has called whatever is above.
    private static boolean isOfContainer(StackTraceElement frame) {
        return frame.getClassName().startsWith("io.margay.servlet.engine.");
    }

    /// Where the application is, as stacks are written; empty when none of it was found.
    String place() {
        for (StackTraceElement frame : stack) {
            if (isOfContainer(frame)) {
                return "";
            }
            if (!NOT_ITS.matcher(frame.getClassName()).matches()) {
                return frame.toString();
            }
        }
        return "";
    }

    /// The innermost calls.
    List<String> frames() {
        return stack.stream().limit(FRAMES_MAX).map(StackTraceElement::toString).toList();
    }
}
