package io.margay.shadow;

import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.SeenAnswer;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowLimits;
import io.margay.gateway.mirror.ShadowReading;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Compares two servers by the requests that both get. Thread-safe.
final class TrafficShadow implements Shadow {
    private static final double PERCENT = 100;
    private static final int NOT_MODIFIED = 304;

    private final CompareConfig config;
    private final RandomGenerator random;
    private final AnswerComparison comparison;
    private final SessionMap sessions;
    private final @Nullable TraceRecorder recorder;
    private final DifferenceGroups groups;
    private final Map<Reason, LongAdder> leftOut = new EnumMap<>(Reason.class);
    private final LongAdder compared = new LongAdder();
    private final LongAdder differing = new LongAdder();
    private final LongAdder repeated = new LongAdder();
    private final LongAdder slower = new LongAdder();
    private final LongAdder faster = new LongAdder();
    private final ShadowNumbers old = new ShadowNumbers();
    private final ShadowNumbers fresh = new ShadowNumbers();

    /// @param random by which the sample is drawn
    /// @param millis the time since 1970
    TrafficShadow(
            CompareConfig config,
            ShadowLimits limits,
            RandomGenerator random,
            LongSupplier millis) {
        this.config = config;
        this.random = random;
        comparison = new AnswerComparison(config, limits);
        sessions = new SessionMap(limits, random);
        groups = new DifferenceGroups(limits);
        Path file = config.record();
        recorder =
                file == null
                        ? null
                        : new TraceRecorder(file, config.recordQueries(), limits.trace(), millis);
        for (Reason reason : Reason.values()) {
            leftOut.put(reason, new LongAdder());
        }
    }

    @Override
    public @Nullable Pairing begin(RequestHead asked, Fields received, boolean credentials) {
        SessionMap.Client client = sessions.client(received);
        Reason reason = null;
        if (!credentials && received.contains("authorization")) {
            reason = Reason.CREDENTIALS;
        } else if (!client.known()) {
            reason = client.session() == null ? Reason.SESSION : Reason.PARTED;
        } else if (!Shown.withoutSessions(asked.target().rawPath())
                .equals(asked.target().rawPath())) {
            reason = Reason.SESSION_IN_PATH;
        }
        if (reason != null) {
            leftOut(reason);
            return null;
        }
        return new Pair(asked, received, client.session());
    }

    @Override
    public void leftOut(boolean busy) {
        leftOut(busy ? Reason.BUSY : Reason.COPIES);
    }

    @Override
    public void oldAlone(Fields received, FieldList answered) {
        sessions.oldAlone(received, answered);
    }

    @Override
    public boolean isRecording() {
        return recorder != null;
    }

    @Override
    public int unwritten() {
        return recorder == null ? 0 : recorder.unwritten();
    }

    @Override
    public void record(RequestHead asked, Fields received, int status) {
        if (recorder != null) {
            recorder.record(asked, received, status);
        }
    }

    private void leftOut(Reason reason) {
        LongAdder count = leftOut.get(reason);
        if (count != null) {
            count.increment();
        }
    }

    @Override
    public ShadowReading read() {
        ShadowResults results = results();
        long left = results.leftOut().values().stream().mapToLong(Long::longValue).sum();
        return new ShadowReading(
                results.compared(), results.differing(), results.groups().size(), left);
    }

    @Override
    public String text() {
        return ShadowWords.text(results());
    }

    @Override
    public String page(String title, List<Chapter> chapters) {
        return ShadowPage.of(title, chapters, results());
    }

    ShadowResults results() {
        Map<Reason, Long> left = new EnumMap<>(Reason.class);
        leftOut.forEach((reason, count) -> {
            if (count.sum() > 0) {
                left.put(reason, count.sum());
            }
        });
        List<DifferenceGroups.Group> all = groups.all();
        long beyond = groups.beyond();
        // Without those of places that turned out to differ by themselves.
        long most = beyond + all.stream().mapToLong(DifferenceGroups.Group::count).sum();
        return new ShadowResults(
                compared.sum(),
                Math.min(differing.sum(), most),
                left,
                all,
                new ShadowResults.Asides(
                        beyond,
                        groups.places(),
                        repeated.sum(),
                        recorder == null ? 0 : recorder.lost()),
                new ShadowResults.Sides(
                        ShadowResults.Times.of(old),
                        ShadowResults.Times.of(fresh),
                        slower.sum() - faster.sum()));
    }

