package io.margay.server.compression;

import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.Relay;
import io.margay.server.exchange.TlsInfo;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.FileChannel;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An exchange whose response may be compressed: the client's own but for its content. Owned as
/// that one is.
final class CompressedExchange implements DialingExchange {
    private static final byte[] NOTHING = {};

    private final DialingExchange real;
    private final EncodedResponse response;

    CompressedExchange(DialingExchange real, EncodedResponse response) {
        this.real = real;
        this.response = response;
    }

    // The response's content

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

    // The rest is the client's exchange

    @Override
    public int status() {
        return real.status();
    }

    @Override
    public void status(int status) {
        real.status(status);
    }

    @Override
    public FieldList fields() {
        return real.fields();
    }

    @Override
    public void interim(int status, FieldList fields) throws IOException {
        real.interim(status, fields);
    }

    @Override
    public void trailers(Supplier<FieldList> trailers) {
        real.trailers(trailers);
    }

    @Override
    public long bytesSent() {
        return real.bytesSent();
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
    public RequestHead request() {
        return real.request();
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
    public CanonicalPath path() {
        return real.path();
    }

    @Override
    public String scheme() {
        return real.scheme();
    }

    @Override
    public boolean secure() {
        return real.secure();
    }

    @Override
    public SocketAddress remote() {
        return real.remote();
    }

    @Override
    public SocketAddress local() {
        return real.local();
    }

    @Override
    public SocketAddress peer() {
        return real.peer();
    }

    @Override
    public @Nullable TlsInfo tls() {
        return real.tls();
    }

    @Override
    public @Nullable TlsInfo clientTls() {
        return real.clientTls();
    }

    @Override
    public long connectionId() {
        return real.connectionId();
    }

    @Override
    public long id() {
        return real.id();
    }

    @Override
    public String requestId() {
        return real.requestId();
    }

    @Override
    public String protocolRequestId() {
        return real.protocolRequestId();
    }

    @Override
    public long startNanos() {
        return real.startNanos();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return real.attribute(name);
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
    public @Nullable String remoteUser() {
        return real.remoteUser();
    }

    @Override
    public @Nullable String authType() {
        return real.authType();
    }

    @Override
    public void remoteUser(@Nullable String user) {
        real.remoteUser(user);
    }

    @Override
    public ExchangeNotes notes() {
        return real.notes();
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
    public void abort() {
        real.abort();
    }

    @Override
    public void dispatch(Runnable task) {
        real.dispatch(task);
    }

    @Override
    public void execute(Runnable task) {
        real.execute(task);
    }

    @Override
    public void onEnd(Runnable task) {
        real.onEnd(task);
    }

    @Override
    public @Nullable IOException failure() {
        return real.failure();
    }
}
