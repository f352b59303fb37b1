package io.margay.compat.httpd.site;

import io.margay.compat.httpd.cache.HttpdCache;
import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.expression.HeaderFormat;
import io.margay.compat.httpd.expression.RequestVariables;
import io.margay.compat.httpd.site.HttpdServer.ErrorDocument;
import io.margay.compat.httpd.site.HttpdServer.FieldChange;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.plan.HostPlan.FilesPlan;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.MapSource;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.VariableRule;
import io.margay.gateway.rules.compiled.FolderChanges;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.PercentEncoding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Puts together what a server changes in requests and responses, with what it has of the main
/// server. Confined to one reading.
final class HostChangeBuilder {
    /// What mod_deflate takes when nothing is said.
    private static final int ZLIB_LEVEL = 6;

    /// More than the rank of any section.
    private static final int LAST = 1_000_000;

    /// What programs are told by `ServerAdmin`.
    private static final String ADMIN = "SERVER_ADMIN";

    /// What may be a program whatever sections say.
    private static final Pattern PROGRAM = Pattern.compile(".*\\.(php|cgi|pl|shtml|var|jsp)");

    private final HttpdConfig config;
    private final ReadingContext context;
    private final List<HttpdServer> servers;
    private final List<GatewayRule> rules;
    private final List<FilesPlan> files;

    /// @param rules of the host
    /// @param files that it serves
    HostChangeBuilder(
            HttpdConfig config,
            HttpdServer server,
            List<GatewayRule> rules,
            List<FilesPlan> files) {
        this.config = config;
        context = config.context;
        this.rules = rules;
        this.files = files;
        servers = server == config.main ? List.of(server) : List.of(config.main, server);
    }

    /// What a file in a folder changes; null when it is nothing.
    @Nullable FolderChanges folder() {
        HostChanges changes = build();
        return changes.isNothing() ? null : FolderChanges.of(changes, RuleLimits.defaults());
    }

    HostChanges build() {
        List<VariableRule> variables = new ArrayList<>();
        Map<String, MapSource> maps = new LinkedHashMap<>();
        List<FieldRule> request = new ArrayList<>();
        List<FieldRule> response = new ArrayList<>();
        documentRoot().ifPresent(variables::add);
        variables.addAll(variables(server -> server.early, 0));
        variables.addAll(variables(server -> server.late, LAST));
        variables.addAll(variables(server -> server.last, 2 * LAST));
        variables.sort(Comparator.comparingInt(VariableRule::order));
        if (!context.isOfFolder() && context.variables().isUsed(ADMIN)) {
            String admin = servers.getLast().admin;
            String known = admin != null ? admin : servers.getFirst().admin;
            String text = known != null ? known : "[no address given]";
            variables.add(
                    new VariableRule(PathMatch.ANY, List.of(), ADMIN, HeaderFormat.literal(text))
                            .withOrder(order(3 * LAST)));
        }
        servers.forEach(server -> maps.putAll(server.maps));
        fields(server -> server.requestFields).forEach(change -> request.add(ordered(change)));
        List<FieldRule> varying = new ArrayList<>(Varying.of(rules));
        fields(server -> server.varying).forEach(change -> varying.add(change.rule()));
        response.addAll(varying.stream().distinct().toList());
        fields(server -> server.responseFields).forEach(change -> response.add(ordered(change)));
        response.addAll(HttpdCache.fields(servers.stream().map(one -> one.cache).toList()));
        List<DefaultCharsets.Said> charsets = new ArrayList<>();
        servers.forEach(server -> charsets.addAll(server.charsets));
        DefaultCharsets.rules(charsets).forEach(rule -> response.add(rule.withOrder(order(LAST))));
        HostChanges changes = new HostChanges(variables, maps, request, response, List.of());
        List<ErrorPage> errors = new ArrayList<>();
        servers.stream()
                .flatMap(server -> server.errors.stream())
                .sorted(Comparator.comparingInt(error -> error.section().rank()))
                .forEach(error -> page(error, changes).ifPresent(errors::add));
        return new HostChanges(variables, maps, request, response, errors)
                .withClient(client())
                .withCompression(compression())
                .withExpiry(expiry())
                .withBandwidth(bandwidth())
                .withSubstitutions(substitutions())
                .withCache(HttpdCache.rules(servers.stream().map(one -> one.cache).toList()))
                .withPlaces(context.expressions());
    }

