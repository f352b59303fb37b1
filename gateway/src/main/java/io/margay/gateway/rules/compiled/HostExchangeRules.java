package io.margay.gateway.rules.compiled;

import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.ClientAddress;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.HostChanges;
import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.RuleOrder;
import io.margay.gateway.rules.lines.SubstitutionStep;
import io.margay.protocol.caching.CacheStatus;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpDate;
import io.margay.protocol.http.MediaTypes;
import io.margay.server.compression.Compression;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.ExchangeRules;
import io.margay.server.exchange.Relay;
import io.margay.server.exchange.UndecidedException;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a host changes in all that passes it, ready to be applied. Thread-safe.
public final class HostExchangeRules implements ExchangeRules {
    private static final Pattern OF_RESPONSE =
            Pattern.compile(
                    "%\\{(?:"
                            + RuleVariables.RESPONSE
                            + "([^}|]*)|"
                            + RuleVariables.CACHE_STATUS
                            + ")");

    /// What is known of an exchange, which is asked more than once: whether its changes come to an
    /// end, for each attempt, and for the response.
    private static final ExchangeNotes.Key<Known> KNOWN = new ExchangeNotes.Key<>(Known.class);

    /// By which the cache notes what it did.
    public static final ExchangeNotes.Key<CacheStatus.Use> CACHE_USE =
            new ExchangeNotes.Key<>(CacheStatus.Use.class);

    private final VariableRules variables;
    private final FieldRules request;
    private final FieldRules response;
    private final ExpiryRules expiry;

    /// Stands for what the cache did among names of fields.
    private static final String CACHE = "=cache";

    /// The fields of responses that their changes ask for; an empty name for the status.
    private final Set<String> responseNames;

    private final List<Page> errors;

    /// What these rules are of beside the host, the innermost last.
    private final List<FolderChanges> folders;

    private final Function<Relay, Map<String, String>> ofRelay;
    private final Pages pages;

    /// What a host has for the paths of pages.
    @FunctionalInterface
    public interface Pages {
        /// Whether a client is let in for a path, so that it may see an error page there.
        boolean opens(Exchange exchange, String path);

        /// Has another path answer in the place of an error.
        ///
        /// @return whether it does
        default boolean answers(Exchange exchange, int status, ErrorPage.Content.Asked by)
                throws IOException {
            return false;
        }
    }

    /// A request with the variables that rules set, and what they were asked about.
    private record Known(VariableRules by, RuleRequest asked, RuleRequest made) {}

    /// @param file null for what is no file
    private record Page(RuleMatch match, ErrorPage page, @Nullable CachedFile<byte[]> file) {}

    private HostExchangeRules(
            HostChanges changes,
            Function<Relay, Map<String, String>> ofRelay,
            Pages pages,
            RuleLimits limits) {
        RuleScope scope = RuleScope.of(changes, limits);
        variables = VariableRules.of(changes.variables(), scope);
        request = FieldRules.of(changes.request(), scope);
        response = FieldRules.of(changes.response(), scope);
        responseNames = responseNames(changes.response());
        expiry = ExpiryRules.of(changes.expiry(), scope);
        this.ofRelay = ofRelay;
        this.pages = pages;
        List<Page> all = new ArrayList<>();
        for (ErrorPage page : changes.errors()) {
            CachedFile<byte[]> file =
                    page.content() instanceof ErrorPage.Content.Page(var path, String _)
                            ? new CachedFile<>(
                                    path,
                                    limits.fileBytesMax(),
                                    bytes -> bytes,
                                    new byte[0],
                                    System::nanoTime)
                            : null;
            all.add(new Page(RuleMatch.of(page.match(), page.when(), scope), page, file));
        }
        errors = List.copyOf(all);
        folders = List.of();
    }

