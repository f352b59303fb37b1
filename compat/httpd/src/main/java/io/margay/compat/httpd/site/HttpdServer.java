package io.margay.compat.httpd.site;

import io.margay.compat.account.Place;
import io.margay.compat.httpd.access.HttpdAccess;
import io.margay.compat.httpd.access.HttpdOpenId;
import io.margay.compat.httpd.cache.HttpdCache;
import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.RequestVariables;
import io.margay.compat.httpd.jk.MountRule;
import io.margay.compat.httpd.proxy.ProxyParameters;
import io.margay.compat.httpd.proxy.ProxyUrl;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.tls.HttpdTls;
import io.margay.compat.httpd.tls.PeerChecks;
import io.margay.compat.httpd.tls.TlsHost;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.plan.HostPlan.LogPlan;
import io.margay.gateway.proxy.ProxyRules.PathRules;
import io.margay.gateway.proxy.ProxyRules.Replacement;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.VariableRule;
import io.margay.protocol.http.PathReading.EncodedSlash;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the directives of the main server or of a virtual host say, as they are read. Confined to
/// one reading.
final class HttpdServer {
    final Place place;

    /// `ADDRESS:PORT`, `*:PORT`; empty for the main server.
    final List<String> addresses;

    /// By these, how hosts are written at `VirtualHost`.
    private final Map<String, Set<String>> written;

    final List<String> names = new ArrayList<>();
    @Nullable String documentRoot;

    /// The `ServerName` that has a port, or null.
    @Nullable HttpdNode namedPort;

    @Nullable String admin;

    final List<FilesPlan> aliases = new ArrayList<>();

    final List<HttpdNode> aliasMatches = new ArrayList<>();

    /// Paths of `Alias` that end with a slash, without it, by whether all of them do.
    private final Map<String, Boolean> slashed = new LinkedHashMap<>();

    final List<LogPlan> logs = new ArrayList<>();

    final HttpdTls tls = new HttpdTls();
    final HttpdContent content = new HttpdContent();

    // mod_jk

    final List<MountRule> mounts = new ArrayList<>();
    final List<HttpdNode> mountFiles = new ArrayList<>();
    final List<String> options = new ArrayList<>();
    final Map<String, String> jkVariables = new LinkedHashMap<>();
    @Nullable Path jkLog;
    @Nullable String jkLogFormat;
    @Nullable String jkStamp;
    boolean mountCopy;
    boolean mountCopyAll;
    @Nullable String autoAlias;

    // mod_proxy

    final List<Pass> passes = new ArrayList<>();
    final List<Pass> sectionPasses = new ArrayList<>();
    final List<Reverse> reverses = new ArrayList<>();
    final HttpdCache cache = new HttpdCache();
    final List<Replacement> cookieDomains = new ArrayList<>();
    final List<Replacement> cookiePaths = new ArrayList<>();
    @Nullable Boolean preserveHost;

    /// What has peers get the client's `Host`, in the whole server or in a section.
    @Nullable HttpdNode keepsHost;

    final PeerChecks peerChecks = new PeerChecks();
    @Nullable Integer errorOverride;

    /// Statuses that `ProxyErrorOverride` names.
    List<Integer> overridden = List.of();

    /// What sections say of how requests are passed on.
    final List<PathRules> proxySections = new ArrayList<>();

    @Nullable Boolean addHeaders;
    @Nullable Duration timeout;
    @Nullable Duration proxyTimeout;
    @Nullable Integer ioBufferBytes;
    boolean passInherit = true;

    // Others

    boolean rewriteEngine;

    /// Whether rules of the main server count, too, and whether before those of this one.
    boolean rewriteInherit;

    boolean rewriteInheritBefore;

    /// Of the main server: whether all others have its rules.
    boolean rewriteInheritDown;

    final List<Rewriting> rewrites = new ArrayList<>();

    /// Variables that rules set by who the user is, which is known once access has been decided on.
    final Set<String> userVariables = new HashSet<>();

