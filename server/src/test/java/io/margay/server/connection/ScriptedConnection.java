package io.margay.server.connection;

import io.margay.transport.Connection;
import io.margay.transport.ConnectionHandler;
import io.margay.transport.Dialer;
import io.margay.transport.TlsSession;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// A connection that a test plays by hand, on its own thread: `loop` says which thread it is, and
/// hooks run in the middle of a call, where another thread could strike. Confined to the test.
public final class ScriptedConnection implements Connection {
    public boolean loop = true;
    public boolean room = true;
    public boolean closed;
    public int interest;
    public Runnable onRead = () -> {};
    public Runnable onAwait = () -> {};
    public Runnable onDeadlineSet = () -> {};
    public Runnable onWrite = () -> {};
    public byte @Nullable [] readTarget;
    public final StringBuilder written = new StringBuilder();

    /// Bytes of files that were sent.
    public long fileBytes;

    /// Whether other events of the loop's round wait.
    public boolean crowded;

    /// What is left for the end of the round.
    public final ArrayDeque<Runnable> lasts = new ArrayDeque<>();

    public final ArrayDeque<byte[]> incoming = new ArrayDeque<>();
    public final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    public void receive(String text) {
        incoming.add(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Runs, as the loop, what was posted to it.
    public void runTasks() {
        boolean before = loop;
        loop = true;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
        loop = before;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        readTarget = target;
        onRead.run();
        requireOpen();
        byte[] next = incoming.poll();
        if (next == null) {
            return 0;
        }
        int count = Math.min(length, next.length);
        System.arraycopy(next, 0, target, offset, count);
        return count;
    }

    @Override
    public int write(byte[] source, int offset, int length) throws IOException {
        onWrite.run();
        requireOpen();
        if (!room) {
            return 0;
        }
        written.append(new String(source, offset, length, StandardCharsets.ISO_8859_1));
        return length;
    }

    @Override
    public boolean await(int operations, long timeoutNanos) throws IOException {
        onAwait.run();
        requireOpen();
        return true;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public boolean flush() {
        return true;
    }

    @Override
    public long sendFile(FileChannel file, long position, long count) {
        long taken = room ? count : 0;
        fileBytes += taken;
        return taken;
    }

    @Override
    public void handler(ConnectionHandler next) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void interest(int operations) {
        interest = operations;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean atRoundEnd(Runnable step) {
        return loop && crowded && lasts.add(step);
    }

    /// Runs, as the loop, what was left for the end of the round.
    public void endRound() {
        crowded = false;
        for (Runnable step = lasts.poll(); step != null; step = lasts.poll()) {
            step.run();
        }
    }

    @Override
    public boolean inLoop() {
        return loop;
    }

    @Override
    public void deadline(long nanoTime) {
        onDeadlineSet.run();
    }

    @Override
    public void shutdownOutput() {}

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public void reset() {
        closed = true;
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean blocking() {
        return false;
    }

    @Override
    public long id() {
        return 1;
    }

    @Override
    public SocketAddress local() {
        return InetSocketAddress.createUnresolved("local", 80);
    }

    @Override
    public SocketAddress remote() {
        return InetSocketAddress.createUnresolved("remote", 1);
    }

    @Override
    public Dialer dialer() {
        throw new UnsupportedOperationException();
    }

    @Override
    public @Nullable TlsSession tls() {
        return null;
    }
}