    /// One request that both get.
    private final class Pair implements Pairing {
        private final String method;
        private DifferenceGroups.Asked request;
        private final String target;
        private final String cookies;
        private final OwnValues own;
        private final SessionMap.@Nullable Session session;
        private List<Difference> pending = List.of();
        private boolean late;

        Pair(RequestHead asked, Fields received, SessionMap.@Nullable Session session) {
            method = asked.method();
            String pattern = groups.pattern(method, asked.target().rawPath());
            request = new DifferenceGroups.Asked(pattern, pattern);
            target = Shown.target(asked.target());
            cookies = sessions.cookies(received, session);
            own = sessions.own(received, cookies);
            this.session = session;
        }

        @Override
        public String cookies() {
            return cookies;
        }

        @Override
        public void answered(SeenAnswer ofOld, SeenAnswer ofFresh) {
            if (ofOld.status() != 0 && ofFresh.status() != 0) {
                boolean alike = ofOld.status() == ofFresh.status();
                sessions.both(session, ofOld.fields(), ofFresh.fields(), alike);
            }
            old.count(ofOld);
            fresh.count(ofFresh);
            if (ShadowNumbers.isSlower(ofFresh, ofOld)) {
                slower.increment();
            } else if (ShadowNumbers.isSlower(ofOld, ofFresh)) {
                faster.increment();
            }
        }

        @Override
        public boolean compare(SeenAnswer ofOld, SeenAnswer ofFresh) {
            if (ofOld.status() == 0) {
                TrafficShadow.this.leftOut(Reason.NO_ANSWER);
                return false;
            }
            if (ofOld.status() != ofFresh.status()
                    && (ofOld.status() == NOT_MODIFIED || ofFresh.status() == NOT_MODIFIED)) {
                TrafficShadow.this.leftOut(Reason.VALIDATORS);
                return false;
            }
            if (ofOld.status() == ofFresh.status() && AnswerComparison.isError(ofOld)) {
                // Whichever path has it, it is one page of the server.
                String error = " (with status " + ofOld.status() + ")";
                request = new DifferenceGroups.Asked(request.pattern() + error, method + error);
            }
            AnswerComparison.Result result =
                    comparison.compare(
                            method, ofOld, ofFresh, own.with(ofOld.fields(), ofFresh.fields()));
            if (!result.whole()) {
                TrafficShadow.this.leftOut(Reason.CONTENT); // Its fields are compared all the same.
            }
            if (result.whole() || !result.differences().isEmpty()) {
                compared.increment();
            }
            List<Difference> found = groups.stable(request, result.differences());
            boolean sure = found.stream().allMatch(one -> groups.isSure(request, one));
            boolean now = found.stream().anyMatch(one -> groups.isAskedNow(request, one));
            if (!found.isEmpty() && sure && !now) {
                count(found, true);
                return false;
            }
            pending = found;
            return !found.isEmpty() || random.nextDouble() * PERCENT < config.sample();
        }

        /// What the old server does not say twice is not the new one's fault. It is asked a second
        /// time, after a while, about what is new: clocks of two machines differ, and go on.
        @Override
        public boolean again(SeenAnswer ofOld, SeenAnswer ofOldAgain) {
            repeated.increment();
            boolean sure = ofOldAgain.status() != 0;
            List<Difference> itself = sure ? ownDifferences(ofOld, ofOldAgain) : List.of();
            if (sure) {
                groups.repeated(request, itself);
            }
            List<String> spots = itself.stream().map(Difference::spot).toList();
            boolean whole = itself.stream().allMatch(one -> one.kind().isLearned());
            List<Difference> left =
                    pending.stream()
                            .filter(one -> whole && !spots.contains(one.spot()))
                            .filter(one -> sure || !one.kind().isBroken())
                            .toList();
            if (sure && !late && left.stream().anyMatch(this::isNew)) {
                late = true;
                pending = left;
                return true;
            }
            if (!left.isEmpty()) {
                count(left, sure);
            }
            return false;
        }

        private boolean isNew(Difference one) {
            return one.kind().isLearned() && !groups.isSure(request, one);
        }

        /// In what the old server differs from itself.
        private List<Difference> ownDifferences(SeenAnswer first, SeenAnswer second) {
            OwnValues values = own.twice(first.fields(), second.fields());
            return comparison.compare(method, first, second, values).differences();
        }

        private void count(List<Difference> found, boolean sure) {
            differing.increment();
            groups.count(request, target, found, sure);
        }
    }
}
