package io.margay.gateway.shield;

import io.margay.gateway.limit.BucketTable;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.RequestKeys;
import io.margay.protocol.http.CanonicalPath;
import io.margay.server.exchange.Exchange;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/// The robots.txt of a host: it is sent to crawlers, and it is known who has fetched it. A changed
/// file is read again by a virtual thread; no request waits for it. Thread-safe.
final class Robots {
    private static final System.Logger LOG = System.getLogger(Robots.class.getName());

    private static final String PATH = "/robots.txt";

    /// What crawlers have to read at least (RFC 9309 §2.5).
    private static final int BYTES_MAX = 512_000;

    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// A crawler that has fetched the file is told for so long.
    private static final long TOLD_NANOS = TimeUnit.DAYS.toNanos(1);

    /// Crawlers that are told; of eight, the one that was told first is forgotten.
    private static final int TOLD_MAX = 4_096;

    private final Path file;
    private final LongSupplier nanos;
    private final RequestKeys addresses;
    private final RequestKeys agents;
    private final BucketTable told = new BucketTable(TOLD_NANOS, 1, TOLD_MAX);
    private final AtomicBoolean looks = new AtomicBoolean();
    private volatile Known known;
    private volatile long lookedNanos;

    /// Why the file could not be read last; written by the thread that reads it.
    private volatile String fault = "";

    /// The file as it was read. Immutable: nobody changes its bytes.
    private static final class Known {
        private final byte[] content;
        private final RobotsRules rules;

        /// By which another state is known.
        private final String stamp;

        private Known(byte[] content, RobotsRules rules, String stamp) {
            this.content = content;
            this.rules = rules;
            this.stamp = stamp;
        }
    }

    /// Reads the file.
    ///
    /// @throws IllegalArgumentException when it cannot be used
    Robots(Path file, LongSupplier nanos, RandomGenerator random) {
        this.file = file;
        this.nanos = nanos;
        addresses = new RequestKeys(new LimitKey.Address(), random);
        agents = new RequestKeys(new LimitKey.Header("User-Agent"), random);
        lookedNanos = nanos.getAsLong();
        try {
            known = read();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read", e);
        }
    }

    /// Whether a request is for it: every crawler may read what it may not do.
    static boolean isFor(Exchange exchange) {
        String method = exchange.request().method();
        return exchange.request().target().rawPath().equals(PATH)
                && (method.equals("GET") || method.equals("HEAD"));
    }

    private Known read() throws IOException {
        String stamp = stamp();
        if (Files.size(file) > BYTES_MAX) {
            throw new IllegalArgumentException(file + " has more than " + BYTES_MAX + " bytes");
        }
        byte[] content = Files.readAllBytes(file);
        String text = new String(content, StandardCharsets.UTF_8);
        try {
            return new Known(content, RobotsRules.of(text), stamp);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private String stamp() throws IOException {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return now.lastModifiedTime() + " " + now.size() + " " + now.fileKey();
    }

    /// Has the file looked at, once a second at most.
    private void look() {
        long now = nanos.getAsLong();
        if (now - lookedNanos > LOOK_NANOS && looks.compareAndSet(false, true)) {
            lookedNanos = now;
            Thread.ofVirtual().name("margay-robots").start(this::readAgain);
        }
    }

    private void readAgain() {
        try {
            if (!stamp().equals(known.stamp)) {
                known = read();
            }
            fault = "";
        } catch (IOException | IllegalArgumentException e) {
            String why = e.toString();
            if (!why.equals(fault)) {
                LOG.log(Level.WARNING, "the robots.txt read before still applies: {0}", why);
            }
            fault = why;
        } finally {
            looks.set(false);
        }
    }

    /// Answers a request for the file, and notes who has it now.
    void answer(Exchange exchange) throws IOException {
        look();
        long _ = told.take(client(exchange), nanos.getAsLong(), 0);
        byte[] content = known.content;
        exchange.status(200);
        exchange.fields().set("Content-Type", "text/plain; charset=utf-8");
        exchange.fields().set("Cache-Control", "max-age=3600");
        if (exchange.request().isHead()) {
            exchange.fields().set("Content-Length", Integer.toString(content.length));
            exchange.end();
        } else {
            exchange.end(content, 0, content.length);
        }
    }

    /// An address with what the client calls itself: behind one address there may be many.
    private long client(Exchange exchange) {
        return addresses.of(exchange) ^ Long.rotateLeft(agents.of(exchange), 1);
    }

    /// Whether a crawler asks for what the file forbids it.
    ///
    /// @param isBrowser whether it looks like one: a person may read the file
    boolean forbids(Exchange exchange, boolean isBrowser) {
        look();
        String target = target(exchange);
        boolean isTold = !isBrowser && told.untilFull(client(exchange), nanos.getAsLong()) > 0;
        return known.rules.forbids(exchange.request().field("User-Agent"), target, isTold);
    }

    /// The decoded path, with the query; as received where the host may read it otherwise.
    private static String target(Exchange exchange) {
        CanonicalPath path = CanonicalPath.of(exchange.request().target().rawPath());
        String query = exchange.request().target().rawQuery();
        return (path.error() != null ? path.raw() : path.path())
                + (query == null ? "" : "?" + query);
    }
}
