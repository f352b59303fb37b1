package io.margay.servlet.test;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.ProtocolError;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.exchange.RequestBodyException;
import io.margay.server.exchange.TlsInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// An exchange whose request is written down beforehand and whose response is kept: the container
/// is tested without a server. All its state is guarded by its own monitor.
///
/// Like the real one it refuses to work after its end, enforces a promised length, and gives
/// content piece by piece: [#arrive] adds pieces, so that a test decides when there is something to
/// read.
public final class ScriptedExchange extends ScriptedRequest implements Exchange {
    private static final ExecutorService WORKERS =
            Executors.newCachedThreadPool(task -> {
                Thread thread = new Thread(task, "scripted-worker");
                thread.setDaemon(true);
                return thread;
            });

    private final FieldList fields = new FieldList();
    private final List<String> interim = new ArrayList<>();
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final List<Runnable> endTasks = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private int status = 200;
    private boolean committed;
    private boolean ended;
    private boolean aborted;
    private boolean upgraded;
    private boolean stalled;
    private int writes;
    private int dispatches;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private boolean working;
    private int ends;
    private Runnable writableTask;
    private IOException failure;
    private Supplier<FieldList> trailers;
    private String user;

    private ScriptedExchange(RequestHead head, byte[] body, boolean secure, TlsInfo tls) {
        super(head, body, secure, tls);
    }

    // Writing the script

    /// A GET of `target`.
    public static ScriptedExchange get(String target, String... fieldLines) {
        return of("GET", target, new byte[0], fieldLines);
    }

    /// A request with content; its length is declared.
    public static ScriptedExchange of(
            String method, String target, byte[] body, String... fieldLines) {
        return build(method, target, body, HttpVersion.HTTP_1_1, false, null, fieldLines);
    }

    /// A request over TLS.
    public static ScriptedExchange secure(String target, TlsInfo tls, String... fieldLines) {
        return build("GET", target, new byte[0], HttpVersion.HTTP_1_1, true, tls, fieldLines);
    }

    /// A POST of a form.
    public static ScriptedExchange form(String target, String form, String... fieldLines) {
        String[] all = java.util.Arrays.copyOf(fieldLines, fieldLines.length + 1);
        all[fieldLines.length] = "Content-Type: application/x-www-form-urlencoded";
        return of("POST", target, form.getBytes(StandardCharsets.ISO_8859_1), all);
    }

