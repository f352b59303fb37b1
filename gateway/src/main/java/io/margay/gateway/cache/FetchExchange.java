package io.margay.gateway.cache;

import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.protocol.caching.CacheControl;
import io.margay.protocol.caching.CacheStatus;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.server.exchange.DelegatingExchange;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A request that goes on to what is behind the cache, and whose response is kept if it may be.
/// Owned as the client's exchange is.
///
/// ```
/// head of the response --> NEW ------ content ------> end: kept
///                     \--> HELD ----- dropped ------> end: the stored response is sent
///                     \--> PASSED --- content ------> end
/// ```
final class FetchExchange extends DelegatingExchange {
    private enum Mode {
        /// Nothing has come.
        OPEN,
        /// The response goes to the client, and is captured.
        NEW,
        /// It goes to the client, and is not kept.
        PASSED,
        /// What is stored takes its place at its end.
        HELD,
        /// What is stored has taken its place.
        REPLACED
    }

    private static final int BAD_GATEWAY = 502;

    private final HostCache host;
    private final ResponseCache cache;
    private final FetchPlan plan;
    private final RequestHead head;
    private final long askedSecond;
    private Mode mode = Mode.OPEN;
    private @Nullable Captured captured;
    private @Nullable StoredResponse made;
    private @Nullable StoredResponse instead;
    private String told = "";

    /// The content of what is stored, open: it may be deleted before it is sent.
    private final AtomicReference<@Nullable FileChannel> held = new AtomicReference<>();

    FetchExchange(DialingExchange real, HostCache host, ResponseCache cache, FetchPlan plan) {
        super(real);
        this.host = host;
        this.cache = cache;
        this.plan = plan;
        askedSecond = cache.nowSecond();
        head = plan.head(real.request());
        StoredResponse stored = plan.stored();
        boolean inMemory = stored == null || stored.content().bytes() != null;
        held.set(stored == null || inMemory ? null : stored.content().open());
        real.onEnd(this::over);
    }

