package io.margay.transport;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// Sends back what comes, with one bounded buffer, on any transport; ends its output when the
/// client has ended its.
final class Echo implements ConnectionHandler {
    /// What happened to all connections of a listener.
    static final class Record {
        final AtomicLong opened = new AtomicLong();
        final AtomicLong closed = new AtomicLong();
        final CountDownLatch firstClosed = new CountDownLatch(1);
        volatile Connection last;
    }

    private final Connection connection;
    private final Record record;
    private final byte[] buffer = new byte[32 * 1024];
    private int from;
    private int to;
    private boolean ended;

    Echo(Connection connection, Record record) {
        this.connection = connection;
        this.record = record;
        record.opened.incrementAndGet();
        record.last = connection;
        connection.interest(Connection.READ);
    }

    @Override
    public void onReadable() {
        move();
    }

    @Override
    public void onWritable() {
        move();
    }

    private void move() {
        try {
            int rounds = 0;
            while (drained() && !ended && rounds++ < 16) {
                int n = connection.read(buffer, 0, buffer.length);
                if (n == 0) {
                    break;
                }
                if (n < 0) {
                    ended = true;
                } else {
                    to = n;
                }
                if (connection.blocking()) {
                    break;
                }
            }
            boolean empty = drained();
            if (empty && ended) {
                connection.shutdownOutput();
                connection.close();
            } else {
                connection.interest(empty ? Connection.READ : Connection.WRITE);
            }
        } catch (IOException e) {
            connection.close();
        }
    }

    /// Whether everything read has been written.
    private boolean drained() throws IOException {
        while (from < to) {
            int n = connection.write(buffer, from, to - from);
            if (n == 0) {
                return false;
            }
            from += n;
        }
        from = 0;
        to = 0;
        return connection.flush();
    }

    @Override
    public void onDeadline() {
        connection.close();
    }

    @Override
    public void onClosed() {
        record.closed.incrementAndGet();
        record.firstClosed.countDown();
    }
}