    private static ScriptedExchange build(
            String method,
            String target,
            byte[] body,
            HttpVersion version,
            boolean secure,
            TlsInfo tls,
            String... fieldLines) {
        Fields.Builder builder = new Fields.Builder();
        builder.add("Host", "localhost:8080");
        for (String line : fieldLines) {
            int colon = line.indexOf(':');
            builder.add(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        if (body.length > 0) {
            builder.add("Content-Length", Integer.toString(body.length));
        }
        int question = target.indexOf('?');
        RequestTarget parsed =
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        target,
                        question < 0 ? target : target.substring(0, question),
                        question < 0 ? null : target.substring(question + 1),
                        secure ? "https" : "http",
                        "localhost:8080");
        Fields fields = builder.build();
        boolean chunked = fields.contains("transfer-encoding");
        RequestHead head =
                new RequestHead(
                        method.intern(),
                        parsed,
                        version,
                        fields,
                        chunked ? RequestHead.UNKNOWN_LENGTH : body.length,
                        false,
                        true);
        return new ScriptedExchange(head, body, secure, tls);
    }

    /// The content is not complete: more comes by [#arrive] until [#arriveEnd].
    public synchronized ScriptedExchange openEnded() {
        complete = false;
        return this;
    }

    /// A piece of content arrives.
    public void arrive(String text) {
        wake(() -> pieces.add(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// The content ends.
    public void arriveEnd(String... trailerLines) {
        wake(() -> {
            complete = true;
            Fields.Builder builder = new Fields.Builder();
            for (String line : trailerLines) {
                int colon = line.indexOf(':');
                builder.add(line.substring(0, colon), line.substring(colon + 1).strip());
            }
            requestTrailers = builder.build();
        });
    }

    /// The client breaks the content off.
    public void breakOff() {
        wake(() -> {
            failure = new IOException("connection lost");
            inputFailure =
                    new RequestBodyException(
                            ProtocolError.of(400, "RFC 9112 §8", "Content is incomplete."));
        });
    }

    private void wake(Runnable change) {
        Runnable task;
        synchronized (this) {
            change.run();
            task = readable;
            readable = null;
            notifyAll();
        }
        if (task != null) {
            task.run();
        }
    }

    /// The peer takes nothing until [#resume].
    public synchronized ScriptedExchange stall() {
        stalled = true;
        return this;
    }

    /// The peer takes everything again.
    public void resume() {
        Runnable task;
        synchronized (this) {
            stalled = false;
            task = writableTask;
            writableTask = null;
        }
        if (task != null) {
            task.run();
        }
    }

    // Reading the outcome

    /// Gives the exchange to a handler and waits for its end.
    public ScriptedExchange run(Handler handler) throws IOException {
        handler.handle(this);
        return await();
    }

    /// Waits for the end.
    public ScriptedExchange await() {
        try {
            if (!over.await(10, TimeUnit.SECONDS)) {
                throw new AssertionError("the exchange did not end");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Failures.check();
        return this;
    }

    /// Whether it has ended by now.
    public synchronized boolean isOver() {
        return ended || aborted;
    }

    /// The content sent so far.
    public synchronized String body() {
        return sent.toString(StandardCharsets.UTF_8);
    }

    /// The content sent so far as bytes.
    public synchronized byte[] bytes() {
        return sent.toByteArray();
    }

    /// A response field.
    public synchronized String field(String name) {
        return fields.get(name);
    }

    /// Whether the exchange was broken off.
    public synchronized boolean isAborted() {
        return aborted;
    }

    /// Whether the protocol was switched.
    public synchronized boolean isUpgraded() {
        return upgraded;
    }

    /// How often a task was handed to a worker.
    public synchronized int dispatches() {
        return dispatches;
    }

    /// How often content was written before the end.
    public synchronized int writes() {
        return writes;
    }

    /// The trailer fields of the response.
    public synchronized FieldList sentTrailers() {
        return trailers == null ? new FieldList() : trailers.get();
    }

    /// Says what a front end sends beside the request.
    public ScriptedExchange fromFrontEnd(String userName, Map<String, Object> attributes) {
        user = userName;
        frontEnd = attributes;
        return this;
    }

    // Exchange: response

    @Override
    public synchronized int status() {
        return status;
    }

    @Override
    public synchronized void status(int value) {
        status = value;
    }

    @Override
    public FieldList fields() {
        return fields;
    }

    @Override
    public synchronized boolean committed() {
        return committed;
    }

    @Override
    public synchronized void interim(int value, FieldList list) {
        interim.add(value + " " + list);
    }

    @Override
    public synchronized void write(byte[] source, int offset, int length) throws IOException {
        send(source, offset, length);
        writes++;
    }

    @Override
    public synchronized void offer(byte[] source, int offset, int length) throws IOException {
        send(source, offset, length);
        writes++;
    }

    private void send(byte[] source, int offset, int length) throws IOException {
        requireOpen();
        committed = true;
        if (failure != null) {
            throw failure;
        }
        if (head.isHead()) {
            throw new AssertionError("content for a HEAD request");
        }
        sent.write(source, offset, length);
        String promised = fields.get("Content-Length");
        if (promised != null && !upgraded && sent.size() > Long.parseLong(promised)) {
            throw new AssertionError("more content than Content-Length says");
        }
    }

    @Override
    public synchronized boolean writable() {
        return !stalled;
    }

    @Override
    public void onWritable(Runnable task) {
        synchronized (this) {
            if (stalled) {
                writableTask = task;
                return;
            }
        }
        task.run();
    }

    @Override
    public synchronized void sendFile(FileChannel file, long position, long count)
            throws IOException {
        byte[] bytes = new byte[(int) count];
        try (file) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining() && file.read(buffer, position + buffer.position()) > 0) {
                continue;
            }
        }
        if (!head.isHead()) {
            send(bytes, 0, bytes.length);
        }
    }

    @Override
    public synchronized void flush() {
        requireOpen();
        committed = true;
    }

    @Override
    public synchronized void trailers(Supplier<FieldList> supplier) {
        trailers = supplier;
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        synchronized (this) {
            if (!committed && fields.get("Content-Length") == null) {
                fields.set("Content-Length", Integer.toString(length));
            }
            send(source, offset, length);
        }
        end();
    }

    @Override
    public void end() {
        synchronized (this) {
            requireOpen();
            if (!committed && fields.get("Content-Length") == null && status != 304) {
                fields.set("Content-Length", "0");
            }
            committed = true;
            String promised = fields.get("Content-Length");
            boolean content = !head.isHead() && status != 304 && status != 204 && !upgraded;
            if (content && promised != null && sent.size() < Long.parseLong(promised)) {
                throw new AssertionError("less content than Content-Length says");
            }
            ended = true;
            ends++;
        }
        runEndTasks();
    }

    @Override
    public void abort() {
        synchronized (this) {
            if (ended || aborted) {
                return;
            }
            aborted = true;
            if (failure == null) {
                failure = new IOException("aborted");
            }
        }
        runEndTasks();
    }

    private void runEndTasks() {
        List<Runnable> tasks;
        synchronized (this) {
            tasks = List.copyOf(endTasks);
        }
        tasks.forEach(Runnable::run);
        over.countDown();
    }

    @Override
    void requireOpen() {
        if (ended || aborted) {
            throw new IllegalStateException("the exchange has ended");
        }
    }

    @Override
    public synchronized long bytesSent() {
        return sent.size();
    }

    @Override
    public synchronized void upgrade() {
        requireOpen();
        status = 101;
        committed = true;
        upgraded = true;
        complete = false;
    }

    @Override
    public void dispatch(Runnable task) {
        synchronized (this) {
            dispatches++;
            tasks.add(task);
            if (working) {
                return;
            }
            working = true;
        }
        WORKERS.execute(this::work);
    }

    private void work() {
        for (Runnable task = nextTask(); task != null; task = nextTask()) {
            task.run();
        }
    }

    private synchronized Runnable nextTask() {
        Runnable next = tasks.poll();
        working = next != null;
        return next;
    }

    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public synchronized void onEnd(Runnable task) {
        endTasks.add(task);
    }

    @Override
    public synchronized IOException failure() {
        return failure;
    }

    @Override
    public synchronized String remoteUser() {
        return user;
    }

    @Override
    public synchronized void remoteUser(String name) {
        user = name;
    }
}
