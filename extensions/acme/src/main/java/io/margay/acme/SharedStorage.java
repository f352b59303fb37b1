package io.margay.acme;

import io.margay.server.acme.AcmeCertificate;
import io.margay.server.acme.AcmeChallenges;
import io.margay.server.acme.AcmeConfig;
import io.margay.server.shared.SharedGroup;
import io.margay.server.shared.SharedTable;
import io.margay.transport.KeySource;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Accounts, certificates and orders that the servers of a group have in common: a copy of the
/// folder in the engine, encrypted by the group, a table for each certificate and each account, and
/// one that says which of them have changed. The server that has the lease orders and writes; the
/// others take what is there, and all answer what authorities look for. The folder stays, so that a
/// server starts without the engine.
///
/// [#run] is called by the thread of the group; orders under way write their own folders, each on
/// its thread, and the thread of the orders leaves these alone meanwhile; everything else is done
/// by that one.
final class SharedStorage implements SharedGroup.Task, AutoCloseable {
    /// After which another server may order, if this one says nothing more.
    static final Duration LEASE = Duration.ofSeconds(10);

    /// Until others have heard of what authorities look for.
    static final Duration HEARD = Duration.ofSeconds(2);

    private static final System.Logger LOG = System.getLogger(SharedStorage.class.getName());
    private static final String TABLE = "acme";
    private static final String RENEW = "renew ";
    private static final String CHANGE_KEYS = "change-keys";

    /// Of the index: what the server that orders has been told to order.
    private static final String ORDERS = "orders";

    private static final int TOLD_MAX = 5;
    private static final String FILE = "http-01 ";
    private static final String HANDSHAKE = "tls-alpn-01 ";
    private static final String FOLDERS = "certificates/";
    private static final String CERTIFICATE = "certificate.pem";
    private static final List<String> OF_CERTIFICATE =
            List.of(CERTIFICATE, CertificateFolder.STATE, CertificateFolder.NEXT_KEY);
    private static final List<String> OF_ACCOUNT =
            List.of(AccountFiles.KEY, AccountFiles.PLACE, AccountFiles.NEXT_KEY);

    /// What one order leaves behind, and is gone where it is not in the engine.
    private static final Set<String> PASSING =
            Set.of(CertificateFolder.NEXT_KEY, AccountFiles.PLACE);

    private static final Pattern ACCOUNT =
            Pattern.compile("accounts/[\\w\\[:][\\w.:\\[\\]-]{0,300}");
    private static final int NAME_BYTES = 16;

    private final SharedGroup group;
    private final Path folder;
    private final AcmeChallenges answers;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Duration aloneAfter;
    private final Runnable wake;

    /// By folder, a digest of what is in it.
    private final SharedTable index;

    private final SharedTable challenges;
    private final Map<String, SharedTable> tables = new ConcurrentHashMap<>();

    /// Folders that the engine does not have as they are.
    private final Set<String> unsent = ConcurrentHashMap.newKeySet();

    /// Folders of the certificates whose orders are under way.
    private final Set<String> ordering = new HashSet<>();

    /// Certificates of this server that the one that orders does not know, as they were told last.
    private List<String> left = List.of();

    /// Of the thread of the group: what it has seen, and what it has had answered.
    private Map<String, String> seen = Map.of();

    private final Map<String, Runnable> answered = new ConcurrentHashMap<>();

    private final long begunNanos = System.nanoTime();
    private volatile boolean mayOrder;
    private volatile boolean leased;
    private volatile long leasedNanos;
    private volatile long heardNanos = System.nanoTime();

    /// @param aloneAfter how long the engine must have been away for each server to order by itself
    /// @param wake has the thread of the orders look
    SharedStorage(
            SharedGroup group,
            Path folder,
            AcmeChallenges answers,
            InstantSource clock,
            RandomGenerator random,
            Duration aloneAfter,
            Runnable wake) {
        this.group = group;
        this.folder = folder;
        this.answers = answers;
        this.clock = clock;
        this.random = random;
        this.aloneAfter = aloneAfter;
        this.wake = wake;
        index = group.table(TABLE);
        challenges = group.table(TABLE + " challenges");
    }

    // On the thread of the group

