package io.margay.gateway.rules.compiled;

import io.margay.protocol.http.Authority;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.PathReading;
import io.margay.protocol.http.PercentEncoding;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import io.margay.server.exchange.TlsInfo;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What rules look at of a request. Immutable.
///
/// @param path the canonical path
/// @param rawPath the path as received
/// @param query the raw query, or null
/// @param arrival how the request came
/// @param variables that rules of the host have set, by name; [VariableRules] alone changes them,
///   as long as it is asked
/// @param late what late rules have set, likewise: in `variables`, too, where nothing else has set
///   the variable; otherwise another value, which programs alone are told
/// @param file the whole path of the file that the request is for, where that is known; null where
///   it is the request's own
/// @param reading how its path was read
/// @param user who has sent it; null as long as that is not known
/// @param begun its path before rules of the host have changed it; that of the page where it has
///   been begun anew, for an error or by a file in a folder
public record RuleRequest(
        String method,
        String path,
        String rawPath,
        @Nullable String query,
        Fields fields,
        Arrival arrival,
        Map<String, String> variables,
        Map<String, String> late,
        @Nullable String file,
        PathReading reading,
        @Nullable String user,
        String begun) {
    /// What is said of each request anew.
    private static final Set<String> NOT_REDIRECTED =
            Set.of("REDIRECT_URL", "REDIRECT_QUERY_STRING", "SERVER_ADMIN", "DOCUMENT_ROOT");

    /// The variables that rules have set of an exchange.
    private static final ExchangeNotes.Key<SetByRules> SET =
            new ExchangeNotes.Key<>(SetByRules.class);

    private record SetByRules(Map<String, String> variables) {}

    /// The variables that are known of an exchange since somebody was asked about it.
    private static final ExchangeNotes.Key<Learned> LEARNED =
            new ExchangeNotes.Key<>(Learned.class);

    private record Learned(Map<String, String> variables) {}

    /// Takes note of the variables that are known of an exchange once somebody was asked.
    public static void learn(Exchange exchange, Map<String, String> variables) {
        exchange.notes().put(LEARNED, new Learned(Map.copyOf(variables)));
    }

    /// Takes note of the variables that rules have set of an exchange, for what is changed in it.
    public static void set(Exchange exchange, Map<String, String> variables) {
        exchange.notes().put(SET, new SetByRules(variables));
    }

    /// Has an exchange know what rules have set of another one, for which it is made.
    public static void inherit(Exchange from, Exchange to) {
        SetByRules set = from.notes().get(SET);
        if (set != null) {
            to.notes().put(SET, set);
        }
        Learned learned = from.notes().get(LEARNED);
        if (learned != null) {
            to.notes().put(LEARNED, learned);
        }
        ExchangeNotes.Answered now = from.notes().now();
        if (now != null) {
            to.notes().answered(now, from.notes().before());
        }
    }

    /// By HTTP/1.1, without TLS.
    public RuleRequest(
            String method,
            String path,
            String rawPath,
            @Nullable String query,
            String scheme,
            @Nullable String authority,
            String remote,
            int localPort,
            Fields fields) {
        this(
                method,
                path,
                rawPath,
                query,
                fields,
                Arrival.plain(scheme, authority, remote, localPort, target(rawPath, query)),
                Map.of(),
                Map.of(),
                null,
                PathReading.STRICT,
                null,
                path);
    }

    /// A GET of this machine by HTTP/1.1, without fields.
    public static RuleRequest get(String path, String rawPath) {
        return new RuleRequest(
                "GET", path, rawPath, null, "http", "localhost", "127.0.0.1", 0, Fields.EMPTY);
    }

    private static String target(String rawPath, @Nullable String query) {
        return query == null ? rawPath : rawPath + "?" + query;
    }

    /// The view of an exchange; its path must be without error.
    public static RuleRequest of(Exchange exchange) {
        var target = exchange.request().target();
        return new RuleRequest(
                exchange.request().method(),
                exchange.path().path(),
                target.rawPath(),
                target.rawQuery(),
                exchange.notes().fields(exchange.request().fields()),
                Arrival.of(exchange, target(target.rawPath(), target.rawQuery())),
                Map.of(),
                Map.of(),
                null,
                exchange.path().reading(),
                null,
                exchange.path().path());
    }

    /// The view of an exchange that has been decided on: with the file that it is for, and the path
    /// that answers it.
    static RuleRequest mapped(Exchange exchange) {
        ExchangeNotes.Answered now = exchange.notes().now();
        return now == null ? withVariables(exchange) : mapped(exchange, now);
    }

    /// The view of an exchange with the variables that rules have set.
    private static RuleRequest withVariables(Exchange exchange) {
        SetByRules set = exchange.notes().get(SET);
        Learned learned = exchange.notes().get(LEARNED);
        if (learned == null) {
            return set == null ? of(exchange) : of(exchange).with(set.variables);
        }
        Map<String, String> all = new LinkedHashMap<>(set == null ? Map.of() : set.variables);
        all.putAll(learned.variables);
        return of(exchange).with(all);
    }

    /// The same with what it is, or was, for.
    static RuleRequest mapped(Exchange exchange, ExchangeNotes.Answered by) {
        RuleRequest request = withVariables(exchange);
        String path = by.path();
        if (path != null && !path.equals(request.path())) {
            request = request.at(path);
        }
        if (!Objects.equals(by.query(), request.query())) {
            request = request.asking(by.query());
        }
        String known = by.file();
        return known == null ? request : request.ofFile(known);
    }

    /// The whole path of the file that it is for; empty where it is for none, as far as is known.
    String mappedFile() {
        return file == null || !file.startsWith("/") ? "" : file;
    }

    /// `http` or `https`.
    public String scheme() {
        return arrival.scheme();
    }

    /// The host with its port, or null.
    public @Nullable String authority() {
        return arrival.authority();
    }

    /// The client's address, without port.
    public String remote() {
        return arrival.remote();
    }

    /// The port of the listener.
    public int localPort() {
        return arrival.localPort();
    }

    /// What TLS agreed on, or null.
    public @Nullable TlsInfo tls() {
        return arrival.tls();
    }

    /// Whether the client has shown a certificate, which is valid then.
    public boolean hasCertificate() {
        TlsInfo tls = tls();
        return tls != null && !tls.peerCertificates().isEmpty();
    }

    /// A variable of mod_ssl, as `SSL_CLIENT_S_DN_CN`; empty where there is none.
    public String tlsVariable(String name) {
        return TlsVariables.value(name, tls());
    }

    /// The same with another path and query.
    RuleRequest at(String otherPath, String otherRaw, @Nullable String otherQuery) {
        return new RuleRequest(
                method,
                otherPath,
                otherRaw,
                otherQuery,
                fields,
                arrival,
                variables,
                late,
                file,
                reading,
                user,
                begun);
    }

    /// The same whose path is the one with which it begins.
    private RuleRequest begins() {
        return new RuleRequest(
                method, path, rawPath, query, fields, arrival, variables, late, file, reading, user,
                path);
    }

    /// The same with another query.
    public RuleRequest asking(@Nullable String otherQuery) {
        return at(path, rawPath, otherQuery);
    }

    /// The same with another path, which is canonical.
    public RuleRequest at(String otherPath) {
        return at(otherPath, PercentEncoding.path(otherPath, keepsSlashes()), query);
    }

    /// One begun anew for another path and query; null where that is none. Its variables are those
    /// of this one by other names, as in httpd.
    ///
    /// @param target encoded
    /// @param known variables of this one
    public @Nullable RuleRequest again(String target, Map<String, String> known) {
        int mark = target.indexOf('?');
        CanonicalPath other = CanonicalPath.of(mark < 0 ? target : target.substring(0, mark));
        String made = mark < 0 ? null : target.substring(mark + 1);
        int status = Integer.parseInt(variables.getOrDefault("REDIRECT_STATUS", "200"));
        return other.error() != null
                ? null
                : at(other.path(), other.raw(), made)
                        .begins()
                        .with(redirected(known, status, made), Map.of());
    }

    /// What a request knows that is begun anew in place of this one.
    ///
    /// @param asked its query, as rules have made it
    private Map<String, String> redirected(
            Map<String, String> known, int status, @Nullable String asked) {
        Map<String, String> set = new LinkedHashMap<>();
        known.forEach((name, value) -> {
            if (!NOT_REDIRECTED.contains(name)) {
                set.put("REDIRECT_" + name, value);
            }
        });
        set.put("REDIRECT_STATUS", Integer.toString(status));
        set.put("REDIRECT_URL", RuleVariables.octets(path));
        if (asked != null) {
            set.put("REDIRECT_QUERY_STRING", asked);
        }
        return set;
    }

    /// A location with scheme and host, where it is a path.
    public String absolute(String location) {
        return location.startsWith("/") && authority() != null
                ? scheme() + "://" + authority() + location
                : location;
    }

    /// Whether the path has encoded slashes that stay encoded.
    public boolean keepsSlashes() {
        return reading.keepsSlashes(rawPath);
    }

    /// What one makes of a path that has encoded slashes who decodes them; null where it has none.
    public @Nullable RuleRequest withSlashes() {
        if (!keepsSlashes()) {
            return null;
        }
        String other = path.replace("%2F", "/").replace("%25", "%").replaceAll("/{2,}", "/");
        return at(other, PercentEncoding.path(other), query);
    }

    /// One for a page in the place of this one: by GET, without a query and without content.
    ///
    /// @param page its path, which is canonical
    public RuleRequest forPage(String page) {
        Fields.Builder kept = new Fields.Builder();
        for (int i = 0; i < fields.size(); i++) {
            if (!fields.nameIs(i, "content-length") && !fields.nameIs(i, "transfer-encoding")) {
                kept.add(fields.name(i), fields.value(i));
            }
        }
        return new RuleRequest(
                "GET",
                page,
                RulePath.encode(page),
                null,
                kept.build(),
                arrival,
                Map.of(),
                Map.of(),
                null,
                PathReading.STRICT,
                user,
                page);
    }

    /// One for a page that takes the place of an error; null where its path is none.
    ///
    /// @param target path and query, encoded
    /// @param known variables of this one
    public @Nullable RuleRequest forError(String target, int status, Map<String, String> known) {
        int mark = target.indexOf('?');
        CanonicalPath page = CanonicalPath.of(mark < 0 ? target : target.substring(0, mark));
        if (page.error() != null) {
            return null;
        }
        Map<String, String> all = new LinkedHashMap<>(known);
        all.put("REQUEST_METHOD", method);
        return forPage(page.path())
                .at(page.path(), page.raw(), mark < 0 ? null : target.substring(mark + 1))
                .with(redirected(all, status, query));
    }

    /// Path and query as the client has sent them, whatever rules have made of them.
    public String received() {
        return arrival.received();
    }

    /// The same with variables; what late rules have set stays.
    public RuleRequest with(Map<String, String> set) {
        return with(set, late);
    }

    /// The same with variables, and with what late rules set.
    RuleRequest with(Map<String, String> set, Map<String, String> setLate) {
        return new RuleRequest(
                method, path, rawPath, query, fields, arrival, set, setLate, file, reading, user,
                begun);
    }

    /// As conditions of rules see it, which are asked before late rules.
    RuleRequest early() {
        if (late.isEmpty()) {
            return this;
        }
        Map<String, String> set = new LinkedHashMap<>(variables);
        late.forEach(set::remove);
        return with(set, Map.of());
    }

    /// As programs are told of it: of what late rules have set, that value.
    RuleRequest told() {
        if (late.isEmpty()) {
            return this;
        }
        Map<String, String> set = new LinkedHashMap<>(variables);
        set.putAll(late);
        return with(set, Map.of());
    }

    /// The same with other fields.
    RuleRequest having(FieldList others) {
        Fields.Builder changed = new Fields.Builder();
        for (int i = 0; i < others.size(); i++) {
            changed.add(others.name(i), others.value(i));
        }
        return new RuleRequest(
                method,
                path,
                rawPath,
                query,
                changed.build(),
                arrival,
                variables,
                late,
                file,
                reading,
                user,
                begun);
    }

    /// The same with the file that it is for.
    public RuleRequest ofFile(String other) {
        return new RuleRequest(
                method, path, rawPath, query, fields, arrival, variables, late, other, reading,
                user, begun);
    }

    /// The same by a user.
    public RuleRequest by(@Nullable String sender) {
        return Objects.equals(sender, user)
                ? this
                : new RuleRequest(
                        method, path, rawPath, query, fields, arrival, variables, late, file,
                        reading, sender, begun);
    }

    /// Whether another of the same exchange asks the same: what may have changed since.
    boolean isAsked(RuleRequest other) {
        return fields == other.fields
                && path.equals(other.path)
                && rawPath.equals(other.rawPath)
                && Objects.equals(query, other.query)
                && Objects.equals(file, other.file)
                && Objects.equals(user, other.user)
                && begun.equals(other.begun)
                && remote().equals(other.remote())
                && Objects.equals(tls(), other.tls())
                && variables.equals(other.variables)
                && late.equals(other.late);
    }

    /// Whether the target of an exchange has a path that rules can look at.
    public static boolean isPossible(Exchange exchange) {
        RequestTarget.Form form = exchange.request().target().form();
        boolean hasPath = form == RequestTarget.Form.ORIGIN || form == RequestTarget.Form.ABSOLUTE;
        return hasPath && exchange.path().error() == null;
    }

    /// The host without its port and without a dot at its end, in lower case, or nothing.
    String host() {
        String host = Authority.host(authority());
        if (host == null) {
            return "";
        }
        String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return name.toLowerCase(Locale.ROOT);
    }
}