    /// The last that is said comes first, since the first rule of a group decides.
    private List<BandwidthRule> bandwidth() {
        List<HttpdContent.Bandwidth> all = new ArrayList<>();
        servers.forEach(server -> all.addAll(server.content.bandwidths));
        // In a folder, what is sent as fast as can be may be slow by what stands above.
        if (!context.isOfFolder()) {
            Set<String> slow = new HashSet<>();
            for (HttpdContent.Bandwidth one : all) {
                if (one.rule().speed() instanceof BandwidthRule.Named) {
                    slow.add(one.rule().group());
                }
            }
            all.removeIf(one -> !slow.contains(one.rule().group()));
        }
        all.sort(Comparator.comparingInt(one -> one.section().rank()));
        List<BandwidthRule> rules = new ArrayList<>();
        all.reversed().forEach(one -> rules.add(one.rule().withOrder(order(one.section().rank()))));
        return rules;
    }

    /// As sections are merged; without the filter nothing is replaced.
    private List<SubstitutionRule> substitutions() {
        List<HttpdContent.Substitution> all = new ArrayList<>();
        servers.forEach(server -> all.addAll(server.content.substitutions));
        boolean filtered =
                all.stream()
                        .anyMatch(one ->
                                one.rule().what() instanceof SubstitutionRule.Responses some
                                        && !some.types().isEmpty());
        if (!filtered && !context.isOfFolder() && !config.readsFolders) {
            return List.of();
        }
        all.sort(Comparator.comparingInt(one -> one.section().rank()));
        return all.stream().map(one -> one.rule().withOrder(order(one.section().rank()))).toList();
    }

    /// The chains in httpd's order: those by extension, that of `SetOutputFilter`, and those by
    /// type. The first rule decides: so what a section says comes before what those before it say,
    /// and of several filters the first.
    private List<CompressionRule> compression() {
        List<HttpdContent.Compression> all = new ArrayList<>();
        servers.forEach(server -> all.addAll(server.content.compressions));
        all.sort(Comparator.comparingInt(one -> one.section().rank()));
        Map<Integer, List<HttpdContent.Compression>> alike =
                all.stream()
                        .collect(
                                Collectors.groupingBy(
                                        one -> ContentDirectives.order(one.chain()),
                                        TreeMap::new,
                                        Collectors.toList()));
        return alike.values().stream().flatMap(said -> compression(said).stream()).toList();
    }

    /// Of chains that are alike.
    private List<CompressionRule> compression(List<HttpdContent.Compression> said) {
        int level = ZLIB_LEVEL;
        for (HttpdServer server : servers) {
            level = server.content.level == 0 ? level : server.content.level;
        }
        Set<String> compressed = new HashSet<>();
        Map<HttpdSection, Map<String, List<CompressionRule>>> sections = new LinkedHashMap<>();
        for (HttpdContent.Compression one : said) {
            String chain = one.chain();
            // In a folder, what is not compressed may be by what stands above.
            if (one.stops() && !compressed.contains(chain) && !context.isOfFolder()) {
                continue;
            }
            compressed.add(chain);
            List<CompressionRule> rules =
                    sections.computeIfAbsent(one.section(), _ -> new LinkedHashMap<>())
                            .computeIfAbsent(chain, _ -> new ArrayList<>());
            rules.addFirst(
                    one.rule()
                            .at(one.rule().match(), level)
                            .withOrder(order(one.section().rank())));
        }
        return List.copyOf(sections.values()).reversed().stream()
                .flatMap(chains -> chains.values().stream())
                .flatMap(List::stream)
                .toList();
    }

    /// What is said holds where the last word on that is `ExpiresActive On`.
    private List<ExpiryRule> expiry() {
        List<HttpdContent.Expiry> all = new ArrayList<>();
        servers.forEach(server -> all.addAll(server.content.expiries));
        all.sort(Comparator.comparingInt(one -> one.section().rank()));
        List<ExpiryRule> rules = new ArrayList<>();
        if (!all.isEmpty() && !context.isOfFolder()) {
            rules.add(ExpiryRule.of(PathMatch.ANY, List.of(), false));
        }
        all.forEach(one -> rules.add(one.rule().withOrder(order(one.section().rank()))));
        return rules;
    }

    /// What a server says of its front ends goes with what the main one says; its own counts.
    private @Nullable ClientAddress client() {
        String field = null;
        String proxies = null;
        List<String> trusted = new ArrayList<>();
        List<String> internal = new ArrayList<>();
        for (HttpdServer server : servers) {
            field = server.clientField != null ? server.clientField : field;
            proxies = server.proxiesField != null ? server.proxiesField : proxies;
            boolean own = !server.trustedFronts.isEmpty() || !server.internalFronts.isEmpty();
            if (own) {
                trusted = new ArrayList<>(server.trustedFronts);
                internal = new ArrayList<>(server.internalFronts);
            }
        }
        return field == null ? null : new ClientAddress(field, trusted, internal, proxies);
    }