    private HostExchangeRules(HostExchangeRules outer, FolderChanges inner) {
        variables = outer.variables.with(inner.rules().variables);
        request = outer.request.with(inner.rules().request);
        response = outer.response.with(inner.rules().response);
        Set<String> names = new HashSet<>(outer.responseNames);
        names.addAll(inner.rules().responseNames);
        responseNames = Set.copyOf(names);
        expiry = outer.expiry.with(inner.rules().expiry);
        errors =
                List.copyOf(
                        RuleOrder.merged(
                                outer.errors, inner.rules().errors, one -> one.page.order()));
        List<FolderChanges> all = new ArrayList<>(outer.folders);
        all.add(inner);
        folders = List.copyOf(all);
        ofRelay = outer.ofRelay;
        pages = outer.pages;
    }

    private static Set<String> responseNames(List<FieldRule> rules) {
        return rules.stream()
                .flatMap(rule ->
                        Stream.concat(
                                Stream.of(rule.value()),
                                rule.when().stream().map(Condition::value)))
                .flatMap(text -> OF_RESPONSE.matcher(text).results())
                .map(found -> found.group(1) == null ? CACHE : found.group(1))
                .collect(Collectors.toUnmodifiableSet());
    }

    /// Compiles.
    ///
    /// @param ofRelay variables that the peer which answered gives to changes of the response
    /// @param pages what the host has for other paths
    /// @return null when nothing is changed
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static @Nullable HostExchangeRules of(
            HostChanges changes,
            Function<Relay, Map<String, String>> ofRelay,
            Pages pages,
            RuleLimits limits) {
        boolean nothing =
                changes.variables().isEmpty()
                        && changes.request().isEmpty()
                        && changes.response().isEmpty()
                        && changes.expiry().isEmpty()
                        && changes.errors().isEmpty();
        return nothing ? null : new HostExchangeRules(changes, ofRelay, pages, limits);
    }

