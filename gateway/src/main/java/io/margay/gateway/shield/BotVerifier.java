package io.margay.gateway.shield;

import io.margay.gateway.discovery.NameAnswer;
import io.margay.gateway.discovery.NameService;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds out whether clients are the bots that they claim to be: the name of their address must be
/// in a domain of the bot, and have that address itself. Thread-safe: guarded by the lock of this
/// object, which is not held while a name service is asked. That is done by a few virtual threads,
/// which end when there is nothing to look up.
final class BotVerifier {
    /// What is known of an address.
    enum Verdict {
        VERIFIED,
        IMPOSTOR,

        /// It is being looked up.
        PENDING,

        /// It cannot be looked up now.
        UNKNOWN
    }

    private record Claim(InetAddress address, KnownBot bot) {}

    private record Known(Verdict verdict, long untilNanos) {}

    private final ShieldLimits limits;
    private final Supplier<NameService> names;
    private final LongSupplier nanos;
    private final Map<Claim, Known> verified;
    private final Map<Claim, Known> others;
    private final ArrayDeque<Claim> queue = new ArrayDeque<>();
    private final LongAdder lookups = new LongAdder();
    private int lookers;

    /// @param names opens a name service, for one thread
    BotVerifier(ShieldLimits limits, Supplier<NameService> names, LongSupplier nanos) {
        this.limits = limits;
        this.names = names;
        this.nanos = nanos;
        this.verified = new Remembered(limits.addressesMax());
        this.others = new Remembered(limits.addressesMax());
    }

    /// Forgets who was not asked for longest.
    private static final class Remembered extends LinkedHashMap<Claim, Known> {
        private static final long serialVersionUID = 1L;
        private final int max;

        Remembered(int max) {
            super(16, 0.75f, true);
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Claim, Known> eldest) {
            return size() > max;
        }
    }

    /// How many addresses have been looked up.
    long lookups() {
        return lookups.sum();
    }

    /// Whether an address is a bot's; never waits.
    synchronized Verdict of(InetAddress address, KnownBot bot) {
        Claim claim = new Claim(address, bot);
        long now = nanos.getAsLong();
        Known known = verified.get(claim);
        if (known == null) {
            known = others.get(claim);
        }
        if (known != null && (known.verdict == Verdict.PENDING || known.untilNanos - now > 0)) {
            return known.verdict;
        }
        if (queue.size() >= limits.lookupsMax()) {
            return known == null ? Verdict.UNKNOWN : known.verdict;
        }
        verified.remove(claim);
        others.put(claim, new Known(Verdict.PENDING, now));
        queue.add(claim);
        if (lookers < limits.lookersMax()) {
            lookers++;
            Thread.ofVirtual().name("margay-bot-lookup").start(this::lookUp);
        }
        return Verdict.PENDING;
    }

    private void lookUp() {
        NameService service = null;
        Claim claim = next();
        while (claim != null) {
            Known found;
            try {
                service = service == null ? names.get() : service;
                found = find(claim, service);
            } catch (RuntimeException | ServiceConfigurationError e) {
                System.getLogger(BotVerifier.class.getName())
                        .log(System.Logger.Level.WARNING, "an address cannot be looked up", e);
                found = known(Verdict.UNKNOWN, limits.failed());
            }
            lookups.increment();
            remember(claim, found);
            claim = next();
        }
    }

    private synchronized @Nullable Claim next() {
        Claim next = queue.poll();
        if (next == null) {
            lookers--;
        }
        return next;
    }

    private synchronized void remember(Claim claim, Known found) {
        others.remove(claim);
        (found.verdict == Verdict.VERIFIED ? verified : others).put(claim, found);
    }

    private Known known(Verdict verdict, Duration hold) {
        return new Known(verdict, nanos.getAsLong() + hold.toNanos());
    }

    private Known find(Claim claim, NameService service) {
        return switch (service.names(claim.address)) {
            case NameAnswer.Failed _ -> known(Verdict.UNKNOWN, limits.failed());
            case NameAnswer.Absent _ -> known(Verdict.IMPOSTOR, limits.refuted());
            case NameAnswer.Entries(List<NameAnswer.Entry> entries, Duration _) -> {
                boolean failed = false;
                for (NameAnswer.Entry name :
                        entries.subList(0, Math.min(entries.size(), limits.namesMax()))) {
                    if (!claim.bot.owns(name.host())) {
                        continue;
                    }
                    Verdict forward = forward(claim.address, name.host(), service);
                    if (forward == Verdict.VERIFIED) {
                        yield known(Verdict.VERIFIED, limits.verified());
                    }
                    failed |= forward == Verdict.UNKNOWN;
                }
                yield failed
                        ? known(Verdict.UNKNOWN, limits.failed())
                        : known(Verdict.IMPOSTOR, limits.refuted());
            }
        };
    }

    /// Whether a name has an address: only its owner can say so.
    private static Verdict forward(InetAddress address, String name, NameService service) {
        return switch (service.addresses(name, address instanceof Inet6Address)) {
            case NameAnswer.Failed _ -> Verdict.UNKNOWN;
            case NameAnswer.Absent _ -> Verdict.IMPOSTOR;
            case NameAnswer.Entries(List<NameAnswer.Entry> entries, Duration _) ->
                    entries.stream()
                                    .anyMatch(one ->
                                            InetAddress.ofLiteral(one.host()).equals(address))
                            ? Verdict.VERIFIED
                            : Verdict.IMPOSTOR;
        };
    }
}
