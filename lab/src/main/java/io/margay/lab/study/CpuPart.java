package io.margay.lab.study;

import java.util.Optional;

/// Parts of the server that CPU time goes to, in the order of the table.
enum CpuPart {
    KERNEL("system calls: receive, send, wait"),
    TRANSPORT("transport: loops, connections, buffers"),
    CODEC("protocol: heads, paths, dates, frames"),
    DISPATCH("dispatch: hand-off to workers, wake-ups"),
    SERVER("server: connection, exchange, routes"),
    CONTAINER("container: request, response, filters"),
    PAGE("page: JSP runtime, the page's own code"),
    OTHER("other: JDK threads, collector, compiler");

    private final String title;

    CpuPart(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /// The part that a method belongs to, if to any.
    ///
    /// @param type name of its class
    static Optional<CpuPart> of(String type, String method) {
        if (type.startsWith("io.margay.transport.libc.")
                || type.startsWith("sun.nio.ch.")
                || type.startsWith("jdk.internal.foreign")) {
            return Optional.of(KERNEL);
        } else if (type.startsWith("io.margay.server.dispatch")
                || type.startsWith("java.util.concurrent.locks.LockSupport")
                || (type.equals("jdk.internal.misc.Unsafe") && method.endsWith("park"))) {
            return Optional.of(DISPATCH);
        } else if (type.startsWith("io.margay.transport")) {
            return Optional.of(TRANSPORT);
        } else if (type.startsWith("io.margay.protocol")) {
            return Optional.of(CODEC);
        } else if (type.startsWith("io.margay.server") || type.startsWith("io.margay.app")) {
            return Optional.of(SERVER);
        } else if (type.startsWith("io.margay.servlet")) {
            return Optional.of(CONTAINER);
        } else if (type.startsWith("org.apache.") || type.startsWith("io.margay.examples")) {
            return Optional.of(PAGE);
        }
        return Optional.empty();
    }
}
