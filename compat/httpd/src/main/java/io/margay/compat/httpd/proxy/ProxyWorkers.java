package io.margay.compat.httpd.proxy;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.HttpdTime;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.HealthConfigBuilder;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfigBuilder;
import io.margay.gateway.config.PeerConfigShareBuilder;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.config.UpstreamConfigStickyBuilder;
import io.margay.transport.TlsClientConfig.Unverified;
import io.margay.transport.TlsConfig.Certificate;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The workers and balancers of mod_proxy, which become upstreams. Confined to one reading.
public final class ProxyWorkers {
    private final Account account;
    private final Map<String, Worker> workers = new LinkedHashMap<>();
    private final Map<String, Balancer> balancers = new LinkedHashMap<>();
    private final Map<String, ProxyParameters> templates = new HashMap<>();
    private final Map<String, HealthConfig.ExpectedResponse> answers = new LinkedHashMap<>();
    private final Map<String, String> names = new HashMap<>();
    private Supplier<List<Certificate>> shown = List::of;

    /// What sends requests to a worker or a balancer, with what its server says of peers.
    private final Map<String, List<Supplier<PeerDefaults>>> used = new LinkedHashMap<>();

    public ProxyWorkers(Account account) {
        this.account = account;
    }

    /// A peer, or a member of a balancer.
    ///
    /// @param root folder of scripts of a FastCGI peer, or null
    private record Worker(
            String name,
            ProxyUrl url,
            ProxyParameters parameters,
            @Nullable String root,
            Supplier<PeerDefaults> defaults) {}

    /// What holds for a peer that says nothing itself.
    ///
    /// @param timeout for its responses
    /// @param packetBytes of AJP13
    /// @param tls how they are spoken to over TLS
    /// @param keepsHost what has them get the client's `Host`; null = nothing
    public record PeerDefaults(
            Duration timeout, int packetBytes, PeerConfig.Tls tls, @Nullable HttpdNode keepsHost) {}

    private record Balancer(String name, ProxyParameters parameters, List<Worker> members) {}

    /// Notes what the gateway shows to peers that ask for a certificate: known when all is read.
    public void shows(Supplier<List<Certificate>> certificates) {
        shown = certificates;
    }

    /// The same, as far as it is known.
    public List<Certificate> shown() {
        return shown.get();
    }

    /// Notes a template of `ProxyHCTemplate`.
    public void template(String name, ProxyParameters parameters) {
        templates.put(name, parameters);
    }

    /// Notes an expression of `ProxyHCExpr`.
    public void answer(String name, HealthConfig.ExpectedResponse answer) {
        answers.put(name, answer);
    }

    /// Adds a member to a balancer.
    public void member(
            String balancer,
            String name,
            ProxyUrl url,
            ProxyParameters given,
            Supplier<PeerDefaults> defaults) {
        balancer(balancer, given.place()).members.add(new Worker(name, url, given, null, defaults));
    }

    private Balancer balancer(String name, Place place) {
        return balancers.computeIfAbsent(
                name,
                key ->
                        new Balancer(
                                key,
                                new ProxyParameters(place, "balancer://" + key, account),
                                new ArrayList<>()));
    }

    /// What `ProxySet` or a `ProxyPass` says about a balancer or a worker.
    public void set(ProxyUrl url, ProxyParameters given, Supplier<PeerDefaults> defaults) {
        if (url.isBalancer()) {
            balancer(url.host(), given.place()).parameters.add(given);
        } else {
            String key = key(url);
            Worker known = workers.get(key);
            if (known == null) {
                workers.put(key, new Worker(key, url, given, null, defaults));
            } else {
                known.parameters.addMissing(given);
            }
        }
    }

    private static String key(ProxyUrl url) {
        String path = url.path();
        int end = path.indexOf('$');
        path = end >= 0 ? path.substring(0, end) : path;
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        return url.origin() + path;
    }

    /// The upstream of a URL that requests are sent to: the worker that was declared for it or for
    /// the longest part of it, else one for its origin.
    ///
    /// @param root folder of scripts of a FastCGI peer, or null
    public String upstream(
            ProxyUrl url,
            ProxyParameters given,
            @Nullable String root,
            Supplier<PeerDefaults> defaults) {
        if (url.isBalancer()) {
            balancer(url.host(), given.place()).parameters.addMissing(given);
            use("balancer://" + url.host(), defaults);
            return url.host();
        }
        if (!given.isEmpty()) {
            set(url, given, defaults);
        }
        for (String key = key(url); ; key = key.substring(0, key.lastIndexOf('/'))) {
            Worker worker = workers.get(key);
            if (worker != null && sameRoot(worker, root)) {
                use(key, defaults);
                return name(worker.name);
            }
            if (key.length() <= url.origin().length()) {
                break;
            }
        }
        String name = root == null ? url.origin() : url.origin() + root;
        workers.putIfAbsent(name, new Worker(name, url, given, root, defaults));
        use(name, defaults);
        return name(name);
    }

