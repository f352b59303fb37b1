package io.margay.transport;

/// What is done when a thread of a transport dies, without which its clients would go unanswered: a
/// loop, the thread that accepts, the one that looks after deadlines.
///
/// Called by the dying thread, perhaps without memory for anything. A program that is a server and
/// nothing else ends its process here, so that whoever supervises it starts it again. When the call
/// returns, the transport closes its listeners and [Transport#failure] says why.
@FunctionalInterface
public interface FatalHandler {
    void fatal(Throwable cause);
}
