package io.margay.gateway.access;

import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.regex.BoundedRegex;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Who may ask a host for what. Immutable.
///
/// @param always what holds for every request, and the sections that stand in none
/// @param folders about folders of files by their depth, then expressions by the slashes in their
///   text, as httpd sorts them
/// @param paths about paths, in order
/// @param peers about URLs at peers, in order
/// @param urls by which the sections about peers know upstreams, `http://HOST:PORT` or
///   `balancer://NAME`
/// @param scripts upstreams that stand for files: sections about folders and files are about what
///   goes to them
/// @param folderFiles names of the files in folders that say more about them, where sections let
///   them
/// @param programs expressions of the names of files that are programs in some section of some
///   host: their source is sent only where a section about them says so
/// @param passing how requests are passed on by what files in folders say
@RecordBuilder
public record HostAccess(
        AccessSection always,
        List<AccessSection> folders,
        List<AccessSection> paths,
        List<AccessSection> peers,
        Map<String, String> urls,
        Set<String> scripts,
        List<String> folderFiles,
        List<BoundedRegex> programs,
        Passing passing)
        implements HostAccessBuilder.With {
    /// How requests are passed on by what files in folders say.
    ///
    /// @param rules their reply timeout is that of the peers
    /// @param tls how peers behind TLS are spoken to
    public record Passing(ProxyRules rules, PeerConfig.Tls tls) {}

    /// How these files are called where nothing else is said.
    public static final List<String> FOLDER_FILES = List.of(".htaccess");

    /// Everybody for everything.
    public static final HostAccess NONE =
            new HostAccess(
                    AccessSection.NONE,
                    List.of(),
                    List.of(),
                    List.of(),
                    Map.of(),
                    Set.of(),
                    FOLDER_FILES,
                    List.of(),
                    new Passing(ProxyRules.defaults(), PeerConfig.Tls.defaults()));

    public HostAccess {
        List<AccessSection> sorted = new ArrayList<>(folders);
        if (sorted.size() > 1) { // The comparators' classes are made at each start.
            sorted.sort(
                    Comparator.<AccessSection>comparingInt(HostAccess::depth)
                            .thenComparingInt(HostAccess::slashes));
        }
        folders = List.copyOf(sorted);
        folderFiles = List.copyOf(folderFiles);
        programs = List.copyOf(programs);
        paths = List.copyOf(paths);
        peers = List.copyOf(peers);
        urls = Collections.unmodifiableMap(new TreeMap<>(urls));
        scripts = Collections.unmodifiableSet(new TreeSet<>(scripts));
    }

    /// Names of fields that services give, as [AuthService#canonical]: clients cannot send them.
    Set<String> reserved() {
        Set<String> names = new HashSet<>();
        clients().forEach(client -> names.addAll(client.reserved()));
        always.reserve(names);
        folders.forEach(section -> section.reserve(names));
        paths.forEach(section -> section.reserve(names));
        peers.forEach(section -> section.reserve(names));
        return names;
    }

    /// The clients of OpenID providers at which users log in.
    public Set<OpenIdClient> clients() {
        Set<OpenIdClient> clients = new LinkedHashSet<>();
        always.clients(clients);
        folders.forEach(section -> section.clients(clients));
        paths.forEach(section -> section.clients(clients));
        peers.forEach(section -> section.clients(clients));
        return clients;
    }

    /// The directories whose users log in.
    public Set<Directory> directories() {
        Set<Directory> directories = new LinkedHashSet<>();
        always.directories(directories);
        folders.forEach(section -> section.directories(directories));
        paths.forEach(section -> section.directories(directories));
        peers.forEach(section -> section.directories(directories));
        return directories;
    }

    /// Whether everybody may ask for everything.
    public boolean isEmpty() {
        return always.isEmpty()
                && folders.isEmpty()
                && paths.isEmpty()
                && peers.isEmpty()
                && programs.isEmpty();
    }

    /// Whether the same is said of every path, file and folder, and nothing but who is let in.
    boolean isUniform() {
        return always.files().isEmpty()
                && always.conditional().isEmpty()
                && always.rules().isUniform()
                && folders.isEmpty()
                && paths.isEmpty()
                && peers.isEmpty()
                && programs.isEmpty();
    }

    /// What the sections about a file make of it; where they say nothing, it is a program if others
    /// make one of its name.
    FileHandler handler(SectionWalk walk, String name) {
        FileHandler said = walk.rules().handlers().of(name);
        FileHandler byName = isProgram(name) ? FileHandler.PROGRAM : FileHandler.FILE;
        return said == null ? byName : said;
    }

    /// Whether a file of this name is a program somewhere.
    boolean isProgram(String name) {
        boolean found = false;
        for (int i = 0; i < programs.size() && !found; i++) {
            found = programs.get(i).find(name) != null;
        }
        return found;
    }

    /// Whether texts among files have no charset unless sections say more.
    public boolean isWithoutCharset() {
        return "".equals(always.rules().types().charset());
    }

    /// Whether rules outside of all sections rewrite.
    boolean rewrites() {
        return Boolean.TRUE.equals(always.rules().rewriting().engine());
    }

    /// Whether some file may be a program.
    boolean judgesFiles() {
        return !programs.isEmpty()
                || readsFolders()
                || always.judgesFiles()
                || Stream.of(folders, paths, peers)
                        .flatMap(List::stream)
                        .anyMatch(AccessSection::judgesFiles);
    }

    /// Whether files such as `.htaccess` are read anywhere.
    public boolean readsFolders() {
        return always.rules().overrides().areRead()
                || folders.stream().anyMatch(one -> one.rules().overrides().areRead());
    }

    /// Whether such files may say who the users are.
    public boolean foldersKnowUsers() {
        return knowsUsers(always) || folders.stream().anyMatch(HostAccess::knowsUsers);
    }

    private static boolean knowsUsers(AccessSection section) {
        FolderOverrides overrides = section.rules().overrides();
        return overrides.hasClass("authconfig") || overrides.hasDirective("authuserfile");
    }

    /// What files such as `.htaccess` may say in a folder, as far as sections decide it.
    public FolderOverrides overrides(Path folder) {
        List<Path> way = new ArrayList<>();
        for (Path at = folder.toAbsolutePath().normalize(); at != null; at = at.getParent()) {
            way.addFirst(at);
        }
        FolderOverrides found = always.rules().overrides();
        int next = 0;
        for (int depth = 0; depth < way.size(); depth++) {
            while (next < folders.size() && depth(folders.get(next)) <= depth) {
                AccessSection section = folders.get(next++);
                if (section.match().takes(way.get(depth).toString(), SectionMatch.Kind.FOLDER)) {
                    found = found.then(section.rules().overrides());
                }
            }
        }
        return found;
    }

    /// How many names a folder's path has.
    static int depth(AccessSection section) {
        return switch (section.match()) {
            case SectionMatch.Literal(String path) -> depth(path);
            case SectionMatch.Pattern pattern -> depth(pattern.pattern());
            case SectionMatch.Everything _ -> 0;
            case SectionMatch.Found _, SectionMatch.When _ -> Integer.MAX_VALUE;
        };
    }

    private static int slashes(AccessSection section) {
        return section.match() instanceof SectionMatch.Found(BoundedRegex regex)
                ? depth(regex.toString())
                : 0;
    }

    private static int depth(String path) {
        return path.equals("/") ? 0 : (int) path.chars().filter(c -> c == '/').count();
    }
}