    /// Compiles, also where nothing is changed.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static HostExchangeRules always(
            HostChanges changes,
            Function<Relay, Map<String, String>> ofRelay,
            Pages pages,
            RuleLimits limits) {
        return new HostExchangeRules(changes, ofRelay, pages, limits);
    }

    /// These with what folders change, from the root down.
    public HostExchangeRules within(List<FolderChanges> folders) {
        HostExchangeRules all = this;
        for (FolderChanges folder : folders) {
            all = new HostExchangeRules(all, folder);
        }
        return all;
    }

    /// How responses are compressed by what the host says and folders, the last that is said first.
    ///
    /// @param host what the host says, or null
    public @Nullable Compression compression(@Nullable Compression host) {
        List<CompressionRules> own = new ArrayList<>(0);
        for (FolderChanges folder : folders.reversed()) {
            CompressionRules one = folder.compression();
            if (one != null) {
                own.add(one);
            }
        }
        return own.isEmpty() ? host : CompressionRules.of(own, host);
    }

    /// Adds what the host and folders say of how fast responses to a request are sent, the last
    /// that is said first.
    public void bandwidths(
            Exchange exchange, OrderedRules<BandwidthRule> host, List<BandwidthRule> found) {
        int upTo = Integer.MAX_VALUE;
        for (FolderChanges folder : folders.reversed()) {
            OrderedRules<BandwidthRule> own = folder.bandwidths();
            if (!own.isEmpty()) {
                host.about(exchange, found, own.order(), upTo);
                own.about(exchange, found);
                upTo = own.order();
            }
        }
        host.about(exchange, found, -1, upTo);
    }

    /// Whether a folder of the request has text replaced in some responses.
    public boolean substitutes() {
        for (FolderChanges folder : folders) {
            if (folder.substitutes()) {
                return true;
            }
        }
        return false;
    }

    /// Adds what folders have replaced in responses to a request, the last that is said last.
    ///
    /// @return whether there are some
    /// @throws UndecidedException where it is undecided what is about the request
    public boolean substitutions(Exchange exchange, List<SubstitutionStep> found) {
        int size = found.size();
        for (FolderChanges folder : folders) {
            folder.substitutions().about(exchange, found);
        }
        return found.size() > size;
    }

    /// Compiles what may be malformed.
    ///
    /// @throws IllegalArgumentException for a malformed expression or an unknown variable or map
    public static ExchangeRules check(HostChanges changes, RuleLimits limits) {
        ClientAddress client = changes.client();
        if (client != null) {
            Object _ = ClientAddresses.of(client);
        }
        Object _ = CompressionRules.of(changes, limits);
        Object _ = OrderedRules.substitutions(changes, limits);
        return new HostExchangeRules(changes, _ -> Map.of(), (_, _) -> true, limits);
    }

    @Override
    public boolean isDecided(Exchange exchange) {
        if (!request.search() && !(variables.search() && !request.isEmpty())) {
            return true;
        }
        FieldList tried = new FieldList();
        Fields received = exchange.request().fields();
        for (int i = 0; i < received.size(); i++) {
            tried.add(received, i);
        }
        try {
            request(exchange, tried);
            return true;
        } catch (UndecidedException e) {
            return false;
        }
    }

    @Override
    public void undecided(Exchange exchange) {
        RuleRequest asked = RuleRequest.mapped(exchange).by(exchange.remoteUser());
        response.applyDecided(exchange.fields(), asked);
    }

    @Override
    public void request(Exchange exchange, FieldList fields) {
        if (!request.isEmpty() && RuleRequest.isPossible(exchange)) {
            // As in httpd, what was changed before the request was led elsewhere stays changed.
            for (ExchangeNotes.Answered before : exchange.notes().before()) {
                request.applyToRequest(
                        fields, known(exchange, RuleRequest.mapped(exchange, before)));
            }
            request.applyToRequest(fields, known(exchange));
        }
    }

    @Override
    public void head(Exchange exchange, boolean own) {
        if ((response.isEmpty() && expiry.isEmpty()) || !RuleRequest.isPossible(exchange)) {
            return;
        }
        Relay relay = exchange.relay();
        RuleRequest asked = known(exchange);
        boolean found = !own || exchange.status() == 404;
        if (found && !request.isEmpty() && response.askFields()) {
            // As in httpd, what is said of the response sees the request as it was changed.
            FieldList changed = new FieldList();
            Fields received = asked.fields();
            for (int i = 0; i < received.size(); i++) {
                changed.add(received, i);
            }
            request(exchange, changed);
            asked = asked.having(changed);
        }
        Map<String, String> known = relay == null ? Map.of() : ofRelay.apply(relay);
        if (!responseNames.isEmpty()) {
            known = new HashMap<>(known);
            for (String name : responseNames) {
                if (name.equals(CACHE)) {
                    known.put(RuleVariables.CACHE_STATUS, cacheUse(exchange));
                    continue;
                }
                String value =
                        name.isEmpty()
                                ? Integer.toString(exchange.status())
                                : exchange.fields().get(name);
                if (value != null) {
                    known.put(RuleVariables.RESPONSE + name, value);
                }
            }
        }
        if (!known.isEmpty()) {
            known = new HashMap<>(known);
            known.putAll(asked.variables());
            asked = asked.with(known);
        }
        if (relay != null && exchange.notes().isOfProgram()) {
            asked = asked.told(); // one value is left, as there
        }
        if (!own && !expiry.isEmpty()) {
            expire(exchange, asked, relay == null);
        }
        response.apply(exchange.fields(), asked, own, origin(exchange, relay));
    }

    private static String cacheUse(Exchange exchange) {
        CacheStatus.Use use = exchange.notes().get(CACHE_USE);
        return use == null ? "" : use.name();
    }

    private static FieldRules.Origin origin(Exchange exchange, @Nullable Relay relay) {
        return relay == null
                ? FieldRules.Origin.HERE
                : exchange.notes().isOfProgram()
                        ? FieldRules.Origin.PROGRAM
                        : FieldRules.Origin.MEMBER;
    }

    private void expire(Exchange exchange, RuleRequest asked, boolean isFile) {
        expiry.apply(exchange.fields(), exchange.status(), asked, isFile);
    }

    /// A request with what it is for, and its variables.
    private RuleRequest known(Exchange exchange) {
        return known(exchange, RuleRequest.mapped(exchange));
    }

    /// The same for another path: as in httpd, variables that were set for the path as it came stay
    /// set when rules make another of it.
    private RuleRequest known(Exchange exchange, RuleRequest mapped) {
        RuleRequest asked = mapped.by(exchange.remoteUser());
        if (variables.isEmpty()) {
            return asked;
        }
        Known before = exchange.notes().get(KNOWN);
        if (before != null && before.by == variables && before.asked.isAsked(asked)) {
            return before.made;
        }
        RuleRequest made = known(exchange, asked, variables);
        exchange.notes().put(KNOWN, new Known(variables, asked, made));
        return made;
    }

    private static RuleRequest known(
            Exchange exchange, RuleRequest asked, VariableRules variables) {
        boolean same =
                exchange.path().path().equals(asked.path())
                        && Objects.equals(exchange.request().target().rawQuery(), asked.query());
        if (same) {
            return variables.of(asked);
        }
        RuleRequest came =
                RuleRequest.of(exchange).by(exchange.remoteUser()).with(asked.variables());
        RuleRequest first = variables.of(came);
        return variables.of(asked.with(first.variables(), first.late()));
    }

    @Override
    public String variable(Exchange exchange, String name) {
        if (!RuleRequest.isPossible(exchange) || !RuleVariables.isKnown(name)) {
            return "";
        }
        return name.equals(RuleVariables.CACHE_STATUS)
                ? cacheUse(exchange)
                : RuleVariables.value(name, known(exchange));
    }

    @Override
    public boolean error(Exchange exchange, int status) throws IOException {
        if (errors.isEmpty() || !RuleRequest.isPossible(exchange)) {
            return false;
        }
        Page found = page(RuleRequest.mapped(exchange), status);
        return found != null && show(exchange, status, found);
    }

    private @Nullable Page page(RuleRequest asked, int status) {
        RulePath path = RulePath.of(asked.path(), asked.rawPath());
        for (Page page : errors.reversed()) {
            if (page.page.status() == status && page.match.take(asked, path) != null) {
                return page;
            }
        }
        return null;
    }

    private boolean show(Exchange exchange, int status, Page page) throws IOException {
        return switch (page.page.content()) {
            case ErrorPage.Content.Own _ -> false;
            case ErrorPage.Content.Text(String text) -> {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                send(exchange, status, "text/html;charset=utf-8", bytes);
                yield true;
            }
            case ErrorPage.Content.Page(var path, String asked) -> {
                boolean closed = !asked.isEmpty() && !pages.opens(exchange, asked);
                byte[] bytes = closed || page.file == null ? new byte[0] : page.file.get();
                if (bytes.length > 0) {
                    exchange.notes().page();
                    exchange.fields().remove("Allow");
                    exchange.fields().set("Last-Modified", modified(path));
                    String by = asked.isEmpty() ? null : asked;
                    exchange.notes()
                            .answered(new ExchangeNotes.Answered(path.toString(), by, null));
                    send(exchange, status, type(path), bytes);
                }
                yield bytes.length > 0;
            }
            case ErrorPage.Content.Asked asked -> pages.answers(exchange, status, asked);
            case ErrorPage.Content.Elsewhere(String url) -> {
                exchange.fields().set("Location", url);
                StatusResponse.plain(exchange, 302);
                yield true;
            }
        };
    }

    /// The variables that are set.
    VariableRules variables() {
        return variables;
    }

    private static String modified(Path file) throws IOException {
        return HttpDate.format(Files.getLastModifiedTime(file).to(TimeUnit.SECONDS));
    }

    private static String type(Path file) {
        String type = MediaTypes.ofFileName(String.valueOf(file.getFileName()));
        return type == null ? "text/html" : type;
    }

    private static void send(Exchange exchange, int status, String type, byte[] bytes)
            throws IOException {
        exchange.status(status);
        exchange.fields().set("Content-Type", type);
        exchange.end(bytes, 0, bytes.length);
    }
}
