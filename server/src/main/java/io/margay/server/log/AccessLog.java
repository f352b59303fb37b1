package io.margay.server.log;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeObserver;
import io.margay.server.meter.Meter;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The access log: one line per exchange, written by one background thread. Thread-safe; what
/// concerns the file is confined to that thread.
///
/// Serving never waits for it: when the queue is full or the disk does not take the lines, they are
/// dropped and counted, and the server's log tells how many, every ten seconds at most. The file is
/// opened anew when somebody has moved or removed it, when [#reopen] is called, and when the name,
/// which may hold `strftime` conversions such as `%Y-%m-%d`, changes.
public final class AccessLog implements ExchangeObserver, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.margay.server");

    /// What the queue keeps of a line beside its characters: the string, its array and a node.
    private static final int LINE_BYTES = 80;

    private static final int BUFFER_BYTES = 65_536;
    private static final long POLL_NANOS = 50_000_000L;
    private static final long CHECK_NANOS = 1_000_000_000L;
    private static final long CLOSE_MILLIS = 5_000;
    private static final long TELL_NANOS = 10_000_000_000L;

    private final LogFormat format;
    private final AccessLogLimits limits;
    private final String name;
    private final LongSupplier nanos;
    private final long rotateBytes;
    private final @Nullable DateTimeFormatter pattern;
    private final ConcurrentLinkedQueue<String> queue = new ConcurrentLinkedQueue<>();
    private final AtomicLong queuedBytes = new AtomicLong();
    private final LongAdder dropped = new LongAdder();
    private final LongAdder written = new LongAdder();
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final Thread writer;
    private volatile boolean asleep;
    private volatile boolean reopen;
    private volatile boolean closed;

    private @Nullable FileChannel file;
    private @Nullable Object fileKey;
    private Path path = Path.of("");
    private int buffered;
    private long checkNanos;
    private long toldDropped;
    private long tellNanos;
    private String lastError = "";

    /// Opens a log.
    ///
    /// @param name file, perhaps with `strftime` conversions
    /// @throws IOException when the file cannot be opened
    public AccessLog(String name, LogFormat format) throws IOException {
        this(name, format, AccessLogLimits.defaults());
    }

    /// Opens a log whose file gets another name before it is larger than a number of bytes: its own
    /// with a point and the time in seconds since 1970.
    ///
    /// @param rotateBytes 0 = however large it is
    public AccessLog(String name, LogFormat format, long rotateBytes) throws IOException {
        this(name, format, AccessLogLimits.defaults(), rotateBytes, System::nanoTime);
    }

    /// Opens a log with limits of its own.
    public AccessLog(String name, LogFormat format, AccessLogLimits limits) throws IOException {
        this(name, format, limits, 0, System::nanoTime);
    }

    AccessLog(
            String name,
            LogFormat format,
            AccessLogLimits limits,
            long rotateBytes,
            LongSupplier nanos)
            throws IOException {
        this.rotateBytes = rotateBytes;
        this.nanos = nanos;
        this.name = name;
        this.format = format;
        this.limits = limits;
        pattern = name.indexOf('%') < 0 ? null : LogTime.strftime(name, 0);
        checkNanos = nanos.getAsLong() + CHECK_NANOS;
        tellNanos = nanos.getAsLong();
        open();
        writer = Thread.ofPlatform().name("margay-access-log").daemon().unstarted(this::run);
        writer.start();
    }

    @Override
    public void ended(Exchange exchange) {
        if (closed || queuedBytes.get() >= limits.queuedBytesMax()) {
            dropped.increment();
            return;
        }
        long took = nanos.getAsLong() - exchange.startNanos();
        long now = System.currentTimeMillis();
        String line = format.line(exchange, limits.fieldCharsMax(), now, took);
        queuedBytes.addAndGet(line.length() + LINE_BYTES);
        queue.add(line);
        if (asleep) {
            LockSupport.unpark(writer);
        }
    }

    /// The names of what applications are to tell for it, see [io.margay.server.exchange.LogFacts].
    public java.util.Set<String> asks() {
        return format.asks();
    }

    /// Lines that were lost because they came too fast or the disk did not take them.
    public long dropped() {
        return dropped.sum();
    }

    /// Its numbers, of a file that whoever has opened it names.
    public List<Meter> meters() {
        return List.of(
                Meter.counter(
                        "margay_access_log_dropped_lines",
                        "Lines lost because they came too fast or could not be written.",
                        dropped::sum),
                Meter.counter("margay_access_log_lines", "Lines that were written.", written::sum));
    }

    /// Opens the file anew, after it has been rotated.
    public void reopen() {
        reopen = true;
        LockSupport.unpark(writer);
    }

    /// Writes what is queued and closes the file; waits a little for that.
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(writer);
        try {
            boolean _ = writer.join(java.time.Duration.ofMillis(CLOSE_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    // The writer thread

    private void run() {
        long idleSince = nanos.getAsLong();
        while (true) {
            boolean last = closed;
            if (writeQueued()) {
                idleSince = nanos.getAsLong();
            }
            tellDropped();
            if (last) {
                closeFile();
                return;
            }
            boolean idle = nanos.getAsLong() - idleSince > CHECK_NANOS;
            rest(idle && dropped.sum() == toldDropped);
        }
    }

    /// Looks at the queue again soon, so that writers need not wake this thread for each line;
    /// after a while without lines it sleeps until woken.
    private void rest(boolean deeply) {
        if (!deeply) {
            LockSupport.parkNanos(this, POLL_NANOS);
            return;
        }
        asleep = true;
        if (queue.isEmpty() && !closed && !reopen) {
            LockSupport.park(this);
        }
        asleep = false;
    }

    private boolean writeQueued() {
        boolean some = false;
        if (reopen) {
            reopen = false;
            closeFile();
        }
        for (String line = queue.poll(); line != null; line = queue.poll()) {
            if (!some) {
                some = true;
                checkFile();
            }
            queuedBytes.addAndGet(-line.length() - LINE_BYTES);
            append(line);
        }
        writeBuffer();
        return some;
    }

    private void append(String line) {
        byte[] bytes = line.concat("\n").getBytes(StandardCharsets.UTF_8);
        if (bytes.length > buffer.remaining()) {
            writeBuffer();
        }
        if (bytes.length > buffer.remaining()) {
            write(ByteBuffer.wrap(bytes), 1); // A format of many long values.
            return;
        }
        buffer.put(bytes);
        buffered++;
    }

    private void writeBuffer() {
        if (buffered == 0) {
            return;
        }
        write(buffer.flip(), buffered);
        buffer.clear();
        buffered = 0;
    }

    private void write(ByteBuffer bytes, int lines) {
        FileChannel out = file;
        try {
            if (out == null) {
                out = open();
            }
            if (rotateBytes > 0 && out.size() > 0 && out.size() + bytes.remaining() > rotateBytes) {
                rotate();
                out = open();
            }
            long start = out.size();
            try {
                while (bytes.hasRemaining()) {
                    int _ = out.write(bytes);
                }
            } catch (IOException e) {
                // No half lines: what was written of this batch goes.
                out.truncate(start);
                throw e;
            }
            written.add(lines);
            lastError = "";
        } catch (IOException e) {
            dropped.add(lines);
            lastError = ": " + e;
            closeFile();
        }
    }

    /// Gives the file another name.
    private void rotate() throws IOException {
        closeFile();
        long second = Instant.now().getEpochSecond();
        Path next = path.resolveSibling(path.getFileName() + "." + second);
        while (Files.exists(next)) {
            next = path.resolveSibling(path.getFileName() + "." + ++second);
        }
        Files.move(path, next);
    }

    private void tellDropped() {
        long now = nanos.getAsLong();
        long count = dropped.sum();
        if (count == toldDropped || now - tellNanos < 0) {
            return;
        }
        tellNanos = now + TELL_NANOS;
        long more = count - toldDropped;
        toldDropped = count;
        LOG.log(
                Level.WARNING,
                "the access log " + name + " has lost " + more + " lines" + lastError);
    }

    /// At most once a second: is the open file still the one that the name means?
    private void checkFile() {
        long now = nanos.getAsLong();
        if (now - checkNanos < 0) {
            return;
        }
        checkNanos = now + CHECK_NANOS;
        if (!currentPath().equals(path) || !isSameFile()) {
            closeFile();
        }
    }

    private boolean isSameFile() {
        try {
            Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
            return key == null ? Files.exists(path) : key.equals(fileKey);
        } catch (IOException e) {
            return false;
        }
    }

    private Path currentPath() {
        return Path.of(
                pattern == null
                        ? name
                        : pattern.format(
                                ZonedDateTime.ofInstant(Instant.now(), ZoneId.systemDefault())));
    }

    private FileChannel open() throws IOException {
        path = currentPath();
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        FileChannel opened =
                FileChannel.open(
                        path,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.APPEND);
        fileKey = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        file = opened;
        return opened;
    }

    private void closeFile() {
        FileChannel open = file;
        file = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                lastError = ": " + e;
            }
        }
    }
}
