package io.margay.server.compression;

import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import java.io.IOException;
import java.nio.channels.FileChannel;

/// An exchange whose response may be compressed, or have its lines changed: the client's own but
/// for its content. Owned as that one is.
final class EncodedExchange extends DelegatingExchange {
    private static final byte[] NOTHING = {};

    private final EncodedResponse response;

    EncodedExchange(DialingExchange real, EncodedResponse response) {
        super(real);
        this.response = response;
    }

    @Override
    public boolean committed() {
        return response.isBegun() || real.committed();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        response.write(source, offset, length);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        response.offer(source, offset, length);
    }

    @Override
    public boolean writable() {
        return response.isWritable();
    }

    @Override
    public void onWritable(Runnable task) {
        response.onWritable(task);
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        response.sendFile(file, position, count);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        response.endFile(file, position, count);
    }

    @Override
    public void flush() throws IOException {
        response.flush();
    }

    @Override
    public void push() throws IOException {
        response.push();
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        response.end(source, offset, length, false);
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        response.end(source, offset, length, true);
    }

    @Override
    public void end() throws IOException {
        response.end(NOTHING, 0, 0, false);
    }

    @Override
    public void upgrade() throws IOException {
        response.upgraded();
        real.upgrade();
    }
}
