package io.margay.server.serial;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.HttpVersion;
import io.margay.transport.Connection;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/// Puts the response of one exchange into the output of its connection, in the frames of its
/// protocol, and sees that it is sent: by the calling thread, or by the loop where nobody waits.
/// Owned as its exchange is.
final class ResponseWriter {
    private static final byte[] EMPTY = new byte[0];

    private final SerialExchange exchange;
    private final SerialExchange.Owner connection;
    private final ConnectionFlow flow;
    private final ResponseFraming response;

    /// Whether the loop is sending a file that the response ends with.
    private volatile boolean tailDue;

    /// Whether the loop is to send what is in the output. Output that is pending without it is in
    /// the hands of a thread of the application, which waits for the peer itself.
    private volatile boolean outputDue;

    ResponseWriter(
            SerialExchange exchange,
            SerialExchange.Owner connection,
            ConnectionFlow flow,
            ResponseFraming response) {
        this.exchange = exchange;
        this.connection = connection;
        this.flow = flow;
        this.response = response;
    }

    /// Whether the loop sends the end of the response.
    boolean isTailDue() {
        return tailDue;
    }

    /// Whether the loop sends what is in the output.
    boolean isOutputDue() {
        return outputDue;
    }

    // The head

    void interim(int status, FieldList fields) throws IOException {
        if (exchange.request().version() == HttpVersion.HTTP_1_1) {
            response.encodeInterim(flow.output, status, fields, headMax());
            pushNow(exchange.mayWait());
        }
    }

    private int headMax() {
        return flow.context.limits.responseHeadBytesMax();
    }

    /// Puts the head into the output buffer, unless it has been put.
    ///
    /// @param length of the content, when this is all of it; negative when more may follow
    private void commit(long length) {
        if (response.isCommitted()) {
            return;
        }
        boolean last = flow.isLastRequest() || exchange.mustBeLast(length >= 0);
        exchange.beforeHead();
        flow.context.addOwn(response.fields());
        response.commit(flow.output, length, last, flow.context.date.bytes(), headMax());
    }

    void upgrade() throws IOException {
        response.commitUpgrade(flow.output, flow.context.date.bytes(), headMax());
    }

    // Content

    void move(byte[] source, int offset, int length, boolean wait) throws IOException {
        if (flow.output.isSendingFile()) {
            throw new IllegalStateException("a file is being sent");
        }
        if (!wait) {
            flow.output.requireTaken();
        }
        if (exchange.isRaw()) {
            putRaw(source, offset, length, wait);
        } else {
            commit(-1);
            putContent(source, offset, length, wait, false);
            response.putFlush(flow.output, length);
        }
        pushNow(wait);
    }

    private void putRaw(byte[] source, int offset, int length, boolean wait) throws IOException {
        try {
            flow.output.put(source, offset, length, wait);
        } catch (IOException e) {
            exchange.fail(e);
            throw e;
        }
    }

