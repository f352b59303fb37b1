package io.margay.gateway.login;

import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryLimits;
import io.margay.gateway.directory.DirectoryUsers;
import io.margay.gateway.login.PasswordCheck.Asked;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.OutageLog;
import io.margay.server.users.SignedNonces;
import java.io.IOException;
import java.io.Serial;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Finds out who sends requests. Thread-safe: loops ask what is known, and threads of its own, few
/// of them, verify passwords; they end when there is nothing to verify.
public final class Logins {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");

    /// Files that are known at the same time; beyond it a file is read for each request.
    private static final int FILES_MAX = 1000;

    private static final LoginResult WRONG = new LoginResult.Wrong();
    private static final LoginResult FAILED = new LoginResult.Failed();

    private final LoginLimits limits;
    private final @Nullable UserSource server;
    private final Function<Login.Users.InDatabase, UserSource> databases;
    private final AuthServices services;
    private final OpenIdLogins openId;
    private final LongSupplier nanoClock;
    private final Remembered remembered;
    private final ThreadPoolExecutor verifying;
    private final ThreadPoolExecutor asking;
    private final LogRate rate;
    private final SignedNonces nonces;
    private final Map<Path, LoginFile<Map<String, String>>> digests = new ConcurrentHashMap<>();
    private final Map<Path, LoginFile<UserLines>> users = new ConcurrentHashMap<>();
    private final Map<Path, LoginFile<Map<String, Set<String>>>> groups = new ConcurrentHashMap<>();
    private final Map<Directory, DirectoryUsers> directories = new ConcurrentHashMap<>();

    /// Of files that could not be read.
    private final Map<Path, OutageLog> outages;

    /// What users of the server and of databases come from: after a reload nobody knows whether
    /// they are the same.
    private final Object sources = new Object();

    /// A file cannot be read, which has been logged.
    private static final class UnreadableException extends IOException {
        @Serial private static final long serialVersionUID = 1L;

        UnreadableException(IOException cause) {
            super(cause.getMessage(), cause);
        }
    }

    /// Where users are beside files.
    ///
    /// @param server the users of the server; null = it has none
    /// @param databases the users in tables, asked for each login
    /// @param directories those of hosts
    public record Sources(
            @Nullable UserSource server,
            Function<Login.Users.InDatabase, UserSource> databases,
            Set<Directory> directories) {
        /// Files alone.
        public static final Sources NONE =
                new Sources(
                        null,
                        one -> {
                            throw new IllegalStateException(
                                    "there is no data source " + one.resource());
                        },
                        Set.of());
    }

    /// Goes on with what `before` knows: the passwords of files and directories that are the same,
    /// and the connections to these directories.
    ///
    /// @param services asked where hosts say so
    /// @param openId logs users in at providers
    /// @param before of the configuration before, which is [retired][#retire] later; null = there
    ///   was none
    public Logins(
            LoginLimits limits,
            Sources from,
            AuthServices services,
            OpenIdLogins openId,
            LongSupplier nanoClock,
            @Nullable Logins before) {
        this.limits = limits;
        this.services = services;
        this.openId = openId;
        server = from.server;
        databases = from.databases;
        this.nanoClock = nanoClock;
        nonces = before == null ? new SignedNonces(nanoClock) : before.nonces;
        remembered =
                before != null && before.remembered.has(limits)
                        ? before.remembered
                        : new Remembered(limits, nanoClock);
        outages = before == null ? new ConcurrentHashMap<>() : before.outages;
        for (Directory directory : from.directories) {
            DirectoryUsers known = before == null ? null : before.directories.get(directory);
            if (known != null) {
                directories.put(directory, known);
            }
        }
        verifying = threads("margay-login-", limits.verifying(), limits.waitingMax());
        asking = threads("margay-login-server-", limits.askingMax(), limits.waitingMax());
        rate = new LogRate(Duration.ofSeconds(10), nanoClock);
    }

    private static ThreadPoolExecutor threads(String name, int number, int waiting) {
        ThreadPoolExecutor made =
                new ThreadPoolExecutor(
                        number,
                        number,
                        10,
                        TimeUnit.SECONDS,
                        new ArrayBlockingQueue<>(waiting),
                        Thread.ofPlatform().daemon().name(name, 0).factory());
        made.allowCoreThreadTimeOut(true);
        return made;
    }

    /// Closes the connections to directories that `next` does not go on with; null = all.
    public void retire(@Nullable Logins next) {
        directories.forEach((directory, known) -> {
            if (next == null || next.directories.get(directory) != known) {
                known.close();
            }
        });
    }

