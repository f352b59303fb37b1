package io.margay.gateway.balance;

import io.margay.gateway.config.OutlierConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Leaves out members that answer worse than the others: of which more answers fail, or which take
/// longer (by the mean of the logarithm, which single slow answers do not move). Each is compared
/// with the lower median of the others, so that what all of them have, such as a database that is
/// away, is nobody's fault; and a difference counts that is three times its standard error, so that
/// chance is nobody's fault either. What Envoy calls outlier detection.
///
/// A member that fails gets no requests at all while it is out; one that is slow keeps those of its
/// sessions. Then it begins with few. Guarded by the upstream's lock, but for [Ejection.Seen#count]
/// and [#isDue].
final class Outliers {
    /// Standard errors from which on a difference is not chance.
    private static final double CHANCE_MAX = 3;

    private static final int DOUBLINGS_MAX = 20;

    private final OutlierConfig config;
    private volatile long judgedNanos;

    /// Whether those that are out are given requests, for one choice.
    private volatile boolean ignored;

    /// When the next one comes back, while any is out.
    private long returnNanos;

    private volatile int out;

    Outliers(OutlierConfig config, long now) {
        this.config = config;
        judgedNanos = now;
    }

    /// What a member has answered.
    private record Figures(
            Peer peer, Ejection.Seen of, long good, long failed, double log, double spread) {
        private static Figures of(Peer peer, Ejection.Seen seen) {
            long good = seen.good.sum();
            double log = good == 0 ? 0 : seen.logs.sum() / Ejection.LOG_UNIT / good;
            double squares =
                    good == 0
                            ? 0
                            : seen.logSquares.sum() / Ejection.LOG_UNIT / Ejection.LOG_UNIT / good;
            double spread = Math.max(0, squares - log * log);
            return new Figures(peer, seen, good, seen.failed.sum(), log, spread);
        }

        private long answers() {
            return good + failed;
        }

        private double failing() {
            return (double) failed / answers();
        }
    }

    /// A member that is worse than the others.
    ///
    /// @param by how much, in standard errors
    private record Worse(Figures figures, Ejection.Cause cause, double by, String why) {}

    /// Whether a member is out for requests of no session, or also for those of its own.
    boolean isOut(Peer peer, boolean ofSession) {
        Ejection.Seen seen = peer.outlier;
        Ejection.Cause cause = seen == null || ignored ? null : seen.cause;
        return cause != null && (cause == Ejection.Cause.ERRORS || !ofSession);
    }

    /// Whether any member is out.
    boolean hasAny() {
        return out > 0;
    }

    /// Has those that are out be given requests, or not any more.
    void ignore(boolean now) {
        ignored = now;
    }

    /// Whether members are to be judged. Called without the lock.
    boolean isDue(long now) {
        return now - judgedNanos >= config.every().toNanos();
    }

    /// Takes back who was out long enough.
    ///
    /// @return those
    List<Peer> takeBack(List<Peer> peers, long now) {
        if (out == 0 || now - returnNanos < 0) {
            return List.of();
        }
        List<Peer> back = new ArrayList<>();
        for (Peer peer : peers) {
            Ejection.Seen seen = peer.outlier;
            if (seen != null && seen.cause != null && now - seen.untilNanos >= 0) {
                seen.cause = null;
                seen.judged = false;
                seen.forget();
                peer.ramp();
                back.add(peer);
            }
        }
        recount(peers);
        return back;
    }

    private void recount(List<Peer> peers) {
        int counted = 0;
        for (Peer peer : peers) {
            Ejection.Seen seen = peer.outlier;
            if (seen != null && seen.cause != null) {
                returnNanos =
                        counted == 0 || seen.untilNanos - returnNanos < 0
                                ? seen.untilNanos
                                : returnNanos;
                counted++;
            }
        }
        out = counted;
    }

