package io.margay.app.site;

import io.margay.app.deploy.RunningApp;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.host.Passage;
import io.margay.server.host.Stage;
import io.margay.server.host.StatusResponse;
import io.margay.server.timing.RequestPhase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/// One request on its way through the stages of its host: each is entered once, and one that waits
/// is resumed where it was. Confined to the loop thread of the connection, but for its end.
///
/// ```
/// enter --> PASSES --> enter the next one ... the last one --> handed over
///   ^  \--> ANSWERED: over
///   |   \-> WAITS ---- resume --+
///   +---------------------------+
/// ```
///
/// It belongs to the site in which it began, also when that is replaced while it waits: what it has
/// passed and what is still to come are of one configuration. The site is not closed before.
final class HostPassage implements Passage {
    private enum State {
        /// A stage looks at it.
        ENTERED,
        /// A stage will resume it.
        WAITS,
        /// It has been answered or handed over.
        OVER
    }

    private static final int UNAVAILABLE = 503;

    private static final AtomicIntegerFieldUpdater<HostPassage> LEFT =
            AtomicIntegerFieldUpdater.newUpdater(HostPassage.class, "left");

    private final Site site;
    private final Exchange exchange;
    private ServedHost host;
    private int at;
    private State state = State.ENTERED;

    /// Number of the stage that was entered last, or resumed.
    private int visit;

    /// What is left of a stage that was resumed before it had returned.
    private @Nullable Stage rest;

    private @Nullable Handler handler;
    private Exchange answered;

    /// Whether the target of the request is another one since the stage was entered.
    private boolean retargeted;

    /// The stages that have rewritten the request, by their bits.
    private int rewritten;

    /// Since when it waits, as [System#nanoTime] has it.
    private long waitsSince;

    /// Whether the end of the exchange will be seen.
    private boolean watched;

    /// 1 once the site is not needed any more.
    @SuppressWarnings("UnusedVariable") // written by its updater alone
    private volatile int left;

    /// @param site which has counted it among its [passages][Site#passages]
    HostPassage(Site site, ServedHost host, Exchange exchange) {
        this.site = site;
        this.host = host;
        this.exchange = exchange;
        answered = exchange;
    }

    /// Begins. On the loop thread.
    void begin() throws IOException {
        goOn(null);
    }

    /// Goes through the stages until the request has been answered or handed over, or waits.
    ///
    /// @param from what is left of the stage at which the request is; null = it has not been
    ///   entered
    private void goOn(@Nullable Stage from) throws IOException {
        Stage stage = from;
        try {
            while (true) {
                state = State.ENTERED;
                stage = stage != null ? stage : next();
                if (stage == null) {
                    handOver();
                    return;
                }
                visit++;
                Stage.Outcome outcome = stage.enter(exchange, this);
                stage = rest;
                rest = null;
                if (outcome == Stage.Outcome.WAITS) {
                    if (stage == null) {
                        waits();
                        return;
                    }
                } else if (stage != null) {
                    throw new IllegalStateException("a stage was resumed that does not wait");
                } else if (outcome == Stage.Outcome.ANSWERED) {
                    host.traffic().refused(exchange);
                    over();
                    return;
                } else {
                    passed();
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            if (state != State.OVER) {
                host.traffic().refused(exchange);
            }
            over();
            throw e;
        }
    }

    /// The stage to enter; null when all have let the request pass.
    @SuppressWarnings("EnumOrdinal") // for a bit
    private @Nullable Stage next() {
        while (at < host.stages().length) {
            HostStage kind = host.kinds()[at];
            int bit = kind.rewrites() ? 1 << kind.ordinal() : 0;
            if ((rewritten & bit) == 0) {
                rewritten |= bit;
                return host.stages()[at];
            }
            at++;
        }
        return null;
    }

    private void passed() {
        at++;
        if (!retargeted) {
            return;
        }
        retargeted = false;
        if (site.host(exchange) instanceof ServedHost now && now.equals(host)) {
            host.readPath(exchange);
            if (at > host.access()) {
                handler = null;
                at = host.access();
            }
        } else {
            moved(site.host(exchange));
        }
    }

    /// The request is for another host now, whose stages it has not seen.
    private void moved(Handler to) {
        answered = exchange;
        if (to instanceof ServedHost other) {
            host = other;
            handler = null;
            at = 0;
        } else {
            handler = to;
            at = host.stages().length;
        }
    }

    private void waits() {
        state = State.WAITS;
        waitsSince = System.nanoTime();
        exchange.phases().begin(RequestPhase.HELD);
        if (!watched) {
            watched = true;
            host.traffic().held(exchange);
            exchange.onEnd(this::leave);
        }
    }

    private void over() {
        state = State.OVER;
        leave();
    }

    /// The site need not be kept for it any more. On any thread.
    private void leave() {
        if (LEFT.compareAndSet(this, 0, 1)) {
            site.passages().end();
        }
    }

    private void handOver() throws IOException {
        Handler to = Objects.requireNonNull(handler, "no stage has chosen what answers");
        if (site.isRetired()) {
            host.traffic().refused(exchange);
            over();
            StatusResponse.plain(exchange, UNAVAILABLE);
            return;
        }
        Handler direct = to;
        if (to instanceof RunningApp app) {
            app.begin();
            direct = app.handler();
        }
        over();
        host.traffic().routed(exchange, to);
        direct.handle(answered);
    }

    @Override
    public int visit() {
        return visit;
    }

    @Override
    public void resume(int waiting, Stage left) {
        if (waiting != visit || rest != null || state == State.OVER) {
            throw new IllegalStateException("the request does not wait there any more");
        }
        if (state == State.ENTERED) {
            rest = left;
        } else if (exchange.failure() == null) {
            exchange.phases().add(RequestPhase.HELD, System.nanoTime() - waitsSince);
            try {
                goOn(left);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public @Nullable Handler handler() {
        return handler;
    }

    @Override
    public void answerBy(Handler by) {
        handler = by;
    }

    @Override
    public void retargeted() {
        retargeted = true;
    }

    @Override
    public Exchange answered() {
        return answered;
    }

    @Override
    public void wrap(Exchange around) {
        answered = around;
    }
}
