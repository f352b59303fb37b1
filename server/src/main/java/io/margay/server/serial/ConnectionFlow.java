package io.margay.server.serial;

import io.margay.server.connection.BlockingWait;
import io.margay.server.connection.ConnectionContext;
import io.margay.server.connection.ConnectionInput;
import io.margay.server.connection.StalledException;
import io.margay.transport.Connection;
import java.io.IOException;

/// What goes through a connection that carries exchanges: its bytes in both directions, the events
/// that are asked for, and the deadline. Owned as the connection is.
public final class ConnectionFlow {
    final Connection io;
    final ConnectionInput input;
    final SerialOutput output;
    final BlockingWait wait;

    /// How many requests have begun.
    public int requests;

    final ConnectionContext context;

    /// When the connection began, as the clock of the context has it.
    final long openedNanos;

    private int interest;
    private long deadlineNanos;

    /// When the loop asked to be told of room for output, or was told last.
    private long roomAskedNanos;

    private long receivedTaken;

    ConnectionFlow(Connection io, ConnectionContext context) {
        this.io = io;
        this.context = context;
        openedNanos = context.now();
        wait = context.newWait(io);
        input =
                new ConnectionInput(
                        io, wait, context.bodyNanos, context.smallBuffers, context.largeBuffers);
        output =
                new SerialOutput(
                        io,
                        wait,
                        new SerialOutput.Room(
                                context.largeBuffers,
                                context.wideBuffers,
                                context.limits.pendingBytesMax(),
                                context.memory),
                        context.writeNanos,
                        context.outputRates);
    }

    /// Makes these events come, and no others.
    void interest(int operations) {
        if (operations != interest) {
            if ((operations & ~interest & Connection.WRITE) != 0) {
                roomAskedNanos = context.now();
            }
            interest = operations;
            io.interest(operations);
        }
    }

    /// Sends what is pending, because the loop was told of room it had asked for; the wait counts
    /// as the client's.
    ///
    /// @return whether nothing is left
    boolean sendOn() throws IOException {
        long now = context.now();
        output.rate().waited(now - roomAskedNanos);
        roomAskedNanos = now;
        long before = output.sent;
        if (output.push()) {
            lessInterest(Connection.WRITE);
            return true;
        }
        if (output.rate().isTooSlow()) {
            throw new StalledException("the client takes the response too slowly");
        }
        if (output.sent != before) {
            deadline(context.writeNanos);
        }
        moreInterest(Connection.WRITE);
        return false;
    }

    /// Adds to the events that come.
    void moreInterest(int operations) {
        interest(interest | operations);
    }

    /// Takes from the events that come.
    void lessInterest(int operations) {
        interest(interest & ~operations);
    }

    /// Whether these events are asked for.
    boolean asksFor(int operations) {
        return (interest & operations) == operations;
    }

    /// Sets the one deadline. To be called before the phase changes, which the loop looks at first:
    /// so it never judges the new phase by the deadline of the old one.
    void deadline(long nanosFromNow) {
        deadlineNanos = context.now() + nanosFromNow;
        io.deadline(deadlineNanos);
    }

    /// Whether the deadline has passed; if it was moved meanwhile, it comes again.
    boolean isDeadlinePassed() {
        return isPassed(deadlineNanos);
    }

    /// The same for a read or write that waits.
    boolean isWaitPassed() {
        return isPassed(wait.deadlineNanos());
    }

    private boolean isPassed(long end) {
        if (end - context.now() > 0) {
            io.deadline(end);
            return false;
        }
        return true;
    }

    /// Whether the response under way must be the last one.
    public boolean isLastRequest() {
        return requests >= context.limits.requestsMax() || context.isDraining() || input.ended;
    }

    /// Whether the peer has ended its output, or the connection: as the transport sees it, or
    /// behind what has come, as far as there is room for that.
    boolean hasHungUp() {
        try {
            while (!input.ended && !input.isFull() && input.fillNow() > 0) {
                // goes on until nothing more has come
            }
            return input.ended || io.hasHungUp();
        } catch (IOException e) {
            return true;
        }
    }

    /// Bytes that were received and used since the last call.
    long takeReceived() {
        long used = input.received - input.available();
        long since = used - receivedTaken;
        receivedTaken = used;
        return since;
    }
}