    /// Judges members by what they have answered since they were judged last, and leaves out the
    /// worst. Where too few have enough answers to be compared, they go on counting.
    ///
    /// @return what was done, for the log
    List<String> judge(List<Peer> peers, long now) {
        judgedNanos = now;
        recount(peers); // some may have left
        List<Figures> all = new ArrayList<>();
        for (Peer peer : peers) {
            Ejection.Seen seen = peer.outlier;
            if (seen != null && seen.cause == null) {
                Figures figures = Figures.of(peer, seen);
                seen.judged = figures.answers() >= config.answers();
                if (seen.judged) {
                    all.add(figures);
                }
            }
        }
        if (all.size() < 2) {
            return List.of();
        }
        List<Worse> worse = new ArrayList<>();
        for (Figures one : all) {
            Worse found = worse(one, all);
            if (found != null) {
                worse.add(found);
            } else if (one.of.times > 0) {
                one.of.times--;
            }
        }
        for (Figures one : all) {
            one.of.forget();
        }
        worse.sort(Comparator.comparingDouble(Worse::by).reversed());
        List<String> done = new ArrayList<>();
        for (Worse each : worse) {
            if (mayLeave(peers, each.figures.peer)) {
                done.add(eject(each, now));
                recount(peers);
            }
        }
        return done;
    }

    private @Nullable Worse worse(Figures one, List<Figures> all) {
        double[] failing = new double[all.size() - 1];
        double[] logs = new double[all.size() - 1];
        int count = 0;
        for (Figures other : all) {
            if (!other.equals(one)) {
                failing[count] = other.failing();
                logs[count] = other.good > 0 ? other.log : Double.MAX_VALUE;
                count++;
            }
        }
        Arrays.sort(failing);
        Arrays.sort(logs);
        double usual = failing[(count - 1) / 2];
        double more = one.failing() - usual;
        if (config.errors() > 0 && more * 100 >= config.errors()) {
            double both = (one.failing() + usual) / 2;
            double by = more / Math.sqrt(2 * both * (1 - both) / one.answers());
            if (by >= CHANCE_MAX) {
                return new Worse(
                        one,
                        Ejection.Cause.ERRORS,
                        by,
                        percent(one.failing())
                                + " of its answers fail, the others' "
                                + percent(usual));
            }
        }
        double slower = Math.exp(one.log - logs[(count - 1) / 2]);
        if (config.slower() > 0 && one.good >= config.answers() && slower >= config.slower()) {
            double by = Math.log(slower) / Math.sqrt(2 * one.spread / one.good);
            if (by >= CHANCE_MAX) {
                String times = String.format(Locale.ROOT, "%.1f", slower);
                return new Worse(
                        one,
                        Ejection.Cause.SLOW,
                        by,
                        "it takes " + times + " times the others' time");
            }
        }
        return null;
    }

    private static String percent(double part) {
        return Math.round(part * 100) + " %";
    }

    /// Whether one more may be out, and others are left that take requests.
    private boolean mayLeave(List<Peer> peers, Peer leaves) {
        if (out + 1 > Math.max(1, (int) (peers.size() * config.outShare() / 100))) {
            return false;
        }
        for (Peer other : peers) {
            if (!other.equals(leaves) && Balancing.takesAll(other, Selection.FIRST)) {
                return true;
            }
        }
        return false;
    }

    private String eject(Worse worse, long now) {
        Ejection.Seen seen = worse.figures.of;
        long first = config.out().toNanos();
        long most = config.outMax().toNanos();
        int doublings = Math.min(seen.times, DOUBLINGS_MAX);
        long time = first > most >> doublings ? most : first << doublings;
        seen.times++;
        out(seen, worse.cause, now + time, false);
        return worse.figures.peer.config().name()
                + " is ejected for "
                + time / 1_000_000_000L
                + " s: "
                + worse.why;
    }

    private static void out(
            Ejection.Seen seen, Ejection.Cause cause, long untilNanos, boolean ofOthers) {
        seen.ejections.increment();
        seen.ofOthers = ofOthers;
        seen.untilNanos = untilNanos;
        seen.cause = cause;
    }

    /// Leaves a member out as others do, if it has not answered enough here to be judged.
    ///
    /// @return what was done, for the log; null = nothing
    @Nullable String adopt(List<Peer> peers, Peer peer, Ejection as, long now) {
        Ejection.Seen seen = peer.outlier;
        Ejection.Cause cause = as.cause();
        long lasts = Math.min(as.millisLeft() * Ejection.MILLI, config.outMax().toNanos());
        if (seen == null
                || cause == null
                || seen.cause != null
                || lasts <= 0
                || seen.judged
                || Figures.of(peer, seen).answers() >= config.answers()
                || !mayLeave(peers, peer)) {
            return null;
        }
        out(seen, cause, now + lasts, as.ofOthers());
        recount(peers);
        String whose = as.ofOthers() ? "another gateway" : "the process before";
        return peer.config().name()
                + " is ejected for "
                + lasts / 1_000_000_000L
                + " s: at "
                + whose
                + " it "
                + cause.says();
    }
}