    /// The first rule that sets one, or null.
    @Nullable HttpdNode userRule;

    /// A rule that leads past those after it where it has set such variables, or null.
    @Nullable HttpdNode userLast;

    /// The last rule that is not followed as httpd does, or null.
    @Nullable Place inexactRule;

    final List<GatewayRule> redirects = new ArrayList<>();

    /// Those of sections, which come before what forwards.
    final List<GatewayRule> sectionRedirects = new ArrayList<>();

    final List<GatewayRule> handlers = new ArrayList<>();
    final List<Pass> handled = new ArrayList<>();

    /// Refuse what `ScriptAlias` stands for.
    final List<GatewayRule> scripts = new ArrayList<>();

    final List<GatewayRule> noJk = new ArrayList<>();

    /// What is said of access outside of all sections, or in `Files` and `If` there.
    final HttpdAccess access;

    final HttpdOpenId openId;

    /// What is said of access in sections of a kind, in the order of the file.
    final List<HttpdAccess> paths = new ArrayList<>();

    final List<HttpdAccess> folders = new ArrayList<>();
    final List<HttpdAccess> peers = new ArrayList<>();

    /// Variables that are set here when httpd has already decided on access, or for other requests
    /// than in httpd.
    final Set<String> lateVariables = new HashSet<>();

    /// What `SetEnv` says outside of sections.
    final Map<String, String> environment = new LinkedHashMap<>();

    /// What `AllowEncodedSlashes` says.
    EncodedSlash encodedSlash = EncodedSlash.NOT_FOUND;

    /// Whether TRACE is answered or passed on; null as the main server says.
    @Nullable Boolean trace;

    // Where clients are

    @Nullable String clientField;
    @Nullable String proxiesField;
    final List<String> trustedFronts = new ArrayList<>();
    final List<String> internalFronts = new ArrayList<>();

    // What is changed

    final Map<String, MapSource> maps = new LinkedHashMap<>();

    /// By headers and addresses, before rules are asked.
    final List<VariableRule> early = new ArrayList<>();

    /// By `SetEnv`, after all others.
    final List<VariableRule> late = new ArrayList<>();

    /// By `SetEnv` in `If`, after those.
    final List<VariableRule> last = new ArrayList<>();

    final List<FieldChange> requestFields = new ArrayList<>();
    final List<FieldChange> responseFields = new ArrayList<>();

    /// Of which fields of requests responses depend by expressions.
    final List<FieldChange> varying = new ArrayList<>();

    /// What responses without a charset get.
    final List<DefaultCharsets.Said> charsets = new ArrayList<>();

    final List<ErrorDocument> errors = new ArrayList<>();

    HttpdServer(Place place, Map<String, Set<String>> places, ReadingContext context) {
        this.place = place;
        access = new HttpdAccess(new SectionMatch.Everything(), context);
        openId = new HttpdOpenId(context);
        addresses = List.copyOf(places.keySet());
        written = Map.copyOf(places);
    }

    /// Variables of `SetEnv`.
    Set<String> ofSetEnv() {
        return Stream.of(late, last)
                .flatMap(List::stream)
                .filter(VariableRule::late)
                .map(VariableRule::name)
                .collect(Collectors.toSet());
    }

    /// By what it is found at one of its places, best first.
    ///
    /// @param all hosts
    List<String> namesAt(String address, List<HttpdServer> all) {
        List<String> said =
                written.getOrDefault(address, Set.of()).stream()
                        .filter(name -> !name.contains("*"))
                        .toList();
        if (said.isEmpty()) {
            return names.stream().distinct().toList();
        }
        Set<String> known =
                all.stream()
                        .filter(one -> one.addresses.contains(address))
                        .flatMap(one -> one.names.stream())
                        .collect(Collectors.toSet());
        // As in httpd, what VirtualHost says counts where no host has the name.
        return Stream.concat(
                        names.stream(), said.stream().filter(name -> !TlsHost.isTaken(known, name)))
                .distinct()
                .toList();
    }

