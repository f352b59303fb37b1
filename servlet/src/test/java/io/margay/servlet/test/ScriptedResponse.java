package io.margay.servlet.test;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.ExchangeResponse;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.function.Supplier;

/// The response of a [ScriptedExchange], which is kept.
class ScriptedResponse extends ScriptedScheduling implements ExchangeResponse {
    final FieldList fields = new FieldList();
    final SentContent sent;
    int status = 200;
    boolean upgraded;
    boolean stalled;
    int writes;
    Runnable writableTask;
    Supplier<FieldList> trailers = FieldList::new;
    private boolean committed;

    ScriptedResponse(RequestHead head, TlsInfo tls) {
        super(head, tls);
        sent = new SentContent(fields, head.isHead());
    }

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
    public void interim(int value, FieldList list) {}

    @Override
    public synchronized void write(byte[] source, int offset, int length) throws IOException {
        send(source, offset, length);
        writes++;
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        write(source, offset, length);
    }

    private void send(byte[] source, int offset, int length) throws IOException {
        flush();
        if (failure != null) {
            throw failure;
        }
        sent.add(source, offset, length, !upgraded);
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
        byte[] part = SentContent.read(file, position, count);
        if (!head.isHead()) {
            send(part, 0, part.length);
        }
    }

    @Override
    public synchronized void flush() {
        if (ended || aborted) {
            throw new IllegalStateException("the exchange has ended");
        }
        committed = true;
    }

    @Override
    public synchronized void trailers(Supplier<FieldList> supplier) {
        trailers = supplier;
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        synchronized (this) {
            promise(length);
            send(source, offset, length);
        }
        end();
    }

    private void promise(int length) {
        if (!committed && fields.get("Content-Length") == null) {
            fields.set("Content-Length", Integer.toString(length));
        }
    }

    @Override
    public void end() {
        synchronized (this) {
            boolean content = status != 304 && status != 204 && !upgraded;
            if (status != 304) {
                promise(0);
            }
            flush();
            if (content) {
                sent.end();
            }
            ended = true;
        }
        runEndTasks();
    }

    @Override
    public synchronized long bytesSent() {
        return sent.bytes().length;
    }

    @Override
    public synchronized void upgrade() {
        flush();
        status = 101;
        upgraded = true;
        content.open();
    }
}
