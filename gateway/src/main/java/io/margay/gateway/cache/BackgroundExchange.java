package io.margay.gateway.cache;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.TlsInfo;
import io.margay.transport.Connection;
import io.margay.transport.Dialer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A request of the cache's own, by which a stale response is fetched anew while its client has got
/// the stale one. Nobody reads the response: what captures it stands before.
///
/// Its tasks run one after the other, on the loop of the client's connection or, those that may
/// wait, on a virtual thread. Guarded by this object, which is not locked during I/O or foreign
/// code.
final class BackgroundExchange implements DialingExchange {
    private final Dialer loop;
    private final RequestHead head;
    private final CanonicalPath path;
    private final Client client;
    private final ExchangeNotes notes = new ExchangeNotes();
    private final FieldList fields = new FieldList();
    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private final List<Runnable> ends = new ArrayList<>();
    private int status = 200;
    private boolean committed;
    private boolean working;
    private boolean over;
    private @Nullable IOException failure;
    private Dialer.@Nullable Timer timer; // of the loop

    /// What is known of the client, for whom it is not.
    private record Client(
            String scheme,
            boolean secure,
            SocketAddress remote,
            SocketAddress local,
            long connectionId,
            long id,
            String requestId,
            long startNanos) {
        static Client of(DialingExchange exchange) {
            return new Client(
                    exchange.scheme(),
                    exchange.secure(),
                    exchange.remote(),
                    exchange.local(),
                    exchange.connectionId(),
                    exchange.id(),
                    exchange.requestId(),
                    exchange.startNanos());
        }
    }

    private record Task(Runnable what, boolean waits) {}

    /// @param client of whom address and path are taken
    /// @param head of the request
    BackgroundExchange(DialingExchange client, RequestHead head) {
        this.client = Client.of(client);
        this.head = head;
        loop = client.carrier().dialer();
        path = client.path();
        notes.reading(client.notes().reading());
        if (client.notes().rules() != null) {
            notes.rules(client.notes().rules());
        }
    }

    /// Begins.
    ///
    /// @param begins run on the loop
    /// @param deadlineNanos when it must be over
    void begin(Runnable begins, long deadlineNanos) {
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
                        fail(new IOException("the request of the cache has failed", e));
                    } finally {
                        next();
                    }
                };
        if (task.waits) {
            Thread.ofVirtual().name("margay-cache").start(run);
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
    public void onReadable(Runnable task) {
        execute(task);
    }

    @Override
    public void onWritable(Runnable task) {
        execute(task);
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
    public RequestHead request() {
        return head;
    }

    @Override
    public CanonicalPath path() {
        return path;
    }

    @Override
    public String scheme() {
        return client.scheme;
    }

    @Override
    public boolean secure() {
        return client.secure;
    }

    @Override
    public SocketAddress remote() {
        return client.remote;
    }

    @Override
    public SocketAddress local() {
        return client.local;
    }

    @Override
    public @Nullable TlsInfo tls() {
        return null;
    }

    @Override
    public long connectionId() {
        return client.connectionId;
    }

    @Override
    public long id() {
        return client.id;
    }

    @Override
    public String requestId() {
        return client.requestId;
    }

    @Override
    public long startNanos() {
        return client.startNanos;
    }

    @Override
    public @Nullable Object attribute(String name) {
        return null;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        return -1;
    }

    @Override
    public int poll(byte[] target, int offset, int length) {
        return -1;
    }

    @Override
    public boolean inputEnded() {
        return true;
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }

    @Override
    public @Nullable String remoteUser() {
        return null;
    }

    @Override
    public void remoteUser(@Nullable String user) {
        if (user != null) {
            abort(); // what is for one user is not fetched for all
        }
    }

    @Override
    public ExchangeNotes notes() {
        return notes;
    }

    // The response

    @Override
    public int status() {
        return status;
    }

    @Override
    public void status(int code) {
        status = code;
    }

    @Override
    public FieldList fields() {
        return fields;
    }

    @Override
    public boolean committed() {
        return committed;
    }

    @Override
    public void interim(int code, FieldList list) {
        // Nobody waits for it.
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        offer(source, offset, length);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        committed = true;
        IOException cause = failure();
        if (cause != null) {
            throw cause;
        }
    }

    @Override
    public boolean writable() {
        return true;
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        committed = true;
        file.close();
    }

    @Override
    public void flush() {
        committed = true;
    }

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        // They are not kept.
    }

    @Override
    public void end(byte[] source, int offset, int length) {
        committed = true;
        over();
    }

    @Override
    public void end() {
        committed = true;
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
