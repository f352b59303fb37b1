package io.margay.gateway.shield;

import io.margay.gateway.discovery.NameAnswer;
import io.margay.gateway.discovery.NameService;
import io.margay.gateway.discovery.NameServiceProvider;
import io.margay.gateway.limit.BucketTable;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.RequestKeys;
import io.margay.gateway.limit.RequestLimiters;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.compiled.RequestTest;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.forwarded.Networks;
import io.margay.server.handover.TravellingState;
import io.margay.server.host.StatusResponse;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Keeps clients out of a host that cost it too much, or are not who they claim to be, unless they
/// answer a challenge. Thread-safe; asked on loop threads, and never waits there.
public final class Shield {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /// Addresses whose answers are counted; of eight, the one that has given least is forgotten.
    private static final int ANSWERING_MAX = 4096;

    private static final System.Logger LOG = System.getLogger(Shield.class.getName());

    private static final int UNAUTHORIZED = 401;
    private static final int PAYMENT_REQUIRED = 402;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY_REQUESTS = 429;

    private final ShieldSettings settings;
    private final ExchangeNotes.Key<Account> pays = new ExchangeNotes.Key<>(Account.class);
    private final List<Bot> bots;
    private final BotVerifier verifier;
    private final Passports passports;
    private final BotNetworks lists;
    private final @Nullable Robots robots;
    private final Networks exceptNetworks;
    private final List<RequestTest> exceptPaths;
    private final Clearance clearance;
    private final Tarpit tarpit;
    private final LongSupplier nanos;
    private final LongSupplier threadNanos;
    private final RequestKeys clients;
    private final RequestKeys paths;

    /// Of passes, which share a multiple of one budget.
    private final RequestKeys networks;

    private final int networkBudgets;

    /// Who has answered challenges, and how often.
    private final RequestKeys addresses;

    private final BucketTable answers;
    private final long answerNanos;
    private final @Nullable BucketTable costs;
    private final CheapPaths cheap;
    private final double nanosPerCost;
    private final long windowNanos;
    private final Map<ShieldOutcome, LongAdder> counts = new EnumMap<>(ShieldOutcome.class);

    private record Bot(KnownBot known, BoundedRegex agent) {}

    /// What the costs of a request are counted by.
    ///
    /// @param network what all passes of the client's network share; 0 = it has no pass
    /// @param budgets how many budgets the client has
    private record Account(long client, long network, long path, int budgets) {}

    /// How time and chance are had.
    ///
    /// @param nanos as of `System.nanoTime`
    /// @param millis since 1970
    /// @param threadNanos time that the calling thread has used
    /// @param secret of which keys are made where the settings have none
    /// @param directory what fetches the keys of bots
    /// @param nonces what a group of gateways has seen; null = each remembers its own
    public record Means(
            LongSupplier nanos,
            LongSupplier millis,
            LongSupplier threadNanos,
            RandomGenerator random,
            String secret,
            KeyDirectory directory,
            @Nullable SharedNonces nonces) {
        /// Without what fetches keys of bots.
        public Means(
                LongSupplier nanos,
                LongSupplier millis,
                LongSupplier threadNanos,
                RandomGenerator random,
                String secret) {
            this(nanos, millis, threadNanos, random, secret, KeyDirectory.none(), null);
        }

        /// With nonces of bots that a group of gateways remembers.
        public Means withNonces(@Nullable SharedNonces shared) {
            return new Means(nanos, millis, threadNanos, random, secret, directory, shared);
        }

        /// Without the secret.
        @Override
        public String toString() {
            return "Means[secret=hidden]";
        }
    }

    /// Compiles.
    ///
    /// @param changes of the host, for its variables and maps
    /// @throws IllegalArgumentException for a malformed network or expression
    public Shield(ShieldSettings settings, HostChanges changes, ShieldLimits limits, Means means) {
        this(settings, changes, limits, means, () -> names(settings.bots().resolvers()));
    }

