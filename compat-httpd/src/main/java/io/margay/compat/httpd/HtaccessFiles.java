package io.margay.compat.httpd;

import io.margay.compat.account.Account;
import io.margay.compat.account.AccountLine;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.access.OverrideClasses;
import io.margay.compat.httpd.site.HttpdReader;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdParser;
import io.margay.compat.httpd.syntax.TextFile;
import io.margay.gateway.access.AccessRules;
import io.margay.gateway.access.AccessSection;
import io.margay.gateway.access.FolderOverrides;
import io.margay.gateway.access.FolderRules;
import io.margay.gateway.access.SectionMatch;
import io.margay.gateway.access.SectionRedirects;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.RuleLimits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads files such as `.htaccess`: who is let in, redirections, and which files are programs. One
/// that cannot be followed in what it closes, or says what it may not, closes its folder with 500,
/// as in httpd. Thread-safe; each is looked at once a second at most.
public final class HtaccessFiles implements FolderRules {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// What httpd allows in no such file, and would be done here while it is read.
    private static final Pattern FORBIDDEN =
            Pattern.compile("(?i)\\s*<?(include|includeoptional|define|use|macro)\\b.*");

    private final List<String> names;
    private final RuleLimits limits;
    private final LongSupplier clock;
    private final Map<Key, Known> known = new ConcurrentHashMap<>();

    private record Key(String folder, FolderOverrides allowed) {}

    /// @param changed when the file was changed that was read; null when there was none
    private record Known(
            @Nullable AccessSection section,
            @Nullable Path file,
            @Nullable FileTime changed,
            long lookedNanos) {}

    /// @param names of the files; the first that is there counts
    /// @param clock nanoseconds, as [System#nanoTime]
    public HtaccessFiles(List<String> names, RuleLimits limits, LongSupplier clock) {
        this.names = List.copyOf(names);
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public @Nullable AccessSection of(String folder, FolderOverrides allowed) {
        Key key = new Key(folder, allowed);
        Known before = known.get(key);
        long now = clock.getAsLong();
        if (before != null && now - before.lookedNanos < LOOK_NANOS) {
            return before.section;
        }
        Known found = look(Path.of(folder), allowed, before, now);
        if (before != null || known.size() < limits.folderFilesMax()) {
            known.put(key, found);
        }
        return found.section;
    }

    private Known look(Path folder, FolderOverrides allowed, @Nullable Known before, long now) {
        for (String name : names) {
            Path file = folder.resolve(name);
            if (!Files.exists(file)) {
                continue;
            }
            try {
                FileTime changed = Files.getLastModifiedTime(file);
                boolean same =
                        before != null
                                && file.equals(before.file)
                                && changed.equals(before.changed);
                AccessSection section =
                        same && before != null ? before.section : read(file, folder, allowed);
                return new Known(section, file, changed, now);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "{0} cannot be read: its folder is closed", file);
                return new Known(refused(403), null, null, now);
            }
        }
        return new Known(null, null, null, now);
    }

    private AccessSection read(Path file, Path folder, FolderOverrides allowed) throws IOException {
        Account account = new Account();
        AccessSection section = read(file, folder, allowed, limits, account);
        List<AccountLine> wrong = wrong(account);
        if (wrong.isEmpty()) {
            return section;
        }
        LOG.log(Level.WARNING, "its folder is closed with 500: {0}", wrong.getFirst());
        return refused(500);
    }

    /// The lines for which a folder is closed.
    static List<AccountLine> wrong(Account account) {
        return account.lines().stream()
                .filter(line -> line.verdict() == AccountLine.Verdict.WRONG)
                .toList();
    }

    /// Reads a file.
    ///
    /// @throws IOException when it cannot be read, or is too large
    static AccessSection read(
            Path file, Path folder, FolderOverrides allowed, RuleLimits limits, Account account)
            throws IOException {
        if (Files.size(file) > limits.fileBytesMax()) {
            throw new IOException("too large");
        }
        TextFile text = TextFile.read(file, file.toString());
        AccessSection section = AccessSection.NONE;
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
            section = HttpdReader.folder(nodes, folder, account);
        }
        return section;
    }

    private static AccessSection refused(int status) {
        GatewayRule rule = GatewayRule.of(GatewayRule.PathMatch.ANY, new RuleAction.Refuse(status));
        return new AccessSection(
                new SectionMatch.Everything(),
                AccessRules.NONE.withRedirects(SectionRedirects.of(List.of(rule))),
                List.of(),
                List.of());
    }
}
