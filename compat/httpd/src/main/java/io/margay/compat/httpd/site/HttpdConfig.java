package io.margay.compat.httpd.site;

import io.margay.compat.account.Place;
import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.domain.HttpdDomains;
import io.margay.compat.httpd.jk.WorkerProperties;
import io.margay.compat.httpd.proxy.ProxyWorkers;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.FolderPages;
import io.margay.gateway.access.HostAccess;
import io.margay.gateway.access.SectionPages;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.plan.ListenerPlan;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/// What the directives of a whole configuration say, as they are read: its servers, and what is
/// said once for all of them. Confined to one reading.
final class HttpdConfig {
    final ReadingContext context;
    final WorkerProperties properties;
    final ProxyWorkers workers;
    final ClientDirectives clients;
    final ProxyHeaderDirectives headers;
    final HttpdDomains domains;

    /// What stands outside of all virtual hosts.
    final HttpdServer main;

    /// The main server, and the virtual hosts in the order of the files.
    final List<HttpdServer> servers = new ArrayList<>();

    final List<Listen> listens = new ArrayList<>();
    final Map<String, String> logFormats = new HashMap<>();
    final List<HttpdNode> workersFiles = new ArrayList<>();
    List<String> folderFiles = HostAccess.FOLDER_FILES;

    /// Whether listeners speak HTTP/2.
    boolean http2 = true;

    /// Whether files in folders are read.
    boolean readsFolders;

    /// What runs files, for the host that is put together.
    Function<HttpdServer.Pass, FileHandler> running = _ -> FileHandler.PROGRAM;

    /// What a rule of a section passes requests on to, for the host that is put together.
    Function<HttpdServer.Pass, RuleAction> passing = _ -> new RuleAction.Refuse(503);

    /// Whether rules of mod_rewrite stand in sections.
    boolean rewritesInSections;

    Duration mountReload = Duration.ofSeconds(60);

    /// Of each section that was opened, what it says of access.
    private final IdentityHashMap<HttpdSection, HttpdAccess> access = new IdentityHashMap<>();

    /// A `Listen` line.
    record Listen(ListenerPlan plan, boolean https, Place place) {}

    HttpdConfig(ReadingContext context, WorkerProperties properties) {
        this.context = context;
        this.properties = properties;
        workers = new ProxyWorkers(context.account());
        clients = new ClientDirectives(context);
        headers = new ProxyHeaderDirectives(context);
        domains = new HttpdDomains(context);
        main = new HttpdServer(new Place("", 0), Map.of(), context);
        servers.add(main);
    }

    /// What a section says of access.
    HttpdAccess access(HttpdSection section, HttpdServer server) {
        HttpdAccess known = access.get(section);
        return known == null ? server.access : known;
    }

    /// Notes what a section says of access.
    void access(HttpdSection section, HttpdAccess made) {
        access.put(section, made);
    }

    /// What becomes of files for which a handler of a section is.
    FileHandler handler(HttpdServer.Pass pass) {
        return running.apply(pass);
    }

    /// Expressions of the names of files that are programs in some section of some server.
    List<BoundedRegex> programs() {
        Set<String> names = new LinkedHashSet<>();
        for (HttpdServer server : servers) {
            server.access.programNames(names);
            Stream.of(server.folders, server.paths, server.peers)
                    .flatMap(List::stream)
                    .forEach(section -> section.programNames(names));
        }
        return names.stream().map(BoundedRegex::of).toList();
    }

    /// The maps that rules of a server may ask.
    HostChanges maps(HttpdServer server) {
        Map<String, MapSource> maps = new HashMap<>(main.maps);
        maps.putAll(server.maps);
        return new HostChanges(List.of(), maps, List.of(), List.of(), List.of());
    }

    /// The time that a request to a peer may take where nothing else is said.
    Duration timeout(HttpdServer server) {
        Duration own = server.proxyTimeout != null ? server.proxyTimeout : main.proxyTimeout;
        if (own != null) {
            return own;
        }
        Duration general = server.timeout != null ? server.timeout : main.timeout;
        return general == null ? Duration.ofSeconds(60) : general;
    }

    /// What is said of pages outside of all sections.
    SectionPages pages(HttpdServer server) {
        return server == main
                ? main.access.pages()
                : main.access.pages().then(server.access.pages());
    }

    /// The names that are tried for a folder where no section says more.
    List<String> index(HttpdServer server) {
        List<String> said = pages(server).index();
        return said != null ? said : FolderPages.DEFAULT.index();
    }

    /// The same for files of the document root, and of other folders, unless only sections can say
    /// it: a path elsewhere, a file that takes the place of what lies in several, or of the first
    /// of several pages.
    ///
    /// @param files what the server serves
    static boolean areOfRoutes(SectionPages pages, List<FilesPlan> files) {
        List<String> index = pages.index() == null ? List.of() : pages.index();
        String fallback = pages.fallback() == null ? "" : pages.fallback();
        return index.stream().noneMatch(name -> name.startsWith("/"))
                && (fallback.isEmpty()
                        || (index.size() < 2
                                && fallback.startsWith("/")
                                && files.stream().allMatch(one -> one.prefix().isEmpty())));
    }

    /// What holds for a server's peers that say nothing themselves. mod_proxy_ajp sizes its packets
    /// by the buffer: at least 8 KiB, at most 64 KiB, whole KiB.
    ProxyWorkers.PeerDefaults peerDefaults(HttpdServer server) {
        Integer buffer = server.ioBufferBytes != null ? server.ioBufferBytes : main.ioBufferBytes;
        int bytes = Math.clamp(buffer == null ? 0 : buffer, 8_192, 65_536);
        return new ProxyWorkers.PeerDefaults(
                timeout(server),
                (bytes + 1023) / 1024 * 1024,
                peerTls(server),
                server.preserveHost != null || server.keepsHost != null
                        ? server.keepsHost
                        : main.keepsHost);
    }

    /// How a server speaks TLS with its peers.
    PeerConfig.Tls peerTls(HttpdServer server) {
        return server.peerChecks.within(main.peerChecks, workers.shown());
    }

    /// Complains of variables on which access depends and which are not what they are in httpd, and
    /// of what is checked of peers though it need not be.
    void checkVariables() {
        for (HttpdServer server : servers) {
            server.peerChecks.check(main.peerChecks, context);
            context.variables().checkEarly(server.ofSetEnv(), context.account());
            for (HttpdNode one : server.aliasMatches) {
                if (context.variables().isUsed("CONTEXT_PREFIX")) {
                    context.changed(one, "programs get it as CONTEXT_PREFIX, as with Alias");
                }
            }
            HttpdNode name = server.namedPort;
            String usual = server.tls.within(main.tls).isOn() ? ":443" : ":80";
            if (name != null
                    && context.variables().isUsed("SERVER_PORT")
                    && !name.argument(0).endsWith(usual)) {
                context.changed(
                        name, "%{SERVER_PORT} is the port of the URL, not that of the name");
            }
        }
        context.variables()
                .check(
                        servers.stream().map(server -> server.lateVariables).toList(),
                        context.account());
    }
}