    @Override
    public void run() throws IOException {
        // First what only a server of the group can read: another one must not have the lease.
        answer(challenges.refresh());
        Map<String, String> entries = index.refresh();
        long askedNanos = System.nanoTime(); // the engine counts from later on
        boolean has = mayOrder && group.lease(TABLE, LEASE);
        boolean had = leased;
        leasedNanos = askedNanos;
        leased = has;
        heardNanos = System.nanoTime();
        boolean changed = !entries.equals(seen);
        seen = entries;
        if (has != had || changed) {
            wake.run();
        }
    }

    private static boolean isAsked(String key) {
        return key.startsWith(RENEW) || key.equals(CHANGE_KEYS);
    }

    private void answer(Map<String, String> wanted) throws IOException {
        for (String gone : Set.copyOf(answered.keySet())) {
            if (!wanted.containsKey(gone)) {
                Runnable undo = answered.remove(gone);
                if (undo != null) {
                    undo.run();
                }
            }
        }
        for (Map.Entry<String, String> one : wanted.entrySet()) {
            if (!answered.containsKey(one.getKey())) {
                answer(one.getKey(), one.getValue());
            }
        }
    }

    private void answer(String key, String value) throws IOException {
        if (key.startsWith(FILE)) {
            String token = key.substring(FILE.length());
            if (answers.addFile(token, value)) {
                answered.put(key, () -> answers.removeFile(token));
            }
        } else if (key.startsWith(HANDSHAKE)) {
            String domain = key.substring(HANDSHAKE.length());
            KeyPair pair = Keys.make(AcmeCertificate.KeyKind.EC256);
            byte[] digest = Base64.getDecoder().decode(value);
            X509Certificate shown =
                    OwnSigned.challenge(pair, domain, digest, clock.instant(), random);
            if (answers.addCertificate(
                    domain, new KeySource.Keys(List.of(shown), pair.getPrivate()))) {
                answered.put(key, () -> answers.removeCertificate(domain));
            }
        }
    }

    // Who orders

    /// Says whether this server could order: one that could not leaves the lease to others.
    void mayOrder(boolean now) {
        if (mayOrder != now) {
            mayOrder = now;
            group.wake();
        }
    }

    /// Whether this server is the one that orders; also where the engine has been away for so long
    /// that each does for itself.
    boolean leads() {
        long now = System.nanoTime();
        return (leased && now - leasedNanos < LEASE.toNanos())
                || now - heardNanos >= aloneAfter.toNanos();
    }

    /// Says that this server orders, or does not.
    void lead(boolean now) {
        if (!now) {
            unsent.removeIf(one -> !isOrdering(one)); // another server goes on with it
        }
    }

    /// Says that the order of a certificate begins, or has ended.
    void ordering(String name, boolean now) {
        boolean _ = now ? ordering.add(FOLDERS + name) : ordering.remove(FOLDERS + name);
    }

    /// Whether an order may be writing a folder: any order writes accounts.
    private boolean isOrdering(String name) {
        return ordering.contains(name) || (name.startsWith("accounts/") && !ordering.isEmpty());
    }

    // What is in the engine

    /// Writes into the folder what others have changed, and into the engine what is newer here: of
    /// two certificates the one that was issued later.
    ///
    /// @return whether files were written
    boolean take(AcmeConfig config) {
        Set<String> names = folders(config);
        boolean written =
                take(name ->
                        (names.contains(name) || isAccount(name))
                                && !unsent.contains(name)
                                && !isOrdering(name));
        send();
        return written;
    }

    /// Writes what others have of certificates that this server does not have yet.
    void takeNew(AcmeConfig config) {
        Set<String> names = folders(config);
        boolean _ =
                take(name ->
                        names.contains(name)
                                && !Files.exists(folder.resolve(name).resolve(CERTIFICATE)));
    }

    private boolean take(Predicate<String> wanted) {
        boolean written = false;
        try {
            for (Map.Entry<String, String> one : index.refresh().entrySet()) {
                String name = one.getKey();
                if (wanted.test(name) && !one.getValue().equals(digest(read(name)))) {
                    written |= take(name, table(name).refresh());
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "certificates of the group: {0}", e.getMessage());
        }
        return written;
    }

    private boolean take(String name, Map<String, String> files) throws IOException {
        Map<String, String> here = read(name);
        if (isNewer(here.get(CERTIFICATE), files.get(CERTIFICATE))) {
            unsent.add(name);
            return false;
        }
        for (String file : files(name)) {
            Path path = folder.resolve(name).resolve(file);
            String content = files.get(file);
            if (content != null && !content.equals(here.get(file))) {
                Storage.write(path, content);
            } else if (content == null && PASSING.contains(file)) {
                Files.deleteIfExists(path);
            }
        }
        return true;
    }

    /// Whether the certificate of this server was issued after that of the engine.
    private static boolean isNewer(@Nullable String here, @Nullable String there) {
        X509Certificate own = issued(here);
        X509Certificate other = issued(there);
        return own != null
                && (other == null
                        || own.getNotBefore()
                                .toInstant()
                                .isAfter(other.getNotBefore().toInstant()));
    }

    /// The certificate that an authority has issued.
    ///
    /// @param text null = there is no file
    /// @return null = there is none, as in a file that is damaged
    private static @Nullable X509Certificate issued(@Nullable String text) {
        try {
            X509Certificate found = text == null ? null : Keys.certificate(text);
            return found == null || OwnSigned.isPlaceholder(found) ? null : found;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "a certificate of the group: {0}", e.getMessage());
            return null;
        }
    }