    private void use(String key, Supplier<PeerDefaults> by) {
        used.computeIfAbsent(key, _ -> new ArrayList<>()).add(by);
    }

    /// A name made of a URL: what stands in no name of an upstream becomes a hyphen.
    private String name(String url) {
        String plain = url.replaceAll("[^A-Za-z0-9_.-]+", "-").replaceAll("^-|-$", "");
        String name = plain;
        for (int i = 2; !url.equals(names.getOrDefault(name, url)); i++) {
            name = plain + "-" + i;
        }
        names.put(name, url);
        return name;
    }

    private static boolean sameRoot(Worker worker, @Nullable String root) {
        return java.util.Objects.equals(worker.root, root);
    }

    /// The URLs behind an upstream, for `ProxyPassReverse balancer://…`.
    public List<String> memberUrls(String balancer) {
        Balancer found = balancers.get(balancer);
        return found == null
                ? List.of()
                : found.members.stream().map(m -> m.url.origin() + m.url.path()).toList();
    }

    /// Whether the peers of a URL speak AJP13 or FastCGI, which know nothing of an upgrade.
    boolean speaksHttp(ProxyUrl url) {
        if (!url.isBalancer()) {
            return url.peerScheme()
                    .filter(s -> s == PeerScheme.HTTP || s == PeerScheme.HTTPS)
                    .isPresent();
        }
        Balancer found = balancers.get(url.host());
        return found != null && found.members.stream().anyMatch(m -> speaksHttp(m.url));
    }

    /// Every upstream that requests are sent to.
    public Map<String, UpstreamConfig> build() {
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        for (Worker worker : workers.values()) {
            if (used.containsKey(worker.name)) {
                PeerConfig peer = peer(worker, List.of(), worker.name, false);
                if (peer != null) {
                    String name = name(worker.name);
                    upstreams.put(name, upstream(name, worker.parameters, List.of(peer), worker));
                }
            }
        }
        for (Balancer balancer : balancers.values()) {
            if (!used.containsKey("balancer://" + balancer.name)) {
                continue;
            }
            UpstreamConfig made = balanced(balancer);
            if (made != null) {
                upstreams.put(balancer.name, made);
            }
        }
        return upstreams;
    }

    private @Nullable UpstreamConfig balanced(Balancer balancer) {
        List<Integer> failStatuses = balancer.parameters.statuses(ProxyParameter.FAILONSTATUS);
        List<PeerConfig> peers = new ArrayList<>();
        Set<String> names = new java.util.HashSet<>();
        for (Worker member : balancer.members) {
            PeerConfig peer = peer(member, failStatuses, "balancer://" + balancer.name, true);
            if (peer != null && names.add(peer.name())) {
                peers.add(peer);
            }
        }
        if (peers.isEmpty()) {
            account.wrong(
                    balancer.parameters.place(),
                    "balancer://" + balancer.name,
                    "has no members; add <Proxy balancer://"
                            + balancer.name
                            + "> with BalancerMember URL");
            return null;
        }
        return upstream(balancer.name, balancer.parameters, peers, balancer.members.getFirst());
    }

    private UpstreamConfig upstream(
            String name, ProxyParameters parameters, List<PeerConfig> peers, Worker first) {
        UpstreamConfig byDefault = UpstreamConfig.of(name, peers);
        if (parameters.flag(ProxyParameter.FAILONTIMEOUT, false)) {
            account.noted(
                    parameters.place(),
                    name + " failontimeout",
                    "a response timeout is always an error");
        }
        int attempts = parameters.number(ProxyParameter.MAXATTEMPTS, peers.size() - 1) + 1;
        return byDefault
                .withDialect(BalanceDialect.MOD_PROXY)
                .withMethod(method(parameters))
                .withSticky(sticky(parameters))
                .withAttempts(Math.clamp(attempts, 1, Math.max(2, peers.size())))
                .withForceRecovery(parameters.flag(ProxyParameter.FORCERECOVERY, true))
                .withHealth(health(first.parameters))
                .withPatience(
                        parameters == first.parameters
                                ? Duration.ZERO
                                : parameters.time(ProxyParameter.TIMEOUT, Duration.ZERO));
    }

    private static BalanceMethod method(ProxyParameters parameters) {
        String method = parameters.text(ProxyParameter.LBMETHOD, "byrequests");
        String name = method.toLowerCase(Locale.ROOT);
        if (name.equals("heartbeat")) {
            parameters.changed(
                    ProxyParameter.LBMETHOD, "there are no heartbeats: bybusyness is used");
            return BalanceMethod.BUSYNESS;
        }
        Optional<BalanceMethod> known = BalanceMethod.ofModProxy(name);
        if (known.isEmpty()) {
            String names = String.join(", ", BalanceMethod.namesOfModProxy());
            parameters.wrong(ProxyParameter.LBMETHOD, "\"" + method + "\" is not one of " + names);
        }
        return known.orElse(BalanceMethod.REQUESTS);
    }

