package io.margay.server.exchange;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestTarget;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Another exchange, of which some things are done otherwise on its way to the client or from it.
/// Owned as that one is.
public class DelegatingExchange extends ExchangeView<DialingExchange> implements DialingExchange {
    protected DelegatingExchange(DialingExchange real) {
        super(real);
    }

    // The response's content

    @Override
    public boolean committed() {
        return real.committed();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        real.write(source, offset, length);
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        real.offer(source, offset, length);
    }

    @Override
    public boolean writable() {
        return real.writable();
    }

    @Override
    public void onWritable(Runnable task) {
        real.onWritable(task);
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        real.sendFile(file, position, count);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        real.endFile(file, position, count);
    }

    @Override
    public void flush() throws IOException {
        real.flush();
    }

    @Override
    public void push() throws IOException {
        real.push();
    }

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        real.end(source, offset, length);
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        real.endConstant(source, offset, length);
    }

    @Override
    public void end() throws IOException {
        real.end();
    }

    @Override
    public void upgrade() throws IOException {
        real.upgrade();
    }

    // What is known of it

    @Override
    public void interim(int status, FieldList fields) throws IOException {
        real.interim(status, fields);
    }

    @Override
    public long wireBytesOut() {
        return real.wireBytesOut();
    }

    @Override
    public boolean connectionKept() {
        return real.connectionKept();
    }

    @Override
    public void rewrite(RequestTarget target) {
        real.rewrite(target);
    }

    @Override
    public void replaceFields(Fields fields) {
        real.replaceFields(fields);
    }

    @Override
    public SocketAddress peer() {
        return real.peer();
    }

    @Override
    public boolean mayBeFor(String host) {
        return real.mayBeFor(host);
    }

    @Override
    public @Nullable String handshakeHost() {
        return real.handshakeHost();
    }

    @Override
    public @Nullable TlsInfo clientTls() {
        return real.clientTls();
    }

    @Override
    public String protocolRequestId() {
        return real.protocolRequestId();
    }

    @Override
    public boolean hasClientGone() {
        return real.hasClientGone();
    }

    @Override
    public Set<String> attributeNames() {
        return real.attributeNames();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return real.read(target, offset, length);
    }

    @Override
    public int poll(byte[] target, int offset, int length) throws IOException {
        return real.poll(target, offset, length);
    }

    @Override
    public boolean inputEnded() {
        return real.inputEnded();
    }

    @Override
    public void onReadable(Runnable task) {
        real.onReadable(task);
    }

    @Override
    public Fields trailers() {
        return real.trailers();
    }

    @Override
    public long wireBytesIn() {
        return real.wireBytesIn();
    }

    @Override
    public int requestNumber() {
        return real.requestNumber();
    }

    @Override
    public @Nullable String authType() {
        return real.authType();
    }

    @Override
    public long contentBytesMax() {
        return real.contentBytesMax();
    }

    @Override
    public boolean isWhole(@Nullable String type) {
        return real.isWhole(type);
    }

    @Override
    public @Nullable Relay relay() {
        return real.relay();
    }

    @Override
    public Carrier carrier() {
        return real.carrier();
    }

    @Override
    public void dispatch(Runnable task) {
        real.dispatch(task);
    }

    @Override
    public boolean isScheduled() {
        return real.isScheduled();
    }

    @Override
    public void execute(Runnable task) {
        real.execute(task);
    }
}
