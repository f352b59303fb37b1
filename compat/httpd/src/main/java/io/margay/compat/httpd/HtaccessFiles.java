package io.margay.compat.httpd;

import io.margay.compat.account.Account;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.access.OverrideClasses;
import io.margay.compat.httpd.site.HttpdReader;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdParser;
import io.margay.compat.httpd.syntax.TextFile;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.FolderFile;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.FolderRules;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.rules.RuleLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads files such as `.htaccess`: who is let in, where requests lead, which files are programs,
/// and what is changed in requests and responses. One that cannot be followed in what it closes, or
/// says what it may not, closes its folder with 500, as in httpd. Thread-safe; each is looked at
/// once a second at most.
public final class HtaccessFiles implements FolderRules {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// What httpd allows in no such file, and would be done here while it is read.
    private static final Pattern FORBIDDEN =
            Pattern.compile("(?i)\\s*<?(include|includeoptional|define|use|macro)\\b.*");

    private final List<String> names;
    private final List<FilesPlan> files;
    private final RuleLimits limits;
    private final LongSupplier clock;
    private final HostAccess.Passing passing;
    private final Map<String, UpstreamConfig> peers = new ConcurrentHashMap<>();
    private final Map<Key, Known> known = new ConcurrentHashMap<>();

    private record Key(String folder, FolderOverrides allowed) {}

    /// @param state of the file that was read; null when there was none
    private record Known(
            @Nullable FolderFile said,
            @Nullable Path file,
            @Nullable Map<String, Object> state,
            long lookedNanos) {}

    /// @param names of the files; the first that is there counts
    /// @param files that the host serves
    /// @param passing how requests are passed on where they say so
    /// @param clock nanoseconds, as [System#nanoTime]
    public HtaccessFiles(
            List<String> names,
            List<FilesPlan> files,
            HostAccess.Passing passing,
            RuleLimits limits,
            LongSupplier clock) {
        this.passing = passing;
        this.names = List.copyOf(names);
        this.files = List.copyOf(files);
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public @Nullable FolderFile of(String folder, FolderOverrides allowed) {
        Key key = new Key(folder, allowed);
        Known before = known.get(key);
        long now = clock.getAsLong();
        if (before != null && now - before.lookedNanos < LOOK_NANOS) {
            return before.said;
        }
        Known found = look(Path.of(folder), allowed, before, now);
        if (before != null || known.size() < limits.folderFilesMax()) {
            known.put(key, found);
        }
        return found.said;
    }

    private Known look(Path folder, FolderOverrides allowed, @Nullable Known before, long now) {
        for (String name : names) {
            Path file = folder.resolve(name);
            if (!Files.exists(file)) {
                continue;
            }
            try {
                Map<String, Object> state = state(file);
                boolean same =
                        before != null && file.equals(before.file) && state.equals(before.state);
                FolderFile said =
                        same && before != null ? before.said : read(file, folder, allowed);
                return new Known(said, file, state, now);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "{0} cannot be read: its folder is closed", file);
                return new Known(FolderFile.closed(403), null, null, now);
            }
        }
        return new Known(null, null, null, now);
    }

    /// What differs when a file has changed, with the same time and size, too: its inode, and the
    /// time of its last change that no program can set.
    private static Map<String, Object> state(Path file) throws IOException {
        boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        String asked = unix ? "unix:lastModifiedTime,size,ino,ctime" : "lastModifiedTime,size";
        return Files.readAttributes(file, asked);
    }

    private FolderFile read(Path file, Path folder, FolderOverrides allowed) throws IOException {
        Account account = new Account();
        FolderFile said = read(file, folder, allowed, new Host(files, passing), limits, account);
        List<AccountLine> wrong = wrong(account);
        if (wrong.isEmpty()) {
            for (Map.Entry<String, UpstreamConfig> peer : said.peers().entrySet()) {
                if (!take(peer.getKey(), peer.getValue())) {
                    LOG.log(
                            Level.WARNING,
                            "{0}: its folder is closed with 500: another file has a peer {1} at"
                                    + " another address",
                            file,
                            peer.getKey());
                    return FolderFile.closed(500);
                }
            }
            return said;
        }
        LOG.log(Level.WARNING, "its folder is closed with 500: {0}", wrong.getFirst());
        return FolderFile.closed(500);
    }

    /// Takes a peer, unless its name, which is made of its URL, is that of another one: the
    /// requests of the one folder would go to the peer of the other.
    private boolean take(String name, UpstreamConfig peer) {
        UpstreamConfig first = peers.get(name);
        if (first != null && !addresses(first).equals(addresses(peer))) {
            return false;
        }
        if (first != null || peers.size() < limits.folderFilesMax()) {
            peers.put(name, peer);
        }
        return true;
    }

    private static List<PeerAddress> addresses(UpstreamConfig upstream) {
        return upstream.peers().stream().map(PeerConfig::address).toList();
    }

    /// The lines for which a folder is closed.
    static List<AccountLine> wrong(Account account) {
        return account.lines().stream()
                .filter(line -> line.verdict() == AccountLine.Verdict.WRONG)
                .toList();
    }

    @Override
    public @Nullable UpstreamConfig peer(String name) {
        return peers.get(name);
    }

    /// The host in whose folders files lie.
    ///
    /// @param files that it serves
    /// @param passing how it passes requests on
    record Host(List<FilesPlan> files, HostAccess.Passing passing) {
        /// One of which nothing is known.
        static final Host NONE = new Host(List.of(), HostAccess.NONE.passing());
    }

    /// Reads a file.
    ///
    /// @throws IOException when it cannot be read, or is too large
    static FolderFile read(
            Path file,
            Path folder,
            FolderOverrides allowed,
            Host host,
            RuleLimits limits,
            Account account)
            throws IOException {
        if (Files.size(file) > limits.fileBytesMax()) {
            throw new IOException("too large");
        }
        TextFile text = TextFile.read(file, file.toString());
        FolderFile said = new FolderFile(AccessSection.NONE, null, Map.of());
        if (text.lines().stream().anyMatch(line -> FORBIDDEN.matcher(line).matches())) {
            account.wrong(
                    new Place(file.toString(), 0),
                    "the file",
                    "has directives that are not" + " allowed there");
        } else {
            HttpdParser parser = new HttpdParser(account, Map.of());
            List<HttpdNode> nodes = parser.parse(text, folder);
            parser.end();
            OverrideClasses.check(text, nodes, allowed, account);
            said = HttpdReader.folder(nodes, folder, host.files, host.passing, account);
        }
        return said;
    }
}