    Shield(
            ShieldSettings settings,
            HostChanges changes,
            ShieldLimits limits,
            Means means,
            Supplier<NameService> names) {
        this.settings = settings;
        this.nanos = means.nanos();
        this.threadNanos = means.threadNanos();
        bots = settings.bots().known().stream().map(bot -> new Bot(bot, bot.pattern())).toList();
        verifier = new BotVerifier(limits, names, nanos);
        exceptNetworks = Networks.of(settings.networks());
        exceptPaths = new ArrayList<>();
        for (PathMatch path : settings.paths()) {
            exceptPaths.add(RequestTest.of(path, List.of(), changes, RuleLimits.defaults()));
        }
        clearance = new Clearance(settings, limits, means);
        lists = new BotNetworks(means.directory(), nanos);
        passports =
                new Passports(
                        settings.bots().signed(),
                        means.directory(),
                        nanos,
                        means.millis(),
                        means.nonces(),
                        means.random(),
                        Passports.NONCES_MAX);
        ShieldSettings.RobotsFile told = settings.bots().robots();
        robots = told == null ? null : new Robots(told.file(), nanos, means.random());
        tarpit = new Tarpit(limits.tarpitMax(), nanos);
        ShieldSettings.Budget budget = settings.budget();
        clients =
                new RequestKeys(
                        budget == null ? new LimitKey.Address() : budget.by(), means.random());
        paths = new RequestKeys(new LimitKey.Path(), means.random());
        networks = new RequestKeys(new LimitKey.Network(), means.random());
        networkBudgets = limits.networkBudgets();
        addresses = new RequestKeys(new LimitKey.Address(), means.random());
        answerNanos = MINUTE_NANOS / limits.answersMax();
        answers =
                new BucketTable(
                        MINUTE_NANOS / limits.answersMax(), limits.answersMax(), ANSWERING_MAX);
        windowNanos = budget == null ? 0 : budget.window().toNanos();
        nanosPerCost = budget == null ? 0 : (double) windowNanos / budget.cost().toNanos();
        costs = budget == null ? null : new BucketTable(windowNanos, 1, limits.keysMax());
        cheap = new CheapPaths(limits.pathsMax(), budget == null ? 0 : budget.cheap().toNanos());
        for (ShieldOutcome outcome : ShieldOutcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    /// Whether there is what looks up the names of addresses. Without it every bot is unknown.
    public static boolean verifiesBots() {
        return NameServiceProvider.first().isPresent();
    }

    private static NameService names(List<InetSocketAddress> resolvers) {
        return NameServiceProvider.first().map(one -> one.open(resolvers)).orElseGet(NoNames::new);
    }

    /// What is asked for names where nothing knows how.
    private static final class NoNames implements NameService {
        @Override
        public NameAnswer addresses(String name, boolean ipv6) {
            return new NameAnswer.Failed("margay-members-dns is not on the class path");
        }

        @Override
        public NameAnswer services(String name) {
            return addresses(name, false);
        }
    }

    /// Writes what clients have cost, and by which cookies they are known.
    void write(DataOutput out) throws IOException {
        clearance.write(out);
        clients.write(out);
        paths.write(out);
        networks.write(out);
        cheap.write(out);
        if (costs != null) {
            costs.write(out, nanos.getAsLong());
        }
    }

    /// Goes on with what another process has written; before the first request.
    void read(DataInput in, Duration since) throws IOException {
        clearance.read(in);
        clients.read(in);
        paths.read(in);
        networks.read(in);
        cheap.read(in);
        if (costs != null) {
            costs.read(in, nanos.getAsLong(), since.toNanos());
        }
    }

    /// What clients have cost, for the process that goes on with it.
    ///
    /// @param host whose shield it is, so that no other has the name
    public TravellingState state(String host) {
        return new ShieldState(host, settings.budget(), this);
    }

    /// What it has done so far.
    public ShieldReading read() {
        Map<ShieldOutcome, Long> read = new EnumMap<>(ShieldOutcome.class);
        counts.forEach((outcome, count) -> read.put(outcome, count.sum()));
        return new ShieldReading(
                read, verifier.lookups(), costs == null ? 0 : costs.forgotten(), tarpit.inside());
    }

    private void count(ShieldOutcome outcome) {
        LongAdder count = counts.get(outcome);
        if (count != null) {
            count.increment();
        }
    }

    private boolean passes(ShieldOutcome outcome) {
        count(outcome);
        return true;
    }

    // Who passes

    /// Looks at a request.
    ///
    /// @return false when it does not go on; then it has been answered
    public boolean admits(Exchange exchange) throws IOException {
        if (clearance.isAnswer(exchange)) {
            return answered(exchange);
        }
        if (robots != null && Robots.isFor(exchange)) {
            count(ShieldOutcome.TOLD);
            robots.answer(exchange);
            return false;
        }
        if (isExcepted(exchange)) {
            return passes(ShieldOutcome.EXCEPTED);
        }
        if (robots != null
                && robots.forbids(exchange, isBrowser(exchange))
                && !mayDisobey(exchange)) {
            return false;
        }
        if (!passports.isEmpty() && hasForged(exchange)) {
            return refused(exchange, MINUTE_NANOS);
        }
        Passports.Look look = passports.look(exchange.request(), exchange.scheme());
        if (look instanceof Passports.Look.Good(SignedBot bot)) {
            return signed(exchange, bot);
        }
        if (look instanceof Passports.Look.Bad bad) {
            return forged(exchange, bad.why());
        }
        if (look instanceof Passports.Look.Full) {
            return refused(exchange, MINUTE_NANOS);
        }
        boolean isPending = look instanceof Passports.Look.Pending;
        if (!isPending
                && settings.bots().models() != ShieldSettings.Models.PASS
                && ModelCrawlers.isOne(exchange.request().field("User-Agent"))
                && !Robots.isFor(exchange)) {
            return model(exchange);
        }
        BotVerifier.Verdict claim = isPending ? BotVerifier.Verdict.PENDING : claim(exchange);
        if (claim == BotVerifier.Verdict.VERIFIED) {
            return passes(ShieldOutcome.VERIFIED);
        }
        String pass = clearance.pass(exchange);
        long over = costs == null ? 0 : over(exchange, pass, costs);
        boolean knows = pass != null;
        if (over > 0
                && !settings.logOnly()
                && exchange.notes().defers(exchange, it -> overBudget(it, knows, over))) {
            return true;
        }
        if (pass != null) {
            return over > 0 ? refused(exchange, over) : passes(ShieldOutcome.CLEARED);
        }
        if (claim == BotVerifier.Verdict.IMPOSTOR
                && settings.bots().impostors() != ShieldSettings.Impostors.PASS) {
            return impostor(exchange);
        }
        if (over > 0) {
            return settings.challenge() == ShieldSettings.Challenge.NEVER
                    ? refused(exchange, over)
                    : challenged(exchange, TOO_MANY_REQUESTS, over);
        }
        if (claim == BotVerifier.Verdict.PENDING) {
            return passes(ShieldOutcome.PENDING);
        }
        return isSuspicious(exchange)
                ? challenged(exchange, FORBIDDEN, 0)
                : passes(ShieldOutcome.PASSED);
    }

    private boolean isSuspicious(Exchange exchange) {
        return switch (settings.challenge()) {
            case NEVER, OVER_BUDGET -> false;
            case UNKNOWN -> !isBrowser(exchange);
            case ALL -> true;
        };
    }

    /// Answers a client that is over its budget.
    ///
    /// @param knows whether it has answered a challenge
    private void overBudget(Exchange exchange, boolean knows, long over) throws IOException {
        boolean refuses = knows || settings.challenge() == ShieldSettings.Challenge.NEVER;
        boolean _ =
                refuses ? refused(exchange, over) : challenged(exchange, TOO_MANY_REQUESTS, over);
    }

    /// Answers cost what a proof costs to look at, and each right one has an account of its own: an
    /// address gives so many in a minute.
    private boolean answered(Exchange exchange) throws IOException {
        long wait = answers.take(addresses.of(exchange), nanos.getAsLong(), 0);
        if (wait > 0) {
            return refused(exchange, wait);
        }
        count(clearance.answer(exchange) ? ShieldOutcome.SOLVED : ShieldOutcome.FAILED);
        return false;
    }

    private boolean isExcepted(Exchange exchange) {
        if (exceptNetworks.includes(exchange.remote())) {
            return true;
        }
        for (RequestTest path : exceptPaths) {
            if (path.surelyHolds(exchange)) {
                return true;
            }
        }
        for (LimitKey key : settings.credentials()) {
            if (RequestKeys.isIn(key, exchange)) {
                return true;
            }
        }
        return false;
    }

    /// What is known of a client that claims to be a bot; null when it does not.
    private BotVerifier.@Nullable Verdict claim(Exchange exchange) {
        String agent = bots.isEmpty() ? null : exchange.request().field("User-Agent");
        if (agent == null) {
            return null;
        }
        for (Bot bot : bots) {
            if (isSaid(bot, agent)) {
                return exchange.remote() instanceof InetSocketAddress inet
                                && inet.getAddress() != null
                        ? claim(inet, bot.known)
                        : BotVerifier.Verdict.UNKNOWN;
            }
        }
        return null;
    }

    /// By the list of its networks, and where that does not say, by the name of the address.
    private BotVerifier.Verdict claim(InetSocketAddress client, KnownBot bot) {
        URI list = bot.networks();
        BotVerifier.Verdict listed = list == null ? null : lists.of(client, list);
        return listed == BotVerifier.Verdict.VERIFIED || (listed != null && bot.domains().isEmpty())
                ? listed
                : verifier.of(client.getAddress(), bot);
    }

    /// What is not decided is a claim, which is verified by the client's address.
    private static boolean isSaid(Bot bot, String agent) {
        try {
            return bot.agent.find(agent) != null;
        } catch (UndecidedException e) {
            return true;
        }
    }

    /// Browsers send these, and what pretends to be one seldom does.
    private static boolean isBrowser(Exchange exchange) {
        String agent = exchange.request().field("User-Agent");
        return agent != null
                && agent.startsWith("Mozilla/5.0 (")
                && exchange.request().field("Accept-Language") != null
                && exchange.request().field("Accept-Encoding") != null
                && exchange.request().field("Accept") != null;
    }

    /// A bot that has signed its request has budgets of its own, from wherever it comes.
    private boolean signed(Exchange exchange, SignedBot bot) throws IOException {
        BucketTable of = costs;
        long over = 0;
        if (of != null) {
            Account account =
                    new Account(
                            clients.of("signed " + bot.agent()),
                            0,
                            paths.of(exchange),
                            bot.budgets());
            over = over(exchange, account, of);
        }
        return over > 0 ? refused(exchange, over) : passes(ShieldOutcome.SIGNED);
    }

    // Who does not

    /// Whether an address has sent so many wrong signatures that none is looked at for a while:
    /// each costs a moment.
    private boolean hasForged(Exchange exchange) {
        return exchange.request().fields().contains("Signature-Agent")
                && answers.untilFull(addresses.of(exchange), nanos.getAsLong())
                        > MINUTE_NANOS - answerNanos;
    }

    private boolean forged(Exchange exchange, String why) throws IOException {
        count(ShieldOutcome.FORGED);
        long _ = answers.take(addresses.of(exchange), nanos.getAsLong(), 0);
        LOG.log(System.Logger.Level.DEBUG, "a signed request is refused: {0}", why);
        if (settings.logOnly()) {
            return true;
        }
        exchange.fields().set("Accept-Signature", Passports.ACCEPTED);
        exchange.fields().set("WWW-Authenticate", "Signature");
        StatusResponse.plain(exchange, UNAUTHORIZED);
        return false;
    }

    /// Counts a crawler that does what it may not.
    ///
    /// @return false when it is refused; then it has been answered
    private boolean mayDisobey(Exchange exchange) throws IOException {
        count(ShieldOutcome.DISOBEDIENT);
        ShieldSettings.RobotsFile told = settings.bots().robots();
        boolean refuses = told != null && told.disobedient() == ShieldSettings.Disobedient.REFUSE;
        if (!refuses || settings.logOnly()) {
            return true;
        }
        StatusResponse.plain(exchange, FORBIDDEN);
        return false;
    }

    private boolean model(Exchange exchange) throws IOException {
        count(ShieldOutcome.MODEL);
        if (settings.logOnly()) {
            return true;
        }
        accepts(exchange);
        boolean pays = settings.bots().models() == ShieldSettings.Models.PAYMENT;
        StatusResponse.plain(exchange, pays ? PAYMENT_REQUIRED : FORBIDDEN);
        return false;
    }

    /// Tells bots that they may sign their requests.
    private void accepts(Exchange exchange) {
        if (!passports.isEmpty()) {
            exchange.fields().set("Accept-Signature", Passports.ACCEPTED);
        }
    }

    private boolean impostor(Exchange exchange) throws IOException {
        count(ShieldOutcome.IMPOSTOR);
        if (settings.logOnly()) {
            return true;
        }
        if (settings.bots().impostors() == ShieldSettings.Impostors.CHALLENGE) {
            return challenged(exchange, FORBIDDEN, 0);
        }
        if (settings.bots().impostors() == ShieldSettings.Impostors.TARPIT
                && exchange instanceof DialingExchange dialing
                && tarpit.takes(dialing)) {
            count(ShieldOutcome.TARPITTED);
            return false;
        }
        StatusResponse.plain(exchange, FORBIDDEN);
        return false;
    }

    private boolean refused(Exchange exchange, long afterNanos) throws IOException {
        count(ShieldOutcome.REFUSED);
        if (settings.logOnly()) {
            return true;
        }
        retryAfter(exchange, afterNanos);
        accepts(exchange);
        StatusResponse.plain(exchange, TOO_MANY_REQUESTS);
        return false;
    }

    private boolean challenged(Exchange exchange, int status, long afterNanos) throws IOException {
        count(ShieldOutcome.CHALLENGED);
        if (settings.logOnly()) {
            return true;
        }
        if (afterNanos > 0) {
            retryAfter(exchange, afterNanos);
        }
        accepts(exchange);
        clearance.challenge(exchange, status);
        return false;
    }

    private static void retryAfter(Exchange exchange, long nanos) {
        long seconds = Math.max(1, Math.ceilDiv(nanos, TimeUnit.SECONDS.toNanos(1)));
        exchange.fields().set("Retry-After", String.valueOf(seconds));
    }

    // Costs

    /// For how long a client is over its budget; 0 when it is not, or asks for what costs little.
    /// Notes who pays for the request.
    ///
    /// @param pass by which the client is known that has answered; null = it has not
    private long over(Exchange exchange, @Nullable String pass, BucketTable of) {
        Account account =
                pass == null
                        ? new Account(clients.of(exchange), 0, paths.of(exchange), 1)
                        : new Account(
                                clients.of(pass), networks.of(exchange), paths.of(exchange), 1);
        return over(exchange, account, of);
    }

    private long over(Exchange exchange, Account account, BucketTable of) {
        exchange.notes().put(pays, account);
        long now = nanos.getAsLong();
        long used = of.untilFull(account.client, now);
        if (account.network != 0) {
            used = Math.max(used, of.untilFull(account.network, now));
        }
        if (used > 0) {
            RequestLimiters.noteUsed(exchange.notes(), used);
        }
        long over = used - windowNanos;
        return over > 0 && !cheap.isCheap(account.path) ? over : 0;
    }

    /// The exchange that is to be answered: the client's own, or one of which it is measured what
    /// it costs.
    public DialingExchange apply(DialingExchange exchange) {
        Account account = costs == null ? null : exchange.notes().get(pays);
        if (account == null) {
            return exchange;
        }
        return new CostedExchange(exchange, nanos, threadNanos, cost -> pay(account, cost));
    }

    private void pay(Account account, long cost) {
        if (costs != null && cost > 0) {
            // Nobody owes more than a few windows, whatever one request has cost.
            long owed = (long) Math.min(cost * nanosPerCost, 4.0 * windowNanos);
            long now = nanos.getAsLong();
            costs.charge(account.client, now, Math.ceilDiv(owed, account.budgets));
            if (account.network != 0) {
                costs.charge(account.network, now, Math.ceilDiv(owed, networkBudgets));
            }
            cheap.note(account.path, cost);
        }
    }
}
