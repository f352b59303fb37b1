package io.margay.acme;

import io.margay.acme.CertificateState.Window;
import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeLimits;
import io.margay.server.acme.AcmeReading;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Order;
import org.shredzone.acme4j.RenewalInfo;
import org.shredzone.acme4j.Status;
import org.shredzone.acme4j.connector.Resource;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;

/// Looks after one certificate: asks when to renew it, and orders it when it is due. Used by one
/// thread at a time: that of the orders, or that of the certificate's own order.
final class CertificateWatch {
    private static final System.Logger LOG = System.getLogger(CertificateWatch.class.getName());
    private static final int REASON_CHARS_MAX = 500;
    private static final Duration ASK_AGAIN = Duration.ofHours(6);
    private static final String NO_ACCOUNT = "urn:ietf:params:acme:error:accountDoesNotExist";

    private final AcmeCertificate wanted;
    private final CertificateFolder files;
    private final Storage storage;
    private final AcmeChallenges challenges;
    private final AcmeLimits limits;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final OrderRun.Pause pause;
    private final Renewal renewal;
    private @Nullable CertificateState known;
    private @Nullable X509Certificate current;

    /// What all certificates are looked after with.
    record Means(
            AcmeLimits limits, InstantSource clock, RandomGenerator random, OrderRun.Pause pause) {}

    CertificateWatch(
            AcmeCertificate wanted,
            CertificateFolder files,
            Storage storage,
            AcmeChallenges challenges,
            Means means) {
        this.wanted = wanted;
        this.files = files;
        this.storage = storage;
        this.challenges = challenges;
        limits = means.limits;
        clock = means.clock;
        random = means.random;
        pause = means.pause;
        renewal = new Renewal(limits, random);
    }

    /// Whether an authority is to be asked for something, which [#look] does. Asks nobody.
    boolean isDue(Urgency urgency) {
        try {
            files.prepare(wanted, clock.instant(), random);
            X509Certificate shown = files.current();
            current = shown;
            Instant now = clock.instant();
            CertificateState by = urgency == Urgency.NO_WAIT ? state().unhurt() : state();
            return urgency == Urgency.NOW
                    || asksWhen(shown, now)
                    || !renewal.due(wanted, shown, by, now).isAfter(now);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the order says so: {0}", e.getMessage());
            return true;
        }
    }

    /// When the certificate of an authority ends; [Instant#MIN] = none has issued one.
    Instant until() {
        X509Certificate shown = current;
        return shown == null || OwnSigned.isPlaceholder(shown)
                ? Instant.MIN
                : shown.getNotAfter().toInstant();
    }

    /// Does what is due.
    ///
    /// @return whether there is another certificate now
    boolean look(Accounts.Logins accounts, Urgency urgency) throws InterruptedException {
        try {
            files.prepare(wanted, clock.instant(), random);
            X509Certificate shown = files.current();
            current = shown;
            if (urgency != Urgency.NOW) {
                askWhen(accounts, shown);
                CertificateState by = urgency == Urgency.NO_WAIT ? state().unhurt() : state();
                Instant now = clock.instant();
                if (renewal.due(wanted, shown, by, now).isAfter(now)) {
                    return false;
                }
            }
            if (accounts.pace(wanted.authority()).isHeld()) {
                return false; // refused to another order meanwhile: it is begun later
            }
            order(accounts, shown);
            return true;
        } catch (AcmeRateLimitedException e) {
            accounts.pace(wanted.authority()).refused(said(e));
            failed(e);
            return false;
        } catch (IOException | AcmeException | RuntimeException e) {
            failed(requireReal(e));
            return false;
        }
    }

