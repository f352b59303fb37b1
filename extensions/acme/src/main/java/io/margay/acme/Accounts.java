package io.margay.acme;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.acme.AcmeLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;

/// The accounts of this server with authorities: a key and a place for each, made when first
/// needed. Thread-safe without a lock that is held while an authority is asked: the first order
/// that needs an account opens it, and others that need it wait for that.
final class Accounts implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Accounts.class.getName());
    private static final int NAME_CHARS = 16;

    private final Storage storage;
    private final Path folder;
    private final AcmeLimits limits;
    private final OrderRun.Pause pause;
    private final Map<AcmeAuthority, FutureTask<Open>> open = new ConcurrentHashMap<>();
    private final Map<URI, AuthorityPace> paces = new ConcurrentHashMap<>();

    /// An account in use.
    ///
    /// @param idle sessions that no order has; a session sends one request at a time
    private record Open(DirectoryClient client, URL place, KeyPair key, Queue<Login> idle) {}

    /// @param storage of accounts and certificates
    /// @param pause waits until an authority may be asked
    Accounts(Storage storage, AcmeLimits limits, OrderRun.Pause pause) {
        this.storage = storage;
        folder = storage.folder().resolve("accounts");
        this.limits = limits;
        this.pause = pause;
    }

    /// How fast an authority is asked, whatever account that is for.
    AuthorityPace pace(AcmeAuthority authority) {
        return paces.computeIfAbsent(
                authority.directory(), one -> new AuthorityPace(System::nanoTime));
    }

    /// What one order logs in with.
    Logins logins() {
        return new Logins();
    }

    /// The sessions of one order with authorities, which other orders use after it. Used by one
    /// thread.
    final class Logins implements AutoCloseable {
        private final Map<AcmeAuthority, Used> used = new HashMap<>();

        private record Used(Open account, Login login) {}

        /// A session with the account at an authority.
        Login login(AcmeAuthority authority)
                throws IOException, AcmeException, InterruptedException {
            Used there = used.get(authority);
            if (there == null) {
                Open account = open(authority);
                Login idle = account.idle.poll();
                there =
                        new Used(
                                account,
                                idle != null
                                        ? idle
                                        : account.client
                                                .session(authority.directory())
                                                .login(account.place, account.key));
                used.put(authority, there);
            }
            return there.login;
        }

        AuthorityPace pace(AcmeAuthority authority) {
            return Accounts.this.pace(authority);
        }

        /// Makes another account in place of one that the authority does not know any more, unless
        /// another order has done so.
        void forget(AcmeAuthority authority) {
            Used there = used.remove(authority);
            FutureTask<Open> known = open.get(authority);
            FutureTask<Open> other =
                    new FutureTask<>(() -> {
                        storage.delete(folder.resolve(name(authority)).resolve(AccountFiles.PLACE));
                        return make(authority);
                    });
            if (there != null
                    && known != null
                    && known.state() == Future.State.SUCCESS
                    && known.resultNow().equals(there.account)
                    && open.replace(authority, known, other)) {
                other.run();
            }
        }

        @Override
        public void close() {
            used.values().forEach(one -> one.account.idle.add(one.login));
            used.clear();
        }
    }

    private Open open(AcmeAuthority authority)
            throws IOException, AcmeException, InterruptedException {
        FutureTask<Open> made = new FutureTask<>(() -> make(authority));
        FutureTask<Open> there = open.putIfAbsent(authority, made);
        if (there == null) {
            made.run();
            there = made;
        }
        try {
            return there.get();
        } catch (ExecutionException e) {
            boolean _ = open.remove(authority, there);
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case AcmeException failure -> throw failure;
                case InterruptedException failure -> throw failure;
                case null, default -> throw new IllegalStateException("an account", e);
            }
        }
    }

    private Open make(AcmeAuthority authority) throws IOException, AcmeException {
        DirectoryClient client =
                new DirectoryClient(authority.roots(), limits, pace(authority), pause);
        boolean opened = false;
        try {
            Session session = client.session(authority.directory());
            Path own = folder.resolve(name(authority));
            Path place = own.resolve(AccountFiles.PLACE);
            Login login;
            KeyPair key;
            if (Storage.exists(place)) {
                URL there = URI.create(Storage.read(place).strip()).toURL();
                key = settledKey(session, there, own);
                login = session.login(there, key);
            } else {
                key = key(own.resolve(AccountFiles.KEY));
                login = register(authority, session, key);
                storage.save(place, login.getAccountLocation() + "\n");
            }
            opened = true;
            Queue<Login> idle = new ConcurrentLinkedQueue<>(List.of(login));
            return new Open(client, login.getAccountLocation(), key, idle);
        } finally {
            if (!opened) {
                client.close();
            }
        }
    }

    /// The key of an account. Where it was being changed when the server ended, the authority says
    /// which it is.
    private KeyPair settledKey(Session session, URL place, Path own)
            throws IOException, AcmeException {
        Path next = own.resolve(AccountFiles.NEXT_KEY);
        if (Storage.exists(next)) {
            KeyPair changed = Keys.pair(Storage.read(next));
            try {
                session.login(place, changed).getAccount().fetch();
                storage.rename(next, own.resolve(AccountFiles.KEY));
            } catch (AcmeServerException e) {
                storage.delete(next);
            }
        }
        return key(own.resolve(AccountFiles.KEY));
    }

    /// Gives the accounts of all certificates other keys. No order may be under way.
    void changeKeys(AcmeConfig config) throws InterruptedException {
        for (AcmeAuthority authority :
                config.certificates().stream()
                        .map(AcmeCertificate::authority)
                        .collect(Collectors.toSet())) {
            String host = authority.directory().getHost();
            try {
                changeKey(authority);
                LOG.log(Level.INFO, "the account with {0} has another key", host);
            } catch (IOException | AcmeException | RuntimeException e) {
                LOG.log(
                        Level.WARNING,
                        "the key of the account with {0} may be the same: {1}",
                        host,
                        CertificateWatch.reason(CertificateWatch.requireReal(e)));
            }
        }
    }

    /// Gives the account with an authority another key, which is written before it is told.
    private void changeKey(AcmeAuthority authority)
            throws IOException, AcmeException, InterruptedException {
        Path own = folder.resolve(name(authority));
        KeyPair next = Keys.make(KeyKind.EC256);
        try (Logins logins = logins()) {
            Login login = logins.login(authority);
            storage.save(own.resolve(AccountFiles.NEXT_KEY), Keys.pem(next));
            login.getAccount().changeKey(next);
        }
        storage.rename(own.resolve(AccountFiles.NEXT_KEY), own.resolve(AccountFiles.KEY));
        close(); // The next login is with the other key.
    }

    private KeyPair key(Path file) throws IOException {
        if (Storage.exists(file)) {
            return Keys.pair(Storage.read(file));
        }
        KeyPair made = Keys.make(KeyKind.EC256);
        storage.save(file, Keys.pem(made));
        return made;
    }

    private static Login register(AcmeAuthority authority, Session session, KeyPair key)
            throws IOException, AcmeException {
        AccountBuilder builder = new AccountBuilder().agreeToTermsOfService().useKeyPair(key);
        String email = authority.email();
        if (email != null) {
            builder.addEmail(email);
        }
        AcmeAuthority.Binding binding = authority.binding();
        if (binding != null) {
            String secret = binding.key();
            builder.withKeyIdentifier(
                    binding.kid(), secret.replace('+', '-').replace('/', '_').replace("=", ""));
        }
        return builder.createLogin(session);
    }

    /// The host of the directory, and what tells accounts there apart.
    private static String name(AcmeAuthority authority) {
        AcmeAuthority.Binding binding = authority.binding();
        String all =
                authority.directory()
                        + " "
                        + (authority.email() == null ? "" : authority.email())
                        + " "
                        + (binding == null ? "" : binding.kid());
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(all.getBytes(StandardCharsets.UTF_8));
            return authority.directory().getHost()
                    + "-"
                    + HexFormat.of().formatHex(digest).substring(0, NAME_CHARS);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no SHA-256", e);
        }
    }

    /// Ends the connections; the next login opens others. No order may be under way.
    @Override
    public void close() {
        open.values().stream()
                .filter(one -> one.state() == Future.State.SUCCESS)
                .forEach(one -> one.resultNow().client.close());
        open.clear();
    }
}
