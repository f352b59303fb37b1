package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// How much of a connection's output the kernel takes while the peer reads nothing: memory that all
/// TCP of the machine shares.
@Timeout(60)
class UnsentOutputTest {
    private static final int FILE_BYTES = 5 << 20;

    /// The transport's bound of 64 KiB, and three segments, which have up to 64 KiB on the
    /// loopback. Without that bound the kernel takes three megabytes.
    private static final long TAKEN_MAX = 256 << 10;

    @TempDir static Path directory;
    private final AtomicLong sent = new AtomicLong();
    private final AtomicInteger full = new AtomicInteger();
    private ContractRig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new ContractRig(directory);
    }

    @AfterEach
    void close() throws Exception {
        rig.closeAll();
    }

    private final class FileSender extends Scripted {
        private final Connection connection;
        private final FileChannel file;

        FileSender(Connection connection, FileChannel file) {
            super(connection);
            this.connection = connection;
            this.file = file;
        }

        @Override
        void readable() throws IOException {
            super.readable();
            send();
        }

        @Override
        public void onWritable() {
            try {
                send();
            } catch (IOException e) {
                connection.close();
            }
        }

        private void send() throws IOException {
            while (sent.get() < FILE_BYTES) {
                long n = connection.sendFile(file, sent.get(), FILE_BYTES - sent.get());
                if (n == 0) {
                    full.incrementAndGet();
                    connection.interest(Connection.READ | Connection.WRITE);
                    return;
                }
                sent.addAndGet(n);
            }
            connection.interest(Connection.READ);
        }
    }

    @Test
    void fileForOneWhoDoesNotRead_staysOutOfTheKernel_untilReadOn() throws Exception {
        byte[] data = new byte[FILE_BYTES];
        new Random(7).nextBytes(data);
        Path path = Files.write(directory.resolve("data"), data);
        try (FileChannel file = FileChannel.open(path)) {
            Listener listener =
                    rig.listen(new ContractRig.Mode("native", null), c -> new FileSender(c, file));
            Socket reader = new Socket();
            rig.keep(reader);
            reader.setReceiveBufferSize(4096);
            reader.setSoTimeout(20_000);
            reader.connect(listener.address());
            reader.getOutputStream().write(1);
            Until.holds("the kernel takes no more", () -> full.get() > 0);
            reader.setReceiveBufferSize(1 << 20);
            long taken = sent.get();
            assertTrue(taken < TAKEN_MAX, "the kernel has taken " + taken);
            assertArrayEquals(data, reader.getInputStream().readNBytes(FILE_BYTES));
            Until.holds("the sender has counted all", () -> sent.get() == FILE_BYTES);
        }
    }
}
