package io.margay.server.multiplex;

import io.margay.protocol.multiplex.MessageStream;
import io.margay.server.exchange.ArrayPool;
import io.margay.server.multiplex.StreamOutflow.Loan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Sends a part of a file as content on a stream, piece by piece, and closes it. Owned as its
/// exchange is.
final class StreamFileSender implements Runnable {
    /// Pieces in one go on the loop before other connections have their turn.
    private static final int PIECES_AT_ONCE = 8;

    private final StreamExchange exchange;
    private final StreamResponse response;
    private final FileChannel file;
    private final ArrayPool pool;
    private final byte[] piece;
    private long position;
    private long left;

    private StreamFileSender(
            StreamExchange exchange,
            StreamResponse response,
            ArrayPool pool,
            FileChannel file,
            long position,
            long count) {
        this.exchange = exchange;
        this.response = response;
        this.file = file;
        this.position = position;
        left = response.isBodyless() ? 0 : count;
        this.pool = pool;
        piece = pool.lease();
    }

    /// Puts the head, unless that has been done; sends nothing yet. When it cannot be sent, the
    /// file is closed.
    static StreamFileSender of(
            StreamExchange exchange,
            StreamResponse response,
            ArrayPool pool,
            FileChannel file,
            long position,
            long count)
            throws IOException {
        try {
            exchange.requireOpen();
            response.commit();
            if (!response.accepts(count)) {
                exchange.abort();
                throw new IllegalStateException("more content than Content-Length says");
            }
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
        return new StreamFileSender(exchange, response, pool, file, position, count);
    }

    /// Sends on as far as there is room. Loop thread.
    @Override
    public void run() {
        try {
            for (int i = 0; left > 0 && exchange.isSending(this) && response.isWritable(); i++) {
                if (i == PIECES_AT_ONCE) {
                    exchange.execute(this);
                    return;
                }
                response.runAsLeader(piece, next());
            }
            if (left == 0 && exchange.isSending(this) && response.isWritable()) {
                exchange.fileSent();
            }
        } catch (IOException e) {
            exchange.fail(e, MessageStream.End.FAILED);
        }
    }

    /// Sends all, waiting, and closes the file.
    void sendAll() throws IOException {
        boolean gone = false;
        try {
            while (left > 0) {
                boolean _ = response.put(piece, 0, next(), Loan.WAITED_FOR);
            }
            gone = true;
        } finally {
            close(gone);
        }
    }

    private int next() throws IOException {
        int most = (int) Math.min(piece.length, left);
        int count = file.read(ByteBuffer.wrap(piece, 0, most), position);
        if (count <= 0) {
            throw new IOException("a file became shorter while it was sent");
        }
        position += count;
        left -= count;
        return count;
    }

    /// Closes the file.
    ///
    /// @param gone whether nothing of it waits to be sent, so that the array is free
    void close(boolean gone) throws IOException {
        if (gone) {
            pool.release(piece);
        }
        file.close();
    }
}