    /// What is known of who sends a request. Never waits.
    public LoginResult find(Login login, Exchange exchange) {
        if (login.refusesAtOnce()) {
            return WRONG;
        }
        if (!login.canAsk()) {
            return FAILED;
        }
        Login.Users source = login.users();
        if (source instanceof Login.Users.OfService(AuthService service)) {
            LoginFindings findings = LoginFindings.of(exchange);
            LoginResult result = findings.known(service);
            return result != null
                    ? result
                    : new LoginResult.Unknown(then ->
                            services.ask(
                                    exchange,
                                    service,
                                    answer -> {
                                        findings.found(service, answer);
                                        then.run();
                                    }));
        }
        if (source instanceof Login.Users.OfProvider(OpenIdClient client)) {
            return openId.find(client, exchange);
        }
        if (login.method() == Login.Method.DIGEST) {
            return digest(login, exchange);
        }
        Credentials given = Credentials.parse(authorization(exchange), limits);
        if (given == null) {
            return WRONG;
        }
        if (source == null) {
            return FAILED;
        }
        Path file = login.groups();
        Asked asked = new Asked(source, file == null ? "" : file.toString());
        LoginResult result = LoginFindings.of(exchange).known(asked);
        if (result != null) {
            return result;
        }
        LoginUser user = remembered.find(remembered.proof(asked, given), stamp(asked));
        return user != null
                ? new LoginResult.Right(user)
                : new LoginResult.Unknown(new PasswordCheck(this, exchange, asked, given));
    }

    /// What a path answers that is a provider's client's own. Never waits.
    public LoginResult own(OpenIdClient client, String path, Exchange exchange) {
        return openId.own(client, path, exchange);
    }

    /// Takes the cookies of logins at providers out of a request, once.
    public void takeCookies(Exchange exchange, Collection<OpenIdClient> clients) {
        LoginCookies.take(exchange, clients);
    }

    /// What is known of who sends a request with a certificate. Never waits.
    ///
    /// @param name that the certificate has
    public LoginResult shown(Login login, String name, Exchange exchange) {
        if (name.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            return WRONG; // It would be taken for an end in a log or by a program behind.
        }
        Path file = login.groups();
        if (file == null) {
            return new LoginResult.Right(
                    new LoginUser(name, Set.of(), false, LoginUser.CERTIFICATE));
        }
        Asked asked = new Asked(new Login.Users.OfCertificate(name), file.toString());
        LoginResult result = LoginFindings.of(exchange).known(asked);
        if (result != null) {
            return result;
        }
        byte[] octets = name.getBytes(StandardCharsets.UTF_8);
        Credentials given =
                new Credentials(new String(octets, StandardCharsets.ISO_8859_1), new byte[0]);
        return new LoginResult.Unknown(new PasswordCheck(this, exchange, asked, given));
    }

    private LoginResult digest(Login login, Exchange exchange) {
        LoginFindings findings = LoginFindings.of(exchange);
        LoginResult result = findings.known(login);
        if (result != null) {
            return result;
        }
        DigestField given = DigestField.parse(authorization(exchange));
        String realm = login.realm();
        if (given == null || realm == null || !given.realm().equals(octets(realm))) {
            return WRONG;
        }
        if (!(login.users() instanceof Login.Users.InFile(Path path))) {
            return FAILED;
        }
        RequestTarget target = exchange.request().target();
        String query = target.rawQuery() == null ? "" : "?" + target.rawQuery();
        if (!given.uri().equals(target.rawPath() + query)) {
            return new LoginResult.Refused(400); // as httpd: it was made for another request
        }
        LoginFile<Map<String, String>> file = digests(path);
        Map<String, String> secrets = file.known();
        if (secrets == null) {
            DigestCheck check = new DigestCheck(this, exchange, login);
            LoginResult read = findings.known(check);
            return read == null ? new LoginResult.Unknown(check) : read;
        }
        Duration said = login.nonceLife();
        Duration life = said == null ? Login.NONCE_LIFE_DEFAULT : said;
        SignedNonces.State state = nonces.check(given.nonce(), realm, life);
        String secret = secrets.get(given.octets() + ":" + given.realm());
        boolean right = given.isFrom(secret == null ? "" : secret, exchange.request().method());
        if (secret == null || !right) {
            return WRONG;
        }
        if (state != SignedNonces.State.GOOD) {
            // Whoever knows the password need not be asked for it again (RFC 7616 §3.3), also when
            // a restart has changed the key.
            findings.stale();
            return WRONG;
        }
        Path groups = login.groups();
        if (groups == null) {
            return new LoginResult.Right(
                    new LoginUser(given.name(), Set.of(), false, LoginUser.DIGEST));
        }
        Asked asked = new Asked(new Login.Users.OfDigest(given.name()), groups.toString());
        LoginResult found = findings.known(asked);
        return found != null
                ? found
                : new LoginResult.Unknown(
                        new PasswordCheck(
                                this,
                                exchange,
                                asked,
                                new Credentials(given.octets(), new byte[0])));
    }

