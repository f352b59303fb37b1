package io.margay.app.logging;

import io.margay.compat.tomcat.server.LogPlan.FilePlan;
import io.margay.compat.tomcat.server.LogPlan.Lines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.XMLFormatter;
import org.jspecify.annotations.Nullable;

/// A handler that appends to a file, or to one for each day, named as Tomcat names them, and
/// deletes those of long ago. The file is there from its first record on. Each record is written at
/// once, so that nothing is lost when the process ends, and the file may be truncated by others.
/// Thread-safe.
final class DailyFile extends Handler {
    private static final System.Logger LOG = System.getLogger(DailyFile.class.getName());

    private final FilePlan plan;
    private final Handler otherwise;
    private final ZoneId zone = ZoneId.systemDefault();
    private final ReentrantLock lock = new ReentrantLock();
    private LocalDate day = LocalDate.MIN;
    private @Nullable OutputStream out;
    private boolean failing;

    /// @param otherwise takes the records while the file cannot be written
    DailyFile(FilePlan plan, Handler otherwise) {
        this.plan = plan;
        this.otherwise = otherwise;
        setFormatter(formatter(plan.lines(), zone));
        setLevel(Level.parse(plan.level()));
    }

    static Formatter formatter(Lines lines, ZoneId zone) {
        return switch (lines) {
            case Lines.One one -> new TomcatLine(one.time().withZone(zone));
            case Lines.Verbatim() -> new TomcatLine(null);
            case Lines.Simple() -> new EscapedLine();
            case Lines.Xml() -> new XMLFormatter();
        };
    }

    @Override
    public void publish(@Nullable LogRecord record) {
        if (record == null || !isLoggable(record)) {
            return;
        }
        byte[] line = getFormatter().format(record).getBytes(plan.charset());
        lock.lock();
        try {
            file(record.getInstant()).write(line);
            failing = false;
        } catch (IOException e) {
            failed(record, e);
        } finally {
            lock.unlock();
        }
    }

    /// The file of the day; a record that comes late goes to that of today.
    private OutputStream file(Instant time) throws IOException {
        LocalDate today = time.atZone(zone).toLocalDate();
        OutputStream open = out;
        if (open != null && !(plan.daily() && today.isAfter(day))) {
            return open;
        }
        close();
        Files.createDirectories(plan.folder());
        Path path =
                plan.folder().resolve(plan.prefix() + (plan.daily() ? today : "") + plan.suffix());
        boolean fresh = !Files.exists(path);
        open = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        out = open;
        day = today;
        if (fresh) {
            open.write(getFormatter().getHead(this).getBytes(plan.charset()));
        }
        if (plan.daily() && plan.daysMax() >= 0) {
            removeOlder(today.minusDays(plan.daysMax()));
        }
        return open;
    }

    private void removeOlder(LocalDate first) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(plan.folder())) {
            for (Path file : files) {
                LocalDate of = dayOf(String.valueOf(file.getFileName()));
                if (of != null && of.isBefore(first)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "old files stay in " + plan.folder(), e);
        }
    }

    /// Which day a file is of; null = it is none of these.
    private @Nullable LocalDate dayOf(String name) {
        int length = name.length() - plan.prefix().length() - plan.suffix().length();
        if (length <= 0 || !name.startsWith(plan.prefix()) || !name.endsWith(plan.suffix())) {
            return null;
        }
        try {
            return LocalDate.parse(
                    name.substring(plan.prefix().length(), plan.prefix().length() + length));
        } catch (DateTimeException e) {
            return null;
        }
    }

    /// Says once that the file cannot be written.
    private void failed(LogRecord record, IOException failure) {
        close();
        if (!failing) {
            failing = true;
            LogRecord said =
                    new LogRecord(
                            Level.WARNING,
                            plan.folder().resolve(plan.prefix() + "*" + plan.suffix())
                                    + " cannot be written, its records follow here: "
                                    + failure);
            said.setLoggerName(DailyFile.class.getName());
            otherwise.publish(said);
        }
        otherwise.publish(record);
    }

    @Override
    public void flush() {
        // Nothing is held back.
    }

    /// A record that comes later opens the file again.
    @Override
    public void close() {
        lock.lock();
        try {
            OutputStream open = out;
            out = null;
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "a log file could not be closed", e);
        } finally {
            lock.unlock();
        }
    }
}
