package io.margay.acme;

import io.margay.server.acme.AcmeAuthority;
import io.margay.server.acme.AcmeCertificate.KeyKind;
import io.margay.server.acme.AcmeLimits;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.shredzone.acme4j.AccountBuilder;
import org.shredzone.acme4j.Login;
import org.shredzone.acme4j.Session;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeServerException;

/// The accounts of this server with authorities: a key and a place for each, made when first
/// needed. Used by one thread; closed when there is nothing to do.
final class Accounts implements AutoCloseable {
    private static final int NAME_CHARS = 16;

    // Files of an account.
    static final String KEY = "account.pem";

    static final String PLACE = "account.url";

    /// The key that an account is being given.
    static final String NEXT_KEY = "next.pem";

    private final Storage storage;
    private final Path folder;
    private final AcmeLimits limits;
    private final Map<AcmeAuthority, Open> open = new HashMap<>();

    private record Open(DirectoryClient client, Login login) {}

    /// @param storage of accounts and certificates
    Accounts(Storage storage, AcmeLimits limits) {
        this.storage = storage;
        folder = storage.folder().resolve("accounts");
        this.limits = limits;
    }

    /// The account with an authority.
    Login login(AcmeAuthority authority) throws IOException, AcmeException {
        Open there = open.get(authority);
        if (there == null) {
            there = open(authority);
            open.put(authority, there);
        }
        return there.login;
    }

    private Open open(AcmeAuthority authority) throws IOException, AcmeException {
        DirectoryClient client = new DirectoryClient(authority.roots(), limits);
        boolean opened = false;
        try {
            Session session = client.session(authority.directory());
            Path own = folder.resolve(name(authority));
            Path place = own.resolve(PLACE);
            Login login;
            if (Storage.exists(place)) {
                URL there = URI.create(Storage.read(place).strip()).toURL();
                login = session.login(there, settledKey(session, there, own));
            } else {
                login = register(authority, session, key(own.resolve(KEY)));
                storage.save(place, login.getAccountLocation() + "\n");
            }
            opened = true;
            return new Open(client, login);
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
        Path next = own.resolve(NEXT_KEY);
        if (Storage.exists(next)) {
            KeyPair changed = Keys.pair(Storage.read(next));
            try {
                session.login(place, changed).getAccount().fetch();
                storage.rename(next, own.resolve(KEY));
            } catch (AcmeServerException e) {
                storage.delete(next);
            }
        }
        return key(own.resolve(KEY));
    }

    /// Gives the account with an authority another key, which is written before it is told.
    void changeKey(AcmeAuthority authority) throws IOException, AcmeException {
        Path own = folder.resolve(name(authority));
        Login login = login(authority);
        KeyPair next = Keys.make(KeyKind.EC256);
        storage.save(own.resolve(NEXT_KEY), Keys.pem(next));
        login.getAccount().changeKey(next);
        storage.rename(own.resolve(NEXT_KEY), own.resolve(KEY));
        close(authority); // The next login is with the other key.
    }

    private void close(AcmeAuthority authority) {
        Open gone = open.remove(authority);
        if (gone != null) {
            gone.client.close();
        }
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

    /// Forgets an account that the authority does not know any more; the next login makes another.
    void forget(AcmeAuthority authority) throws IOException {
        storage.delete(folder.resolve(name(authority)).resolve(PLACE));
        close(authority);
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

    @Override
    public void close() {
        open.values().forEach(one -> one.client.close());
        open.clear();
    }
}