    private static UpstreamConfig.Sticky sticky(ProxyParameters parameters) {
        String names = parameters.text(ProxyParameter.STICKYSESSION, "");
        if (names.isEmpty()) {
            return UpstreamConfig.Sticky.none();
        }
        int bar = names.indexOf('|');
        return UpstreamConfigStickyBuilder.builder(UpstreamConfig.Sticky.defaults())
                .cookie(bar < 0 ? names : names.substring(0, bar))
                .parameter(bar < 0 ? names : names.substring(bar + 1))
                .separator(parameters.text(ProxyParameter.STICKYSESSIONSEP, "."))
                .queryParameter(true)
                .force(parameters.flag(ProxyParameter.NOFAILOVER, false))
                .build();
    }

    /// How a peer is spoken to over TLS: its certificate is checked where one of those asks for
    /// that who send requests there; httpd checks it only when told, and then its name and dates.
    private PeerConfig.Tls tls(Worker worker, PeerAddress address, String key) {
        boolean secure = address.scheme().isSecure();
        PeerConfig.Tls own = worker.defaults.get().tls();
        boolean verify = own.verify();
        Unverified least = own.unverified();
        Set<Path> trusted = new LinkedHashSet<>();
        for (Supplier<PeerDefaults> each : used.getOrDefault(key, List.of())) {
            PeerDefaults one = each.get();
            PeerConfig.Tls asked = one.tls();
            verify |= asked.verify();
            least = asked.unverified().compareTo(least) > 0 ? asked.unverified() : least;
            if (secure && asked.verify() && asked.trust() != null) {
                trusted.add(asked.trust());
            }
            HttpdNode keeps = one.keepsHost();
            if (secure && keeps != null) {
                account.changed(
                        keeps.place(),
                        keeps.title(),
                        "the certificate of an https:// peer is for the name in its URL, not for"
                                + " the client's Host");
            }
        }
        if (trusted.size() > 1) {
            account.wrong(
                    worker.parameters.place(),
                    worker.url.origin(),
                    "is checked with different files of SSLProxyCACertificateFile: name one for"
                            + " all hosts that send requests there");
        }
        return new PeerConfig.Tls(
                verify || !secure,
                trusted.isEmpty() ? own.trust() : trusted.iterator().next(),
                own.serverName() == null && address.socket() != null
                        ? worker.url.named()
                        : own.serverName(),
                secure ? shown.get() : List.of(),
                secure ? least : Unverified.ANY);
    }

    /// @param key by which it, or its balancer, is known to be used
    private @Nullable PeerConfig peer(
            Worker worker, List<Integer> failStatuses, String key, boolean isMember) {
        PeerAddress address = worker.url.address().orElse(null);
        ProxyParameters given = worker.parameters;
        if (address == null) {
            account.wrong(
                    given.place(),
                    worker.url.origin(),
                    "is not a URL of http, https, h2, h2c, ajp, fcgi, ws, wss or balancer");
            return null;
        }
        boolean fcgi = address.scheme() == PeerScheme.FCGI;
        String path = worker.url.path();
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        String secret = given.text(ProxyParameter.SECRET, "");
        Duration ping = given.time(ProxyParameter.PING, Duration.ZERO);
        return PeerConfigBuilder.builder(PeerConfig.of(worker.name, address))
                .url(new PeerUrl(address, isMember && !fcgi ? path : ""))
                .root(fcgi && worker.root != null && !worker.root.isEmpty() ? worker.root : null)
                .share(share(given))
                .pool(pool(given, worker.url.scheme().equals("fcgi")))
                .timeouts(timeouts(worker, ping))
                .ajp(
                        new PeerConfig.Ajp(
                                secret.isEmpty() ? null : secret,
                                worker.defaults.get().packetBytes(),
                                ping.isZero() ? Set.of() : Set.of(PeerConfig.Ping.PREPOST)))
                .failures(
                        new PeerConfig.Failures(
                                1,
                                Duration.ofMillis(100),
                                given.time(ProxyParameter.RETRY, Duration.ofSeconds(60)),
                                0,
                                failStatuses,
                                List.of()))
                .tls(tls(worker, address, key))
                .build();
    }

