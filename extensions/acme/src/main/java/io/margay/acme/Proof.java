package io.margay.acme;

import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.DnsCommands;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeChallengeKind;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeLimits;
import io.margay.transport.KeySource;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.Authorization;
import org.shredzone.acme4j.challenge.Challenge;
import org.shredzone.acme4j.challenge.Dns01Challenge;
import org.shredzone.acme4j.challenge.Http01Challenge;
import org.shredzone.acme4j.challenge.TlsAlpn01Challenge;

/// Puts what an authority looks for where it looks, and takes it away afterwards. For one order;
/// used by one thread.
final class Proof implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Proof.class.getName());

    private final AcmeCertificate wanted;
    private final AcmeChallenges pending;
    private final @Nullable SharedStorage shared;
    private final AcmeLimits limits;
    private final Path folder;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final List<Undo> undo = new ArrayList<>();
    private @Nullable KeyPair key;

    /// Whether the file of what commands write is of this order alone.
    private boolean logBegun;

    /// Takes away what is no longer looked for.
    @FunctionalInterface
    private interface Undo {
        void run() throws IOException, InterruptedException;
    }

    /// @param shared by which other servers answer, too, or null
    /// @param folder of the certificate
    Proof(
            AcmeCertificate wanted,
            AcmeChallenges pending,
            @Nullable SharedStorage shared,
            AcmeLimits limits,
            Path folder,
            InstantSource clock,
            RandomGenerator random) {
        this.wanted = wanted;
        this.pending = pending;
        this.shared = shared;
        this.limits = limits;
        this.folder = folder;
        this.clock = clock;
        this.random = random;
    }

    /// Makes one of the challenges of an authorization come true.
    ///
    /// @param failures how often it has failed before: each time the next kind is tried
    Challenge prepare(Authorization authorization, int failures)
            throws IOException, InterruptedException {
        String domain = authorization.getIdentifier().getDomain();
        List<Challenge> offered = new ArrayList<>();
        for (AcmeChallengeKind kind : wanted.challenges()) {
            boolean possible =
                    kind == AcmeChallengeKind.DNS_01
                            ? wanted.dns() != null
                            : !authorization.isWildcard();
            Optional<Challenge> found = authorization.findChallenge(kind.word());
            if (possible && found.isPresent()) {
                offered.add(found.get());
            }
        }
        if (offered.isEmpty()) {
            throw new IOException(
                    "the authority offers none of the challenges that are possible for " + domain);
        }
        Challenge chosen = offered.get(failures % offered.size());
        switch (chosen) {
            case Http01Challenge file -> file(file);
            case TlsAlpn01Challenge handshake -> handshake(handshake, domain);
            case Dns01Challenge record -> record(record, domain);
            default -> throw new IOException("unknown challenge " + chosen.getType());
        }
        return chosen;
    }

    private void file(Http01Challenge challenge) throws IOException {
        String token = challenge.getToken();
        require(pending.addFile(token, challenge.getAuthorization()));
        undo.add(() -> pending.removeFile(token));
        share(
                all -> all.addFile(token, challenge.getAuthorization()),
                all -> all.removeFile(token));
    }

    /// Something that the other servers are told, too; without the engine they are not.
    private interface Telling {
        void to(SharedStorage all) throws IOException;
    }

    private void share(Telling said, Telling withdrawn) {
        SharedStorage all = shared;
        if (all == null) {
            return;
        }
        try {
            said.to(all);
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "{0}: others do not answer: {1}", wanted.name(), e.getMessage());
        }
        undo.add(() -> withdrawn.to(all));
    }

    /// How long to wait until whoever is asked answers.
    Duration heard() {
        return shared == null ? Duration.ZERO : shared.heard();
    }

    private void handshake(TlsAlpn01Challenge challenge, String domain) throws IOException {
        KeyPair pair = key == null ? Keys.make(KeyKind.EC256) : key;
        key = pair;
        byte[] digest = challenge.getAcmeValidation();
        var shown = OwnSigned.challenge(pair, domain, digest, clock.instant(), random);
        require(
                pending.addCertificate(
                        domain, new KeySource.Keys(List.of(shown), pair.getPrivate())));
        undo.add(() -> pending.removeCertificate(domain));
        share(all -> all.addCertificate(domain, digest), all -> all.removeCertificate(domain));
    }

    private void record(Dns01Challenge challenge, String domain)
            throws IOException, InterruptedException {
        DnsCommands commands = wanted.dns();
        if (commands == null) {
            throw new IllegalStateException("dns-01 without commands");
        }
        String record = Dns01Challenge.RECORD_NAME_PREFIX + "." + domain;
        String value = challenge.getDigest();
        Path output = folder.resolve("dns.log");
        if (!logBegun) {
            Files.deleteIfExists(output);
            logBegun = true;
        }
        undo.add(() -> command(commands.unset(), output).run(domain, record, value));
        command(commands.set(), output).run(domain, record, value);
    }

    private DnsCommand command(List<String> words, Path output) {
        return new DnsCommand(words, output, limits.commandTimeout());
    }

    private static void require(boolean added) throws IOException {
        if (!added) {
            throw new IOException("too many challenges are pending");
        }
    }

    @Override
    public void close() {
        boolean interrupted = false;
        for (Undo one : undo.reversed()) {
            try {
                one.run();
            } catch (IOException e) {
                LOG.log(
                        Level.WARNING,
                        "{0}: what proved it has not been removed: {1}",
                        wanted.name(),
                        e.getMessage());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        undo.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