    private void over() {
        plan.end();
        Captured begun = captured;
        if (begun != null) {
            begun.drop();
        }
        FileChannel unused = held.getAndSet(null);
        if (unused != null) {
            try {
                unused.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public RequestHead request() {
        return head;
    }

    // The head of the response

    /// Decides what becomes of the response, before anything of it is sent.
    private void decide() {
        if (mode != Mode.OPEN || real.committed()) {
            return;
        }
        StoredResponse stored = plan.stored();
        int status = real.status();
        long now = cache.nowSecond();
        if (stored != null && plan.validates() && status == 304) {
            validated(stored);
        } else if (stored != null && mayReplace(stored, status, now)) {
            note(CacheStatus.Use.STALE);
            hold(stored, CacheStatus.hit(stored.freshness().left(now), "stale-if-error"));
        } else {
            fresh(status, now);
        }
    }

    private boolean mayReplace(StoredResponse stored, int status, long now) {
        CacheControl asked = plan.asked();
        return (cache.replaces(status, real.notes().isOwn())
                        && stored.freshness().mayReplaceError(asked, now))
                || (status == 503 && cache.givesStale(stored));
    }

    private void note(CacheStatus.Use use) {
        real.notes().put(HostExchangeRules.CACHE_USE, use);
    }

    private void validated(StoredResponse stored) {
        note(CacheStatus.Use.REVALIDATED);
        StoredResponse news = cache.validated(plan, stored, real, askedSecond);
        hold(news, CacheStatus.forwarded(CacheStatus.Forward.STALE, 304, false, false));
    }

    private void hold(StoredResponse stored, String say) {
        instead = stored;
        told = say;
        mode = Mode.HELD;
        plan.end();
    }

    private void fresh(int status, long now) {
        FieldList unchanged = StoredResponse.kept(real.fields(), now);
        long length = length(real.fields());
        boolean mayBe = plan.stores() && real.notes().head(real);
        StoredResponse kept =
                mayBe && length <= cache.responseBytesMax()
                        ? cache.storable(plan, real, unchanged, askedSecond)
                        : null;
        if (plan.why() == CacheStatus.Forward.METHOD) {
            host.invalidate(plan.target().key(), real);
        }
        mode = kept == null ? Mode.PASSED : Mode.NEW;
        if (kept == null) {
            cache.notStored(plan, status);
            plan.end();
        } else {
            made = kept;
            captured = cache.capture();
        }
        real.fields()
                .add(
                        CacheStatus.FIELD,
                        CacheStatus.forwarded(plan.why(), 0, kept != null, plan.hasWaited()));
    }

    private static long length(FieldList fields) {
        String length = fields.get("Content-Length");
        if (length == null) {
            return 0;
        }
        long value = 0;
        for (int i = 0; i < length.length() && value < Integer.MAX_VALUE; i++) {
            value = value * 10 + Math.max(0, length.charAt(i) - '0');
        }
        return value;
    }

    /// @return whether the response goes to the client
    private boolean passes() {
        decide();
        return mode == Mode.NEW || mode == Mode.PASSED || mode == Mode.OPEN;
    }

    private boolean isHeld() {
        return mode == Mode.HELD || mode == Mode.REPLACED;
    }

    // Its content

    private void capture(byte[] source, int offset, int length) {
        Captured content = captured;
        if (mode == Mode.NEW && content != null) {
            content.add(source, offset, length);
            if (content.isLost()) {
                lose();
            }
        }
    }

    /// The response is not kept after all.
    private void lose() {
        mode = Mode.PASSED;
        cache.notStored(plan, real.status());
        plan.end();
    }

    @Override
    public boolean committed() {
        return isHeld() || real.committed();
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        if (passes()) {
            capture(source, offset, length);
            real.write(source, offset, length);
        }
    }

    @Override
    public void offer(byte[] source, int offset, int length) throws IOException {
        if (passes()) {
            capture(source, offset, length);
            real.offer(source, offset, length);
        }
    }

    @Override
    public boolean writable() {
        return isHeld() || real.writable();
    }

    @Override
    public void onWritable(Runnable task) {
        if (isHeld()) {
            real.execute(task);
        } else {
            real.onWritable(task);
        }
    }

    @Override
    public void flush() throws IOException {
        if (passes()) {
            real.flush();
        }
    }

    @Override
    public void push() throws IOException {
        if (!isHeld()) {
            real.push();
        }
    }

    @Override
    public void sendFile(FileChannel file, long position, long count) throws IOException {
        if (passes()) {
            loseFile();
            real.sendFile(file, position, count);
        } else {
            file.close();
        }
    }

    @Override
    public void endFile(FileChannel file, long position, long count) throws IOException {
        if (passes()) {
            loseFile();
            real.endFile(file, position, count);
        } else {
            file.close();
            replace();
        }
    }

    /// Files are not kept: they are where they are.
    private void loseFile() {
        if (mode == Mode.NEW) {
            lose();
        }
    }

    // Its end

    @Override
    public void end(byte[] source, int offset, int length) throws IOException {
        if (ends(source, offset, length)) {
            real.end(source, offset, length);
        }
    }

    @Override
    public void endConstant(byte[] source, int offset, int length) throws IOException {
        if (ends(source, offset, length)) {
            real.endConstant(source, offset, length);
        }
    }

    @Override
    public void end() throws IOException {
        if (ends(new byte[0], 0, 0)) {
            real.end();
        }
    }

    /// Keeps what is whole now, before the client can ask for it again.
    private boolean ends(byte[] source, int offset, int length) throws IOException {
        if (!passes()) {
            replace();
            return false;
        }
        capture(source, offset, length);
        Captured content = captured;
        StoredResponse kept = made;
        if (mode == Mode.NEW && content != null && kept != null) {
            byte[] all = content.whole(); // null when it was aborted meanwhile
            if (all != null) {
                cache.keep(plan, kept, all, real.fields());
            }
            content.drop();
            mode = Mode.PASSED;
            plan.end();
        }
        return true;
    }

    /// The file that has been open since the request began, if the response is still in it.
    @SuppressWarnings("ReferenceEquality") // a file is what it is, not alike
    private @Nullable FileChannel opened(StoredResponse response) throws IOException {
        FileChannel opened = held.getAndSet(null);
        StoredResponse planned = plan.stored();
        if (opened != null
                && (planned == null || planned.content().file() != response.content().file())) {
            opened.close();
            return null;
        }
        return opened;
    }

    private void replace() throws IOException {
        StoredResponse stored = instead;
        if (mode == Mode.HELD && stored != null) {
            mode = Mode.REPLACED;
            real.notes().page();
            Fields asked = real.request().fields();
            FileChannel opened = opened(stored);
            if (!CachedAnswer.open(real, asked, stored, told, cache.nowSecond(), opened)) {
                StatusResponse.plain(real, BAD_GATEWAY); // its file is away
            }
        }
    }

    @Override
    public void abort() {
        if (mode == Mode.HELD) {
            try {
                replace();
            } catch (IOException e) {
                real.abort();
            }
        } else if (mode != Mode.REPLACED) {
            real.abort();
        }
    }

    @Override
    public void upgrade() throws IOException {
        mode = Mode.PASSED;
        plan.end();
        real.upgrade();
    }
}