    /// Sees how it stands, where another server orders.
    void observe() {
        known = null;
        try {
            current = files.current();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0}: {1}", wanted.name(), e.getMessage());
        }
    }

    /// The end of the server is no failure.
    static Exception requireReal(Exception failure) throws InterruptedException {
        boolean interrupted = Thread.interrupted();
        for (Throwable at = failure; at != null; at = at.getCause()) {
            interrupted |= at instanceof InterruptedException;
        }
        if (interrupted) {
            throw new InterruptedException();
        }
        return failure;
    }

    private CertificateState state() {
        CertificateState found = known;
        if (found == null) {
            try {
                found = CertificateState.read(files.state());
            } catch (IOException e) {
                LOG.log(Level.WARNING, "starts over: {0}", e.getMessage());
                found = CertificateState.NEW;
            }
            known = found;
        }
        return found;
    }

    private void save(CertificateState next) throws IOException {
        known = next;
        next.write(storage, files.state());
    }

    private boolean asksWhen(X509Certificate shown, Instant now) {
        return Renewal.isAsWanted(wanted, shown, state()) && renewal.asks(state(), now);
    }

    /// Asks the authority when it wants the certificate to be renewed, if it says so (RFC 9773).
    private void askWhen(Accounts.Logins accounts, X509Certificate shown)
            throws IOException, InterruptedException {
        Instant now = clock.instant();
        if (!asksWhen(shown, now)) {
            return;
        }
        try {
            Login login = accounts.login(wanted.authority());
            if (login.getSession().resourceUrlOptional(Resource.RENEWAL_INFO).isEmpty()) {
                save(state().asked(null, null, now, limits.informationMax()));
                return;
            }
            RenewalInfo information = login.bindRenewalInfo(shown);
            Duration said =
                    information.fetch().map(at -> Duration.between(now, at)).orElse(ASK_AGAIN);
            Window window =
                    new Window(
                            information.getSuggestedWindowStart(),
                            information.getSuggestedWindowEnd());
            Instant chosen = renewal.choose(window, state());
            save(state().asked(window, chosen, now, renewal.askAgain(said)));
        } catch (AcmeException | RuntimeException e) {
            String why = reason(requireReal(e));
            LOG.log(Level.DEBUG, "{0}: when to renew is not known: {1}", wanted.name(), why);
            CertificateState before = state();
            save(before.asked(before.window(), before.renewAt(), now, renewal.askAgain(ASK_AGAIN)));
        }
    }

    private void order(Accounts.Logins accounts, X509Certificate shown)
            throws IOException, AcmeException, InterruptedException {
        try {
            rehearse(accounts);
            issue(accounts, shown);
        } catch (AcmeServerException e) {
            if (!e.getType().toString().equals(NO_ACCOUNT)) {
                throw e;
            }
            accounts.forget(wanted.authority());
            save(state().withOrder(null, null));
            issue(accounts, shown);
        }
    }

    /// Has another authority issue it once, and throws that one away.
    private void rehearse(Accounts.Logins accounts)
            throws IOException, AcmeException, InterruptedException {
        URI directory = wanted.rehearsal();
        String what = Renewal.fingerprint(wanted);
        if (directory == null || what.equals(state().rehearsed())) {
            return;
        }
        AcmeAuthority authority = wanted.authority().at(directory);
        OrderRun run = run(accounts.login(authority));
        Order order = run.begin(null);
        prove(run, order);
        OrderRun.Issued issued = run.complete(order, files.nextKey());
        storage.delete(files.nextKey());
        if (issued == null) {
            throw new IOException("the rehearsal has led to a certificate for another key");
        }
        save(state().withRehearsed(what));
        LOG.log(Level.INFO, "{0}: {1} would issue it", wanted.name(), directory.getHost());
    }

    private void issue(Accounts.Logins accounts, X509Certificate shown)
            throws IOException, AcmeException, InterruptedException {
        String what = Renewal.fingerprint(wanted);
        Login login = accounts.login(wanted.authority());
        OrderRun run = run(login);
        URI place = state().order();
        Order order = place != null && what.equals(state().ordered()) ? run.resume(place) : null;
        if (order == null) {
            storage.delete(files.nextKey());
            order = run.begin(replaced(login, shown));
            accounts.pace(wanted.authority()).accepted();
            save(state().withOrder(URI.create(order.getLocation().toString()), what));
        }
        prove(run, order);
        OrderRun.Issued issued = run.complete(order, files.nextKey());
        if (issued == null) {
            save(state().withOrder(null, null));
            throw new IOException("the key of the order is lost");
        }
        X509Certificate fresh = issued.chain().getFirst();
        CertificateState after = state().issued(wanted.authority().directory(), clock.instant());
        if (!Renewal.isAsWanted(wanted, fresh, after)) {
            save(state().withOrder(null, null));
            throw new IOException("the authority has issued a certificate for other names");
        }
        storage.save(files.certificate(), issued.pem());
        save(after);
        storage.delete(files.nextKey());
        current = fresh;
        LOG.log(
                Level.INFO,
                "{0}: issued by {1}, valid until {2}",
                wanted.name(),
                wanted.authority().directory().getHost(),
                fresh.getNotAfter().toInstant());
    }

    private OrderRun run(Login login) {
        return new OrderRun(wanted, login, storage, limits, clock, pause);
    }

    private void prove(OrderRun run, Order order)
            throws IOException, AcmeException, InterruptedException {
        if (order.getStatus() != Status.PENDING) {
            return;
        }
        try (Proof proof =
                new Proof(
                        wanted,
                        challenges,
                        storage.shared(),
                        limits,
                        files.folder(),
                        clock,
                        random)) {
            run.authorize(order, proof, state().failures());
            order.fetch();
        } catch (IOException | AcmeException e) {
            save(state().withOrder(null, null)); // its authorizations are spent
            throw e;
        }
    }

    /// The certificate that the authority is told of as replaced.
    private @Nullable X509Certificate replaced(Login login, X509Certificate shown)
            throws AcmeException {
        boolean told =
                Renewal.isAsWanted(wanted, shown, state())
                        && login.getSession()
                                .resourceUrlOptional(Resource.RENEWAL_INFO)
                                .isPresent();
        return told ? shown : null;
    }

    private void failed(Exception failure) {
        Instant now = clock.instant();
        Duration said =
                failure instanceof AcmeRateLimitedException limited ? said(limited) : Duration.ZERO;
        Instant again = now.plus(renewal.retry(state().failures() + 1, said));
        String why = reason(failure);
        LOG.log(
                Level.WARNING,
                "{0}: no certificate was issued: {1}; tried again at {2}",
                wanted.name(),
                why,
                again);
        try {
            save(state().failed(why, now, again));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "{0} cannot be written: {1}", files.state(), e.getMessage());
        }
    }

    /// How long the authority wants to be left alone.
    private Duration said(AcmeRateLimitedException limited) {
        return limited.getRetryAfter()
                .map(at -> Duration.between(clock.instant(), at))
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
    }

    /// What went wrong, in one bounded line: parts of it come from the authority.
    static String reason(Exception failure) {
        // The library wraps what has gone wrong in what is of no use to anybody.
        Throwable cause = failure;
        for (Throwable inner = failure.getCause(); inner != null; inner = inner.getCause()) {
            cause = inner.getMessage() == null ? cause : inner;
        }
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        String line = text.replaceAll("\\p{Cntrl}+", " ");
        return line.length() > REASON_CHARS_MAX ? line.substring(0, REASON_CHARS_MAX) : line;
    }

    /// How it stands after the look.
    AcmeReading reading() {
        X509Certificate shown = current;
        Instant now = clock.instant();
        Instant retry = state().retryAt();
        return new AcmeReading(
                wanted.name(),
                files.certificate(),
                shown != null && Renewal.isAsWanted(wanted, shown, state()),
                shown != null
                        ? renewal.due(wanted, shown, state(), now)
                        : retry != null ? retry : now.plus(limits.look()),
                state().failures(),
                state().failure());
    }
}