    private static PeerConfig.Share share(ProxyParameters given) {
        Activation activation = Activation.ACTIVE;
        boolean standby = false;
        boolean spare = false;
        boolean ignore = false;
        boolean set = true;
        String letters = given.text(ProxyParameter.STATUS, "").toUpperCase(Locale.ROOT);
        for (int i = 0; i < letters.length(); i++) {
            char c = letters.charAt(i);
            switch (c) {
                case '+' -> set = true;
                case '-' -> set = false;
                case 'S' -> activation = set ? Activation.STOPPED : Activation.ACTIVE;
                case 'D' -> activation = set ? Activation.STOPPED : Activation.ACTIVE;
                case 'N' -> activation = set ? Activation.DISABLED : Activation.ACTIVE;
                case 'H' -> standby = set;
                case 'R' -> spare = set;
                case 'I' -> ignore = set;
                case 'E', 'C' ->
                        given.changed(
                                ProxyParameter.STATUS,
                                "no peer starts in the error state:" + " " + c);
                default -> given.wrong(ProxyParameter.STATUS, "\"" + c + "\" is not a status");
            }
        }
        return PeerConfigShareBuilder.builder(
                        PeerConfig.Share.defaults(given.text(ProxyParameter.ROUTE, "")))
                .redirect(given.text(ProxyParameter.REDIRECT, ""))
                .weight(given.factor(ProxyParameter.LOADFACTOR, 1))
                .distance(given.number(ProxyParameter.LBSET, 0))
                .activation(activation)
                .roles(new PeerConfig.Share.Roles(standby, spare, ignore))
                .build();
    }

    /// @param program whether it runs FastCGI: a connection that is kept would keep a process of it
    private static PeerConfig.Pool pool(ProxyParameters given, boolean program) {
        PeerConfig.Pool byDefault = PeerConfig.Pool.defaults();
        String acquire = given.text(ProxyParameter.ACQUIRE, "");
        boolean reuse =
                given.flag(ProxyParameter.ENABLEREUSE, !program)
                        && !given.flag(ProxyParameter.DISABLEREUSE, false);
        return new PeerConfig.Pool(
                given.number(ProxyParameter.MAX, 0),
                given.number(ProxyParameter.MIN, 0),
                given.time(ProxyParameter.TTL, byDefault.idle()),
                HttpdTime.parse(acquire, 1).orElse(byDefault.acquire()),
                reuse,
                Duration.ZERO);
    }

    private static PeerConfig.Timeouts timeouts(Worker worker, Duration ping) {
        Duration timeout =
                worker.parameters.time(ProxyParameter.TIMEOUT, worker.defaults.get().timeout());
        return new PeerConfig.Timeouts(
                worker.parameters.time(ProxyParameter.CONNECTIONTIMEOUT, timeout),
                timeout,
                timeout,
                ping.isZero() ? PeerConfig.Timeouts.defaults().ping() : ping);
    }

    private @Nullable HealthConfig health(ProxyParameters member) {
        ProxyParameters given = new ProxyParameters(member.place(), "hcmethod", account);
        given.add(member);
        String template = member.text(ProxyParameter.HCTEMPLATE, "");
        if (!template.isEmpty()) {
            ProxyParameters known = templates.get(template);
            if (known == null) {
                member.wrong(ProxyParameter.HCTEMPLATE, "there is no template " + template);
            } else {
                given.addMissing(known);
            }
        }
        String name = given.text(ProxyParameter.HCEXPR, "");
        HealthConfig.ExpectedResponse answer = answers.get(name);
        if (answer == null && !name.isEmpty()) {
            given.changed(
                    ProxyParameter.HCEXPR,
                    "no ProxyHCExpr "
                            + name
                            + " is understood: checks expect a status from 200 to 399");
        }
        String method = given.text(ProxyParameter.HCMETHOD, "None").toUpperCase(Locale.ROOT);
        HealthConfig.Kind kind;
        switch (method) {
            case "NONE" -> {
                return null;
            }
            case "TCP" -> kind = HealthConfig.Kind.TCP;
            case "CPING" -> kind = HealthConfig.Kind.CPING;
            case "OPTIONS", "OPTIONS11" -> kind = HealthConfig.Kind.OPTIONS;
            case "HEAD", "HEAD11" -> kind = HealthConfig.Kind.HEAD;
            case "GET", "GET11" -> kind = HealthConfig.Kind.GET;
            default -> {
                given.wrong(
                        ProxyParameter.HCMETHOD,
                        "\"" + method + "\" is not one of None, TCP, OPTIONS, HEAD, GET, CPING");
                return null;
            }
        }
        HealthConfig byDefault = HealthConfig.of(kind, given.text(ProxyParameter.HCURI, "/"));
        HealthConfig made =
                HealthConfigBuilder.builder(byDefault)
                        .every(given.time(ProxyParameter.HCINTERVAL, byDefault.every()))
                        .passes(given.number(ProxyParameter.HCPASSES, 1))
                        .fails(given.number(ProxyParameter.HCFAILS, 1))
                        .build();
        return (answer == null ? made : made.withAnswer(answer)).withAnswers(answers);
    }
}
