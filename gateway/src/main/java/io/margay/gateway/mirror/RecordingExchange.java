package io.margay.gateway.mirror;

import io.margay.protocol.http.FieldList;
import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// An exchange of whose response a copy is kept, up to a limit. The response goes on as it is, and
/// first. Owned as the other exchange is.
final class RecordingExchange extends DelegatingExchange {
    private static final int BYTES_FIRST = 4096;

    private final Means means;
    private final Consumer<SeenAnswer> told;
    private final long begun;
    private final CRC32C sum = new CRC32C();
    private byte[] kept = {};
    private int used;
    private long length;
    private int status;
    private @Nullable FieldList head;
    private boolean filed;
    private boolean whole;
    private boolean over;

    /// How much is kept, and how long it takes.
    ///
    /// @param bytesMax of the content
    record Means(int bytesMax, LongSupplier nanos) {}

    /// @param told gets the answer once, when the exchange ends
    RecordingExchange(DialingExchange real, Means means, Consumer<SeenAnswer> told) {
        super(real);
        this.means = means;
        this.told = told;
        begun = means.nanos.getAsLong();
        real.onEnd(this::over);
    }

    /// Later changes of the fields are not of the server that has answered.
    private synchronized void head() {
        if (head == null) {
            status = real.status();
            head = new FieldList().addAll(real.fields());
        }
    }

    private synchronized void keep(byte[] source, int offset, int count) {
        if (over) {
            return;
        }
        head();
        length += count;
        sum.update(source, offset, count);
        int room = Math.min(count, means.bytesMax - used);
        if (room <= 0) {
            return;
        }
        if (used + room > kept.length) {
            int wanted = Math.max(Math.max(used + room, 2 * used), BYTES_FIRST);
            kept = Arrays.copyOf(kept, Math.min(means.bytesMax, wanted));
        }
        System.arraycopy(source, offset, kept, used, room);
        used += room;
    }

    /// What comes of a file is not seen.
    private synchronized void file(long count) {
        head();
        filed = true;
        length += count;
    }

    /// All has come that comes; the end itself may be told while it is sent.
    private synchronized void last() {
        head();
        whole = true;
    }

    /// Ends of an exchange are told by any thread.
    private void over() {
        SeenAnswer answer;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            long nanos = means.nanos.getAsLong() - begun;
            FieldList fields = head;
            if (fields == null || real.relay() == null || real.notes().isOwn()) {
                answer = SeenAnswer.none(nanos); // The gateway's own page is no answer.
            } else {
                byte[] bytes = filed ? new byte[0] : Arrays.copyOf(kept, used);
                SeenContent content = new SeenContent(bytes, length, (int) sum.getValue(), whole);
                answer = new SeenAnswer(status, fields, content, nanos);
            }
            kept = new byte[0];
        }
        told.accept(answer);
    }

    @Override
    public void write(byte[] source, int offset, int count) throws IOException {
        keep(source, offset, count);
        real.write(source, offset, count);
    }

    @Override
    public void offer(byte[] source, int offset, int count) throws IOException {
        keep(source, offset, count);
        real.offer(source, offset, count);
    }

    @Override
    public void flush() throws IOException {
        head();
        real.flush();
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        file(count);
        real.sendFile(file, position, count);
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        file(count);
        last();
        real.endFile(file, position, count);
        over();
    }

    @Override
    public void end(byte[] source, int offset, int count) throws IOException {
        keep(source, offset, count);
        last();
        real.end(source, offset, count);
        over();
    }

    @Override
    public void endConstant(byte[] source, int offset, int count) throws IOException {
        keep(source, offset, count);
        last();
        real.endConstant(source, offset, count);
        over();
    }

    @Override
    public void end() throws IOException {
        last();
        real.end();
        over();
    }
}