    /// Those of all servers, and those in `If` after all others, as in httpd.
    private List<FieldChange> fields(Function<HttpdServer, List<FieldChange>> of) {
        return servers.stream()
                .flatMap(server -> of.apply(server).stream())
                .sorted(Comparator.comparingInt(change -> change.section().rank()))
                .toList();
    }

    /// What conditions know of the folder of the host's files.
    private Optional<VariableRule> documentRoot() {
        String root = null;
        for (HttpdServer server : servers) {
            root = server.documentRoot != null ? server.documentRoot : root;
        }
        Path folder = root == null ? null : context.path(root);
        return folder == null || !context.variables().isUsed(RequestVariables.DOCUMENT_ROOT)
                ? Optional.empty()
                : Optional.of(
                        new VariableRule(
                                PathMatch.ANY,
                                List.of(),
                                RequestVariables.DOCUMENT_ROOT,
                                HeaderFormat.literal(folder.toString())));
    }

    /// Variables that something depends on, as sections are merged.
    ///
    /// @param phase less than that of those that httpd sets later, in whatever section
    private List<VariableRule> variables(Function<HttpdServer, List<VariableRule>> of, int phase) {
        return servers.stream()
                .flatMap(server -> of.apply(server).stream())
                .filter(rule -> context.variables().isUsed(rule.name()))
                .sorted(Comparator.comparingInt(VariableRule::order))
                .map(rule -> rule.withOrder(order(phase + rule.order())))
                .toList();
    }

    private FieldRule ordered(FieldChange change) {
        return change.rule().withOrder(order(change.section().rank()));
    }

    /// Where it comes among what files in folders say, if there are any.
    private int order(int rank) {
        return context.isOfFolder() || config.readsFolders ? rank : 0;
    }

    // Error documents

    private Optional<ErrorPage> page(ErrorDocument error, HostChanges changes) {
        HttpdSection section = error.section();
        return content(error, changes)
                .map(content ->
                        new ErrorPage(
                                section.paths(),
                                section.mapped(),
                                error.status(),
                                content,
                                order(section.rank())));
    }

    private Optional<ErrorPage.Content> content(ErrorDocument error, HostChanges changes) {
        String document = error.document();
        HttpdNode node = error.node();
        if (document.equalsIgnoreCase("default")) {
            context.honoured(node);
            return Optional.of(new ErrorPage.Content.Own());
        }
        if (document.matches("[A-Za-z]+://.*")) {
            context.honoured(node);
            return Optional.of(new ErrorPage.Content.Elsewhere(document));
        }
        if (!document.startsWith("/")) {
            context.honoured(node);
            return Optional.of(new ErrorPage.Content.Text(document.replaceFirst("^\"", "")));
        }
        String path = document.replaceFirst("\\?.*", "");
        if (CanonicalPath.of(path).error() != null) {
            context.wrong(node, "\"" + document + "\" is not a path");
            return Optional.empty();
        }
        context.honoured(node);
        Optional<Path> file =
                path.equals(document) && !isProgram(path) ? file(path, changes) : Optional.empty();
        return Optional.of(
                file.<ErrorPage.Content>map(one -> new ErrorPage.Content.Page(one, path))
                        .orElseGet(() ->
                                new ErrorPage.Content.Asked(PercentEncoding.target(document))));
    }

    /// The file that a path of the host stands for, where nothing else answers it.
    private Optional<Path> file(String path, HostChanges changes) {
        RuleDecision decision =
                RuleSet.of(rules, changes, RuleLimits.defaults())
                        .decide(RuleRequest.get(path, path));
        if (!decision.equals(RuleDecision.ROUTES)) {
            return Optional.empty();
        }
        Path found = null;
        int length = -1;
        for (FilesPlan plan : files) {
            if (path.equals(plan.prefix()) && Files.isRegularFile(plan.folder())) {
                length = path.length();
                found = plan.folder();
            } else if (path.startsWith(plan.prefix() + "/") && plan.prefix().length() > length) {
                length = plan.prefix().length();
                found = plan.folder().resolve(path.substring(length + 1)).normalize();
                found = found.startsWith(plan.folder()) ? found : null;
            }
        }
        return Optional.ofNullable(found).filter(Files::isRegularFile);
    }

    /// Whether a file may be run rather than sent.
    private boolean isProgram(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return PROGRAM.matcher(name).matches()
                || config.programs().stream().anyMatch(regex -> regex.find(name) != null);
    }
}