    /// @param constant whether nobody changes it any more, and nothing follows
    private void putContent(byte[] source, int offset, int length, boolean wait, boolean constant)
            throws IOException {
        if (!response.accepts(length)) {
            exchange.abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
        try {
            if (constant) {
                response.putConstant(flow.output, source, offset, length, wait);
            } else {
                response.putContent(flow.output, source, offset, length, wait);
            }
        } catch (IOException e) {
            exchange.fail(e);
            throw e;
        }
    }

    /// Sends what is in the flow.output, as far as the connection takes it.
    void pushNow(boolean wait) throws IOException {
        try {
            if (wait) {
                flow.output.pushAll();
                outputNotDue();
            } else if (flow.output.push()) {
                outputNotDue();
            } else {
                awaitOutput();
            }
        } catch (IOException e) {
            exchange.fail(e);
            throw e;
        }
    }

    /// The connection has not taken all output: the loop sends the rest.
    private void awaitOutput() {
        outputDue = true;
        if (exchange.tasks.isWorking()) {
            return;
        }
        if (flow.io.inLoop()) {
            flow.deadline(flow.context.writeNanos);
            flow.moreInterest(Connection.WRITE);
        } else {
            flow.io.execute(exchange.tasks::settle);
        }
    }

    private void outputNotDue() {
        if (outputDue) {
            outputDue = false;
        }
    }

    /// Everything that was kept has been taken. Loop thread, or the one that ends the exchange.
    void outputTaken() throws IOException {
        outputNotDue();
        if (tailDue) {
            tailDue = false;
            putTail();
            connection.ended(exchange);
        } else {
            exchange.tasks.settle();
        }
    }

    // Files

    void sendFile(FileChannel file, long position, long count) throws IOException {
        try {
            putFile(file, position, count);
            pushNow(exchange.mayWait());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private void putFile(FileChannel file, long position, long count) throws IOException {
        exchange.requireOpen();
        commit(-1);
        if (!response.accepts(count)) {
            exchange.abort();
            throw new IllegalStateException("more content than Content-Length says");
        }
        if (response.isBodyless() || count == 0) {
            file.close();
        } else {
            response.putFile(flow.output, file, position, count);
        }
    }

    /// Ends the response with a file that the loop sends, once a dispatched task has returned.
    void endFile(FileChannel file, long position, long count) throws IOException {
        try {
            putFile(file, position, count);
            exchange.end();
            if (tailDue) {
                sendTailed();
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// Sends what the connection takes now of the file that the response ends with.
    private void sendTailed() throws IOException {
        try {
            if (flow.output.push()) {
                outputTaken();
            } else {
                awaitOutput();
            }
        } catch (IOException e) {
            exchange.fail(e);
            throw e;
        }
    }

    // The end

    void end(byte[] source, int offset, int length) throws IOException {
        exchange.requireOpen();
        boolean wait = exchange.mayWait();
        commit(length);
        if (!exchange.beginEnd()) {
            throw exchange.ended();
        }
        try {
            boolean raw = exchange.isRaw();
            if (raw) {
                flow.output.put(source, offset, length, wait);
            }
            if (raw || finish(source, offset, length, wait)) {
                connection.ended(exchange);
            }
        } catch (IOException e) {
            exchange.fail(e);
            throw e;
        } catch (RuntimeException e) {
            // Trailers that cannot be sent, for one: nobody else will end it.
            exchange.fail(new IOException("the response could not be ended", e));
            throw e;
        }
    }

    /// Ends the response on the loop.
    void endLater(byte[] source, int offset, int length) {
        byte[] copy = Arrays.copyOfRange(source, offset, offset + length);
        flow.io.execute(() -> endOnLoop(copy));
    }

    private void endOnLoop(byte[] content) {
        try {
            exchange.end(content, 0, content.length);
        } catch (IOException | IllegalStateException e) {
            exchange.fail(e instanceof IOException io1 ? io1 : new IOException(e));
        }
    }

    void endConstant(byte[] source, int offset, int length) throws IOException {
        exchange.requireOpen();
        commit(length);
        putContent(source, offset, length, exchange.mayWait(), true);
        end(EMPTY, 0, 0);
    }

    /// Puts the last content and what tells the end; false when the connection has not come to that
    /// yet, or never will.
    private boolean finish(byte[] source, int offset, int length, boolean wait) throws IOException {
        if (length > 0) {
            if (flow.output.isSendingFile() || !response.accepts(length)) {
                exchange.abort();
                throw new IllegalStateException("more content than was announced or can be sent");
            }
            response.putContent(flow.output, source, offset, length, wait);
        }
        if (!response.isSatisfied()) {
            exchange.breakOff(new IOException("the response is shorter than its Content-Length"));
            return false;
        }
        if (flow.output.isSendingFile()) {
            tailDue = true;
            return false;
        }
        putTail();
        return true;
    }

    private void putTail() throws IOException {
        response.putTail(flow.output, headMax());
    }
}