    private static String octets(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /// Reads a file of `htdigest`. May wait.
    void readDigests(Login login) {
        if (login.users() instanceof Login.Users.InFile(Path path)) {
            try {
                Map<String, String> _ = read(path, digests(path), "nobody can log in");
            } catch (UnreadableException _) {
                // Nobody can log in, then.
            }
        }
    }

    /// What a file says. May wait for the disk.
    ///
    /// @param so what follows where it cannot be read
    private <T> T read(Path path, LoginFile<T> file, String so) throws UnreadableException {
        try {
            T value = file.read();
            OutageLog over = outages.get(path);
            if (over != null) {
                over.answered();
            }
            return value;
        } catch (IOException e) {
            if (outages.size() < FILES_MAX || outages.containsKey(path)) {
                outages.computeIfAbsent(
                                path,
                                one ->
                                        new OutageLog(
                                                LOG,
                                                one.toString(),
                                                "cannot be read, so that " + so,
                                                "can be read again",
                                                nanoClock))
                        .failed(e);
            } else {
                warn(path + " cannot be read, so that " + so + ": " + e);
            }
            throw new UnreadableException(e);
        }
    }

    private LoginFile<Map<String, String>> digests(Path file) {
        return known(
                digests, file, () -> new LoginFile<>(file, UserLines::digests, limits, nanoClock));
    }

    /// The `WWW-Authenticate` field of a response with 401; null where clients are not asked.
    public @Nullable String challenge(Login login, @Nullable Exchange exchange) {
        String realm = login.realm();
        if (realm == null) {
            return null;
        }
        return switch (login.method()) {
            case BASIC -> "Basic realm=" + Login.quoted(realm);
            case DIGEST -> {
                boolean stale = exchange != null && LoginFindings.of(exchange).isStale();
                yield "Digest realm="
                        + Login.quoted(realm)
                        + ", nonce=\""
                        + nonces.next(realm)
                        + "\", algorithm=MD5, qop=\"auth\""
                        + (stale ? ", stale=true" : "");
            }
            case NONE, SERVICE, OPENID -> null;
            case null -> null;
        };
    }

    /// Two fields are as good as none: nobody knows which one who comes after takes.
    private static @Nullable String authorization(Exchange exchange) {
        Fields fields = exchange.request().fields();
        String found = null;
        for (int i = 0; i < fields.size(); i++) {
            if (fields.nameIs(i, "authorization")) {
                if (found != null) {
                    return null;
                }
                found = fields.value(i);
            }
        }
        return found;
    }

    private Remembered.Stamp stamp(Asked asked) {
        String ofUsers =
                asked.users() instanceof Login.Users.InFile(Path file) ? users(file).stamp() : "";
        String ofGroups =
                asked.groups().isEmpty() ? "" : " " + groups(Path.of(asked.groups())).stamp();
        Object source =
                switch (asked.users()) {
                    case Login.Users.InDirectory(Directory directory) -> directory(directory);
                    case Login.Users.OfServer _, Login.Users.InDatabase _ -> sources;
                    case Login.Users.InFile _,
                            Login.Users.OfCertificate _,
                            Login.Users.OfDigest _,
                            Login.Users.OfService _,
                            Login.Users.OfProvider _ ->
                            "";
                };
        return new Remembered.Stamp(source, ofUsers + ofGroups);
    }

    private DirectoryUsers directory(Directory directory) {
        return directories.computeIfAbsent(
                directory, one -> new DirectoryUsers(one, DirectoryLimits.defaults(), nanoClock));
    }

    private LoginFile<UserLines> users(Path file) {
        return known(users, file, () -> new LoginFile<>(file, this::parse, limits, nanoClock));
    }

    private UserLines parse(String text) {
        UserLines lines = UserLines.users(text, limits);
        List<String> unusable = lines.unusable();
        if (!unusable.isEmpty()) {
            LOG.log(Level.WARNING, "the passwords of these users cannot be used: {0}", unusable);
        }
        return lines;
    }

    private LoginFile<Map<String, Set<String>>> groups(Path file) {
        return known(
                groups, file, () -> new LoginFile<>(file, UserLines::groups, limits, nanoClock));
    }

    private static <T> T known(
            Map<Path, T> files, Path file, java.util.function.Supplier<T> maker) {
        T found = files.get(file);
        if (found != null || files.size() >= FILES_MAX) {
            return found != null ? found : maker.get();
        }
        return files.computeIfAbsent(file, _ -> maker.get());
    }

    /// Has one of the threads run a task; false when too many wait.
    boolean submit(Login.@Nullable Users source, Runnable task) {
        try {
            boolean asks =
                    source instanceof Login.Users.OfServer
                            || source instanceof Login.Users.InDatabase
                            || source instanceof Login.Users.InDirectory;
            (asks ? asking : verifying).execute(task);
            return true;
        } catch (RejectedExecutionException _) {
            warn("too many passwords wait to be verified (LoginLimits.waitingMax)");
            return false;
        }
    }

    /// Finds out who somebody is. May take long.
    LoginResult verify(Asked asked, Credentials given) {
        if (asked.users() instanceof Login.Users.OfCertificate(String name)) {
            Set<String> of = groupsOf(given.octets(), asked);
            return new LoginResult.Right(new LoginUser(name, of, false, LoginUser.CERTIFICATE));
        }
        if (asked.users() instanceof Login.Users.OfDigest(String name)) {
            Set<String> of = groupsOf(given.octets(), asked);
            return new LoginResult.Right(new LoginUser(name, of, false, LoginUser.DIGEST));
        }
        Remembered.Stamp stamp = stamp(asked);
        String proof = remembered.proof(asked, given);
        LoginUser known = remembered.find(proof, stamp); // another request may have come first
        if (known != null) {
            return new LoginResult.Right(known);
        }
        try {
            LoginUser user =
                    switch (asked.users()) {
                        case Login.Users.InFile(Path file) -> ofFile(file, asked, given);
                        case Login.Users.OfServer _ -> ofServer(asked, given);
                        case Login.Users.InDatabase database ->
                                ofSource(databases.apply(database), asked, given);
                        case Login.Users.InDirectory(Directory directory) ->
                                ofDirectory(directory, asked, given);
                        case Login.Users.OfCertificate _,
                                Login.Users.OfDigest _,
                                Login.Users.OfService _,
                                Login.Users.OfProvider _ ->
                                null;
                    };
            if (user == null) {
                return WRONG;
            }
            remembered.put(proof, stamp, user);
            return new LoginResult.Right(user);
        } catch (UserSource.AwayException | DirectoryUsers.AwayException | UnreadableException _) {
            return FAILED; // It has been logged, once.
        } catch (IOException | RuntimeException e) {
            warn("nobody can log in: " + e);
            return FAILED;
        }
    }

    private @Nullable LoginUser ofFile(Path file, Asked asked, Credentials given)
            throws IOException {
        return read(file, users(file), "nobody can log in").matches(given)
                ? new LoginUser(
                        given.name(), groupsOf(given.octets(), asked), false, LoginUser.BASIC)
                : null;
    }

    private @Nullable LoginUser ofServer(Asked asked, Credentials given) {
        UserSource source = server;
        if (source == null) {
            throw new IllegalStateException("the server has no users (deploy.users)");
        }
        return ofSource(source, asked, given);
    }

    private @Nullable LoginUser ofSource(UserSource source, Asked asked, Credentials given) {
        String password = new String(given.password(), StandardCharsets.UTF_8);
        LoginUser user = source.verify(given.name(), password);
        return user == null || asked.groups().isEmpty()
                ? user
                : new LoginUser(user.name(), groupsOf(user.name(), asked), false, LoginUser.BASIC);
    }

    private @Nullable LoginUser ofDirectory(Directory directory, Asked asked, Credentials given)
            throws IOException {
        DirectoryUsers.Found found =
                directory(directory)
                        .verify(given.name(), new String(given.password(), StandardCharsets.UTF_8));
        if (found == null) {
            return null;
        }
        boolean ofFile = !asked.groups().isEmpty();
        return new LoginUser(
                found.name(),
                ofFile ? groupsOf(found.name(), asked) : found.groups(),
                !ofFile,
                LoginUser.BASIC,
                Map.of(LoginUser.ANSWERS, found.answers()));
    }

    /// Who is in no group where the file cannot be read.
    private Set<String> groupsOf(String name, Asked asked) {
        if (asked.groups().isEmpty()) {
            return Set.of();
        }
        try {
            Path file = Path.of(asked.groups());
            return read(file, groups(file), "nobody is in a group").getOrDefault(name, Set.of());
        } catch (UnreadableException _) {
            return Set.of();
        }
    }

    private void warn(String text) {
        LOG.log(rate.isDue() ? Level.WARNING : Level.DEBUG, text);
    }
}
