package io.margay.transport.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// An unbounded queue of tasks with many producers and one consumer, first in, first out.
///
/// Thread-safe for [#push] and [#isEmpty]; [#takeAll] is for the consumer alone. Bounded by its
/// users: a connection has at most one node of its own in it, tasks come from exchanges in flight.
///
/// ```
/// producers push on a stack        the consumer takes the whole stack and turns it round
/// top -> C -> B -> A               A -> B -> C
/// ```
public final class TaskQueue {
    private static final VarHandle TOP;

    static {
        try {
            TOP = MethodHandles.lookup().findVarHandle(TaskQueue.class, "top", Node.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A task with its link. May be pushed again once it has begun to run.
    public static final class Node {
        final Runnable task;
        @Nullable Node next;

        public Node(Runnable task) {
            this.task = task;
        }
    }

    @SuppressWarnings("UnusedVariable") // through TOP
    private volatile @Nullable Node top;

    void push(Node node) {
        for (; ; ) {
            Node seen = top;
            node.next = seen;
            if (TOP.compareAndSet(this, seen, node)) {
                return;
            }
        }
    }

    boolean isEmpty() {
        return top == null;
    }

    /// The oldest node with the others behind it, or null. The consumer reads `next` before it runs
    /// a node, because the node may be pushed again while it runs.
    @Nullable Node takeAll() {
        Node node = (Node) TOP.getAndSet(this, null);
        Node first = null;
        while (node != null) {
            Node older = node.next;
            node.next = first;
            first = node;
            node = older;
        }
        return first;
    }
}