    /// A folder of the storage has changed here. Where another server has gone on with the order,
    /// what that one has written stays.
    void changed(Path changed) {
        String name = folder.relativize(changed).toString().replace('\\', '/');
        unsent.add(name);
        if (leads()) {
            send(name);
        }
    }

    /// Has the engine everything that is in the folder, and nothing lost. For the server that
    /// orders, from time to time.
    void complete(AcmeConfig config) {
        try {
            Map<String, String> entries = index.refresh();
            String orders = String.join("\n", orders(config).values());
            if (!orders.equals(entries.get(ORDERS))) {
                Map<String, String> _ = index.update(all -> with(all, ORDERS, orders));
            }
            for (String name : names(config)) {
                if (isOrdering(name)) {
                    continue;
                }
                String said = entries.get(name);
                if (said == null || !said.equals(digest(table(name).refresh()))) {
                    unsent.add(name);
                }
            }
            send();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "certificates of the group: {0}", e.getMessage());
        }
    }

    /// By name, what servers must agree on, for one of them orders for all.
    private static Map<String, String> orders(AcmeConfig config) {
        Map<String, String> all = new TreeMap<>();
        for (AcmeCertificate one : config.certificates()) {
            String domains = String.join(" ", one.domains());
            all.put(one.name(), domains + " " + one.key() + " " + one.authority().directory());
        }
        return all;
    }

    /// Tells which certificates of this server another one does not order as they are wanted here.
    void compare(AcmeConfig config) {
        String said = index.entries().get(ORDERS);
        if (said == null) {
            return;
        }
        List<String> ordered = List.of(said.split("\n"));
        List<String> now = new ArrayList<>();
        orders(config)
                .forEach((name, order) -> {
                    if (!ordered.contains(order)) {
                        now.add(name);
                    }
                });
        if (!now.equals(left) && !now.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "{0}{1}: not ordered as this server has it, for the server of the group that"
                            + " orders has another \"acme\"; give all servers of a group the same",
                    String.join(", ", now.subList(0, Math.min(TOLD_MAX, now.size()))),
                    now.size() > TOLD_MAX ? " and " + (now.size() - TOLD_MAX) + " more" : "");
        }
        left = now;
    }

    private List<String> names(AcmeConfig config) throws IOException {
        List<String> names = new ArrayList<>(folders(config));
        Path accounts = folder.resolve("accounts");
        if (Files.isDirectory(accounts)) {
            try (Stream<Path> all = Files.list(accounts)) {
                all.forEach(one -> names.add("accounts/" + one.getFileName()));
            }
        }
        return names;
    }

    private void send() {
        unsent.stream().filter(one -> !isOrdering(one)).forEach(this::send);
    }

    private void send(String name) {
        try {
            Map<String, String> files = read(name);
            if (!files.isEmpty()) {
                Map<String, String> _ = table(name).update(_ -> files);
                Map<String, String> _ = index.update(all -> with(all, name, digest(files)));
            }
            unsent.remove(name);
        } catch (IOException e) {
            // It is tried again; the folder has it.
            LOG.log(Level.DEBUG, "{0} is not in the store yet: {1}", name, e.getMessage());
        }
    }

    private static Map<String, String> with(Map<String, String> all, String key, String value) {
        Map<String, String> after = new TreeMap<>(all);
        after.put(key, value);
        return after;
    }

    /// The engine does not read the names of certificates.
    private SharedTable table(String name) {
        return tables.computeIfAbsent(
                name,
                one ->
                        group.table(
                                TABLE
                                        + " "
                                        + HexFormat.of()
                                                .formatHex(
                                                        group.derive(TABLE + " " + one),
                                                        0,
                                                        NAME_BYTES)));
    }

    private static boolean isAccount(String name) {
        return ACCOUNT.matcher(name).matches() && !name.contains("..");
    }

    private static Set<String> folders(AcmeConfig config) {
        return config.certificates().stream()
                .map(one -> FOLDERS + one.name())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> files(String name) {
        return name.startsWith("accounts/") ? OF_ACCOUNT : OF_CERTIFICATE;
    }

    /// What is shared of a folder: all but a certificate that no authority has issued.
    private Map<String, String> read(String name) throws IOException {
        Map<String, String> files = new TreeMap<>();
        for (String file : files(name)) {
            Path path = folder.resolve(name).resolve(file);
            if (Storage.exists(path)) {
                String content = Storage.read(path);
                if (!file.equals(CERTIFICATE) || issued(content) != null) {
                    files.put(file, content);
                }
            }
        }
        return files;
    }

    private static String digest(Map<String, String> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            new TreeMap<>(files)
                    .forEach((name, content) -> {
                        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
                        digest.update((content.length() + "\n").getBytes(StandardCharsets.UTF_8));
                        digest.update(content.getBytes(StandardCharsets.UTF_8));
                    });
            return HexFormat.of().formatHex(digest.digest());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("no SHA-256", e);
        }
    }

    // What authorities look for

    /// Has all servers answer a token.
    void addFile(String token, String authorization) throws IOException {
        Map<String, String> _ = challenges.update(all -> with(all, FILE + token, authorization));
    }

    void removeFile(String token) throws IOException {
        remove(challenges, Set.of(FILE + token));
    }

    /// Has all servers show a certificate with this digest for a name.
    void addCertificate(String domain, byte[] digest) throws IOException {
        String text = Base64.getEncoder().encodeToString(digest);
        Map<String, String> _ = challenges.update(all -> with(all, HANDSHAKE + domain, text));
    }

    void removeCertificate(String domain) throws IOException {
        remove(challenges, Set.of(HANDSHAKE + domain));
    }

    /// Takes away what a server has left that ended while it ordered, when no order is under way;
    /// not what another one needs that orders by now.
    void clearChallenges() {
        if (!leads() || challenges.entries().isEmpty()) {
            return;
        }
        try {
            Map<String, String> _ = challenges.update(_ -> Map.of());
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "challenges of the group: {0}", e.getMessage());
        }
    }

    /// How long to wait until all servers answer.
    Duration heard() {
        boolean others = group.size() > 1 || System.nanoTime() - begunNanos < HEARD.toNanos();
        return others && !group.isAway() ? HEARD : Duration.ZERO;
    }

    private static void remove(SharedTable from, Set<String> keys) throws IOException {
        Map<String, String> _ =
                from.update(all -> {
                    Map<String, String> after = new TreeMap<>(all);
                    after.keySet().removeAll(keys);
                    return after;
                });
    }

    // What is asked of the server that orders

    /// Has the server that orders renew a certificate.
    void askRenewal(String name) throws IOException {
        ask(RENEW + name);
    }

    void askKeys() throws IOException {
        ask(CHANGE_KEYS);
    }

    private void ask(String what) throws IOException {
        Map<String, String> _ = index.update(all -> with(all, what, group.node()));
    }

    /// What others have asked for since the last call: the names of certificates to be renewed, and
    /// an empty one for other keys of accounts.
    Set<String> asked() {
        Set<String> keys = new HashSet<>();
        Set<String> names = new HashSet<>();
        for (String key : index.entries().keySet()) {
            if (isAsked(key)) {
                keys.add(key);
                names.add(key.equals(CHANGE_KEYS) ? "" : key.substring(RENEW.length()));
            }
        }
        if (keys.isEmpty()) {
            return Set.of();
        }
        try {
            remove(index, keys);
            return names;
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "certificates of the group: {0}", e.getMessage());
            return Set.of();
        }
    }

    /// Lets another server order at once.
    @Override
    public void close() {
        group.end(this);
        answered.values().forEach(Runnable::run);
        if (leased) {
            try {
                boolean _ = group.lease(TABLE, Duration.ofMillis(1));
            } catch (IOException e) {
                LOG.log(Level.DEBUG, "the lease ends by itself: {0}", e.getMessage());
            }
        }
    }

    /// Begins to listen to the others.
    void begin() {
        group.every(this);
        group.wake();
    }
}