    /// As its listeners see it.
    TlsHost tlsHost() {
        return new TlsHost(place, addresses, names, tls);
    }

    /// Whether something is said of access.
    boolean hasAccess() {
        return !access.build().isEmpty()
                || Stream.of(paths, folders, peers)
                        .anyMatch(sections -> !HttpdAccess.build(sections).isEmpty());
    }

    /// Whether a rule may lead requests to what a `ProxyPass` takes.
    boolean leadsTo(Pass pass) {
        return rewriteEngine
                && pass.match() instanceof GatewayRule.PathMatch.Prefix(String prefix)
                && rewrites.stream().anyMatch(one -> leads(one, prefix));
    }

    private static boolean leads(Rewriting one, String prefix) {
        if (one.pass() != null || !(one.rule().action() instanceof RuleAction.Rewrite rewrite)) {
            return false;
        }
        String begin = rewrite.target().replaceFirst("[$%?].*", "");
        return begin.startsWith(prefix) || prefix.startsWith(begin);
    }

    /// Takes note of an `Alias`.
    void alias(FilesPlan files, boolean slash) {
        aliases.add(files);
        slashed.merge(files.prefix(), slash, Boolean::logicalAnd);
    }

    /// Refuse what an `Alias` with a slash at its end is not about, where the document root has
    /// nothing by that name.
    List<GatewayRule> unslashed(RequestVariables variables) {
        List<GatewayRule> rules = new ArrayList<>();
        slashed.forEach((prefix, all) -> {
            if (all && !prefix.isEmpty()) {
                String root = variables.reference(RequestVariables.DOCUMENT_ROOT);
                String regex = "^" + prefix.replaceAll("([^A-Za-z0-9/_-])", "\\\\$1") + "$";
                List<Condition> when =
                        List.of(
                                new Condition(root + prefix, "-f", false, true, false),
                                new Condition(root + prefix, "-d", false, true, false));
                rules.add(
                        new GatewayRule(
                                new GatewayRule.PathMatch.Regex(regex, false, false),
                                List.of(),
                                when,
                                new RuleAction.Refuse(404)));
            }
        });
        return rules;
    }

    /// A `ProxyPass`, a `ProxyPassMatch`, or a `RewriteRule … [P]`.
    ///
    /// @param match which paths it takes
    /// @param url null for `!`
    /// @param conditions of a rewrite rule
    /// @param rewritten whether it is a `RewriteRule`
    @RecordBuilder
    record Pass(
            GatewayRule.PathMatch match,
            @Nullable ProxyUrl url,
            ProxyParameters parameters,
            boolean raw,
            io.margay.gateway.rules.RuleAction.Query query,
            List<Condition> conditions,
            boolean rewritten,
            Place place) {}

    /// A `RewriteRule`.
    ///
    /// @param place where it stands
    /// @param rule what it is, but for what forwards
    /// @param pass what forwards, or null
    record Rewriting(GatewayRule rule, @Nullable Pass pass, Place place) {
        /// Whether `PT` gives what comes out to the modules after mod_rewrite.
        boolean isPassedOn() {
            return pass == null
                    && switch (rule.action()) {
                        case RuleAction.Rewrite rewrite ->
                                rewrite.skip() == RewriteDirectives.PASSED;
                        case RuleAction.Skip(int n) -> n == RewriteDirectives.PASSED;
                        default -> false;
                    };
        }
    }

    /// A `Header` or `RequestHeader`.
    ///
    /// @param rule with the paths of its section, unless that is a folder
    record FieldChange(HttpdSection section, FieldRule rule) {}

    /// An `ErrorDocument`.
    ///
    /// @param document a path, a URL, a text, or `default`
    record ErrorDocument(HttpdSection section, int status, String document, HttpdNode node) {}

    /// A `ProxyPassReverse`.
    ///
    /// @param below the path of its section; empty outside of one
    record Reverse(String path, String url, String below) {}
}
