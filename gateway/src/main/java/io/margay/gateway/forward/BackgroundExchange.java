package io.margay.gateway.forward;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request of the gateway's own that goes on when its client has got its response: the cache
/// fetches a stale response anew by one, and a mirror sends copies. Nobody reads the response: what
/// captures it stands before.
///
/// Its tasks run one after the other, on the loop of the client's connection or, those that may
/// wait, on a virtual thread. Guarded by this object, which is not locked during I/O or foreign
/// code.
public final class BackgroundExchange extends OwnRequest implements DialingExchange {
    private final Dialer loop;
    private final CanonicalPath path;
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private final List<Runnable> ends = new ArrayList<>();
    private boolean working;
    private boolean over;
    private @Nullable IOException failure;
    private Dialer.@Nullable Timer timer; // of the loop

    private record Task(Runnable what, boolean waits) {}

    /// @param client of whom address and path are taken
    /// @param head of the request
    public BackgroundExchange(DialingExchange client, RequestHead head) {
        super(client, head);
        loop = client.carrier().dialer();
        path = client.path();
        notes().reading(client.notes().reading());
        if (client.notes().rules() != null) {
            notes().rules(client.notes().rules());
        }
    }

    /// Begins.
    ///
    /// @param begins run on the loop
    /// @param deadlineNanos when it must be over
    public void begin(Runnable begins, long deadlineNanos) {
        loop.execute(() -> {
            Dialer.Timer made = loop.timer(this::abort);
            made.at(deadlineNanos);
            timer = made;
        });
        add(new Task(begins, false));
    }

    // Its tasks

    private void add(Task task) {
        synchronized (this) {
            if (working) {
                tasks.add(task);
                return;
            }
            working = true;
        }
        start(task);
    }

    private void start(Task task) {
        Runnable run =
                () -> {
                    try {
                        task.what.run();
                    } catch (RuntimeException | Error e) {
                        fail(new IOException("a request in the background has failed", e));
                    } finally {
                        next();
                    }
                };
        if (task.waits) {
            Thread.ofVirtual().name("margay-background").start(run);
        } else {
            loop.execute(run);
        }
    }

    private void next() {
        Task task;
        synchronized (this) {
            task = tasks.poll();
            working = task != null;
        }
        if (task != null) {
            start(task);
        }
    }

    @Override
    public void dispatch(Runnable task) {
        add(new Task(task, true));
    }

    @Override
    public void execute(Runnable task) {
        add(new Task(task, false));
    }

    @Override
    public void onEnd(Runnable task) {
        synchronized (this) {
            if (!over) {
                ends.add(task);
                return;
            }
        }
        task.run();
    }

    @Override
    public void abort() {
        fail(new IOException("the exchange was aborted"));
    }

    private void fail(IOException why) {
        synchronized (this) {
            if (!over) {
                failure = why;
            }
        }
        over();
    }

    private void over() {
        List<Runnable> told;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            told = List.copyOf(ends);
        }
        loop.execute(() -> {
            if (timer != null) {
                timer.at(Connection.NEVER);
            }
        });
        told.forEach(Runnable::run);
    }

    @Override
    public synchronized @Nullable IOException failure() {
        return failure;
    }

    @Override
    public Carrier carrier() {
        return new Carrier() {
            @Override
            public Dialer dialer() {
                return loop;
            }

            @Override
            public boolean waits() {
                return false;
            }

            @Override
            public boolean duplex() {
                return false;
            }
        };
    }

    // The request

    @Override
    public CanonicalPath path() {
        return path;
    }

    @Override
    public @Nullable TlsInfo tls() {
        return null;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        return -1;
    }

    @Override
    public void remoteUser(@Nullable String user) {
        if (user != null) {
            abort(); // what is for one user is not fetched for all
        }
    }

    // The response

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        offer(source, offset, length);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        commit();
        IOException cause = failure();
        if (cause != null) {
            throw cause;
        }
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        commit();
        file.close();
    }

    @Override
    public void end(byte[] source, int offset, int length) {
        commit();
        over();
    }

    @Override
    public void end() {
        commit();
        over();
    }

    @Override
    public long bytesSent() {
        return 0;
    }

    @Override
    public void upgrade() throws IOException {
        throw new IOException("the protocol is switched");
    }
}
