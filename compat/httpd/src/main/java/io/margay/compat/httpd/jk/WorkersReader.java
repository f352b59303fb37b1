package io.margay.compat.httpd.jk;

import io.margay.compat.account.Account;
import io.margay.compat.account.Place;
import io.margay.compat.httpd.jk.WorkerProperties.Value;
import io.margay.compat.httpd.syntax.Spelling;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerAddress;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfigBuilder;
import io.margay.gateway.config.PeerConfigShareBuilder;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.config.UpstreamConfigStickyBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// Makes upstreams of workers. Confined to one reading.
public final class WorkersReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");
    private static final int MAINTAIN_SECONDS = 60;

    private final WorkerProperties properties;
    private final Account account;
    private final boolean reuse;

    /// @param reuse whether connections carry more than one request (not with `DisableReuse`)
    public WorkersReader(WorkerProperties properties, Account account, boolean reuse) {
        this.properties = properties;
        this.account = account;
        this.reuse = reuse;
    }

    public Workers read() {
        Set<String> workers = properties.workerNames();
        Set<String> listed = new TreeSet<>(list());
        account(workers);
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();
        Map<String, Map<String, String>> status = new LinkedHashMap<>();
        List<MountRule> mounts = new ArrayList<>();
        for (String name : listed) {
            if (!NAME.matcher(name).matches()) {
                account.wrong(
                        listPlace(), "worker.list", "\"" + name + "\" is not a name of a worker");
                continue;
            }
            WorkerSettings settings = settings(name);
            String type = settings.text(WorkerDirective.TYPE, "ajp13").toLowerCase(Locale.ROOT);
            switch (type) {
                case "ajp13" -> upstreams.put(name, single(settings));
                case "lb" -> balanced(settings, upstreams);
                case "status" -> {
                    Map<String, String> page = new LinkedHashMap<>();
                    properties.of(name).forEach((key, value) -> page.put(key, value.text()));
                    status.put(name, page);
                }
                default -> type(settings, type);
            }
            mounts.addAll(mounts(settings));
        }
        return new Workers(upstreams, status, mounts);
    }

    private List<String> list() {
        Value list = properties.get("worker.list");
        return list == null ? List.of("ajp13") : WorkerSettings.split(list.text());
    }

    private Place listPlace() {
        Value list = properties.get("worker.list");
        return list == null ? new Place("", 0) : list.place();
    }

    private WorkerSettings settings(String name) {
        return new WorkerSettings(name, properties.of(name), account);
    }

    private static void type(WorkerSettings settings, String type) {
        String known =
                switch (type) {
                    case "ajp14" -> "AJP14 is not in use: write ajp13, and the port of AJP13";
                    case "ajp12", "jni" -> "mod_jk no longer has it: write ajp13";
                    default ->
                            "there is no type \""
                                    + type
                                    + "\""
                                    + Spelling.hint(type, List.of("ajp13", "lb", "status"));
                };
        settings.wrong(WorkerDirective.TYPE, known);
    }

    /// One line for each property: what it is, before what is wrong with its value.
    private void account(Set<String> workers) {
        for (Map.Entry<String, Value> entry : properties.workerProperties().entrySet()) {
            String name = entry.getKey();
            Place place = entry.getValue().place();
            String word = name.substring(name.lastIndexOf('.') + 1);
            WorkerDirective directive = WorkerDirective.of(word);
            boolean global = name.indexOf('.') == name.lastIndexOf('.');
            if (directive == null || global != isGlobal(directive)) {
                account.wrong(place, name, "is not a directive" + hint(word, workers));
                continue;
            }
            switch (directive.fate()) {
                case HONOURED ->
                        account.honoured(
                                place,
                                name,
                                directive.text().isEmpty() ? "honoured" : directive.text());
                case NOTED -> account.noted(place, name, directive.text());
                case CHANGED -> changed(entry.getValue(), name, directive);
            }
        }
    }

    /// A directive that is said with its default changes nothing.
    private void changed(Value value, String name, WorkerDirective directive) {
        if (value.text().equals(directive.byDefault())) {
            account.honoured(value.place(), name, "its default");
        } else {
            account.changed(value.place(), name, directive.text());
        }
    }

    private static boolean isGlobal(WorkerDirective directive) {
        return directive == WorkerDirective.LIST || directive == WorkerDirective.MAINTAIN;
    }

    private static String hint(String word, Set<String> workers) {
        String hint =
                Spelling.hint(
                        word,
                        Arrays.stream(WorkerDirective.values())
                                .map(WorkerDirective::word)
                                .toList());
        return hint.isEmpty() && workers.contains(word)
                ? "; a worker's are written worker." + word + ".DIRECTIVE"
                : hint;
    }

    private Duration maintain() {
        Value value = properties.get("worker.maintain");
        if (value == null) {
            return Duration.ofSeconds(MAINTAIN_SECONDS);
        }
        WorkerSettings global = new WorkerSettings("maintain", Map.of("maintain", value), account);
        return global.seconds(WorkerDirective.MAINTAIN, MAINTAIN_SECONDS);
    }

    /// A worker that no other stands in for: it is tried with each request, whatever was before.
    private UpstreamConfig single(WorkerSettings settings) {
        PeerConfig peer = peer(settings, settings, true);
        UpstreamConfig byDefault = UpstreamConfig.of(settings.worker(), List.of(peer));
        return byDefault
                .withDialect(BalanceDialect.MOD_JK)
                .withSticky(UpstreamConfig.Sticky.none())
                .withMaintain(maintain());
    }

    private void balanced(WorkerSettings lb, Map<String, UpstreamConfig> upstreams) {
        List<String> names = new ArrayList<>(lb.words(WorkerDirective.BALANCE_WORKERS));
        names.addAll(lb.words(WorkerDirective.BALANCED_WORKERS));
        List<PeerConfig> peers = new ArrayList<>();
        for (String name : names.stream().distinct().toList()) {
            WorkerSettings member = settings(name);
            String type = member.text(WorkerDirective.TYPE, "ajp13");
            if (type.equalsIgnoreCase("ajp13")) {
                peers.add(peer(member, lb, false));
            } else {
                lb.wrong(
                        WorkerDirective.BALANCE_WORKERS,
                        name + " is of type " + type + "; members are of type ajp13");
            }
        }
        localFirst(lb, names, peers);
        if (peers.isEmpty()) {
            lb.wrong(
                    WorkerDirective.BALANCE_WORKERS,
                    "the load balancer has no members; name some: worker."
                            + lb.worker()
                            + ".balance_workers=NAME,NAME");
            return;
        }
        int recover = lb.number(WorkerDirective.RECOVER_TIME, 60);
        int tries = lb.number(WorkerDirective.LB_RETRIES, 2, 1, Integer.MAX_VALUE);
        upstreams.put(
                lb.worker(),
                UpstreamConfig.of(lb.worker(), peers)
                        .withDialect(BalanceDialect.MOD_JK)
                        .withMethod(method(lb))
                        .withSticky(sticky(lb))
                        .withTolerance(
                                Math.min(tries, peers.size()),
                                lb.seconds(WorkerDirective.ERROR_ESCALATION_TIME, recover / 2),
                                lb.number(WorkerDirective.MAX_REPLY_TIMEOUTS, 0))
                        .withMaintain(maintain())
                        .withRounds(lb.number(WorkerDirective.RETRIES, 2, 1, 1000)));
    }

    /// `local_worker`: the members that are not local stand farther off, or, with
    /// `local_worker_only`, get sessions of their own alone.
    private void localFirst(WorkerSettings lb, List<String> names, List<PeerConfig> peers) {
        Set<String> local = new TreeSet<>();
        for (String name : names) {
            if (settings(name).flag(WorkerDirective.LOCAL_WORKER, false)) {
                local.add(name);
            }
        }
        boolean only = lb.flag(WorkerDirective.LOCAL_WORKER_ONLY, false);
        if (!local.isEmpty()) {
            peers.replaceAll(peer ->
                    local.contains(peer.name())
                            ? peer
                            : peer.withShare(peer.share().farther(only)));
        }
    }

    private static BalanceMethod method(WorkerSettings lb) {
        String text = lb.text(WorkerDirective.METHOD, "R").strip();
        Optional<BalanceMethod> method =
                BalanceMethod.ofModJk(text.isEmpty() ? 'R' : text.charAt(0));
        if (method.isEmpty()) {
            String names = String.join(", ", BalanceMethod.namesOfModJk());
            lb.wrong(WorkerDirective.METHOD, "\"" + text + "\" is not one of " + names);
        }
        return method.orElse(BalanceMethod.REQUESTS);
    }

    private static UpstreamConfig.Sticky sticky(WorkerSettings lb) {
        if (!lb.flag(WorkerDirective.STICKY_SESSION, true)) {
            return UpstreamConfig.Sticky.none();
        }
        String cookie = lb.text(WorkerDirective.SESSION_COOKIE, "JSESSIONID");
        String path = lb.text(WorkerDirective.SESSION_PATH, ";jsessionid");
        boolean set = lb.flag(WorkerDirective.SET_SESSION_COOKIE, false);
        String cookiePath = lb.text(WorkerDirective.SESSION_COOKIE_PATH, "");
        return UpstreamConfigStickyBuilder.builder(UpstreamConfig.Sticky.defaults())
                .cookie(cookie)
                .parameter(path.startsWith(";") ? path.substring(1) : path)
                .force(lb.flag(WorkerDirective.STICKY_SESSION_FORCE, false))
                .setCookie(set ? cookie : null)
                .setCookiePath(cookiePath.isEmpty() ? null : cookiePath)
                .build();
    }

    private PeerConfig peer(WorkerSettings settings, WorkerSettings group, boolean alone) {
        String name = settings.worker();
        PeerAddress address = address(settings);
        boolean noPort = address.port() == 0;
        return PeerConfigBuilder.builder(PeerConfig.of(name, address))
                .share(share(settings, alone, noPort))
                .pool(pool(settings))
                .timeouts(timeouts(settings))
                .ajp(ajp(settings, group))
                .failures(failures(settings, group))
                .build();
    }

    private static PeerAddress address(WorkerSettings settings) {
        String host = settings.text(WorkerDirective.HOST, "localhost").strip();
        int port = settings.number(WorkerDirective.PORT, 8009, 0, 65_535);
        int colon = host.lastIndexOf(':');
        boolean literal = host.startsWith("[");
        if (colon > 0 && (literal ? host.charAt(colon - 1) == ']' : host.indexOf(':') == colon)) {
            try {
                port = Integer.parseInt(host.substring(colon + 1));
                host = host.substring(0, colon);
            } catch (NumberFormatException e) {
                settings.wrong(WorkerDirective.HOST, "\"" + host + "\" is not HOST or HOST:PORT");
            }
        }
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.isEmpty() || port > 65_535 || port < 0) {
            settings.wrong(WorkerDirective.HOST, "\"" + host + ":" + port + "\" is not an address");
            return PeerAddress.of(PeerScheme.AJP, "localhost", 8009);
        }
        return PeerAddress.of(PeerScheme.AJP, host, port);
    }

    private static PeerConfig.Share share(WorkerSettings settings, boolean alone, boolean stopped) {
        String route = settings.text(WorkerDirective.JVM_ROUTE, settings.worker());
        route = settings.text(WorkerDirective.ROUTE, route);
        String domain = settings.text(WorkerDirective.DOMAIN, "");
        int dot = route.indexOf('.');
        if (domain.isEmpty() && dot > 0) {
            domain = route.substring(0, dot);
        }
        return PeerConfigShareBuilder.builder(PeerConfig.Share.defaults(route))
                .domain(domain)
                .redirect(settings.text(WorkerDirective.REDIRECT, ""))
                .weight(settings.number(WorkerDirective.LBFACTOR, 1, 1, 1_000_000))
                .distance(settings.number(WorkerDirective.DISTANCE, 0))
                .activation(stopped ? Activation.STOPPED : activation(settings))
                .busyMax(settings.number(WorkerDirective.BUSY_LIMIT, 0))
                .roles(new PeerConfig.Share.Roles(false, false, alone))
                .build();
    }

    private static Activation activation(WorkerSettings settings) {
        if (!settings.has(WorkerDirective.ACTIVATION)) {
            if (settings.flag(WorkerDirective.STOPPED, false)) {
                return Activation.STOPPED;
            }
            return settings.flag(WorkerDirective.DISABLED, false)
                    ? Activation.DISABLED
                    : Activation.ACTIVE;
        }
        String text = settings.text(WorkerDirective.ACTIVATION, "A").strip();
        return switch (text.isEmpty() ? 'A' : Character.toUpperCase(text.charAt(0))) {
            case 'A' -> Activation.ACTIVE;
            case 'D' -> Activation.DISABLED;
            case 'S' -> Activation.STOPPED;
            default -> {
                settings.wrong(
                        WorkerDirective.ACTIVATION,
                        "\"" + text + "\" is not one of Active, Disabled, Stopped");
                yield Activation.ACTIVE;
            }
        };
    }

    private PeerConfig.Pool pool(WorkerSettings settings) {
        int max =
                settings.number(
                        WorkerDirective.CONNECTION_POOL_SIZE,
                        settings.number(WorkerDirective.CACHESIZE, 0));
        int min = settings.number(WorkerDirective.CONNECTION_POOL_MINSIZE, (max + 1) / 2);
        int idle =
                settings.number(
                        WorkerDirective.CONNECTION_POOL_TIMEOUT,
                        settings.number(
                                WorkerDirective.CACHE_TIMEOUT,
                                settings.number(WorkerDirective.RECYCLE_TIMEOUT, 0)));
        int retries = settings.number(WorkerDirective.RETRIES, 2, 1, Integer.MAX_VALUE);
        int interval = settings.number(WorkerDirective.RETRY_INTERVAL, 100);
        return new PeerConfig.Pool(
                max,
                min,
                Duration.ofSeconds(idle),
                settings.millis(
                        WorkerDirective.CONNECTION_ACQUIRE_TIMEOUT,
                        (int) Math.min(Integer.MAX_VALUE, (long) retries * interval)),
                reuse,
                Duration.ZERO);
    }

    private static PeerConfig.Timeouts timeouts(WorkerSettings settings) {
        int socket = settings.number(WorkerDirective.SOCKET_TIMEOUT, 0);
        int connect =
                settings.number(
                        WorkerDirective.SOCKET_CONNECT_TIMEOUT,
                        (int) Math.min(Integer.MAX_VALUE, socket * 1000L));
        return new PeerConfig.Timeouts(
                Duration.ofMillis(connect),
                settings.millis(WorkerDirective.REPLY_TIMEOUT, 0),
                Duration.ofSeconds(socket),
                ping(settings));
    }

    /// mod_jk has a time for each kind of CPING; the gateway has one, the longest.
    private static Duration ping(WorkerSettings settings) {
        int general = settings.number(WorkerDirective.PING_TIMEOUT, 10_000);
        int connect = settings.number(WorkerDirective.CONNECT_TIMEOUT, 0);
        int prepost = settings.number(WorkerDirective.PREPOST_TIMEOUT, 0);
        boolean mode = !settings.text(WorkerDirective.PING_MODE, "").isBlank();
        int longest = Math.max(connect, Math.max(prepost, mode ? general : 0));
        if (connect > 0 && prepost > 0 && connect != prepost) {
            settings.noted(
                    WorkerDirective.PREPOST_TIMEOUT,
                    "there is one timeout for CPING, the longer one: " + longest + " ms");
        }
        return Duration.ofMillis(longest == 0 ? general : longest);
    }

    private PeerConfig.Ajp ajp(WorkerSettings settings, WorkerSettings group) {
        Set<PeerConfig.Ping> pings = new TreeSet<>();
        String modes = settings.text(WorkerDirective.PING_MODE, "").strip();
        for (int i = 0; i < modes.length(); i++) {
            char c = modes.charAt(i);
            switch (Character.toUpperCase(c)) {
                case 'C' -> pings.add(PeerConfig.Ping.CONNECT);
                case 'P' -> pings.add(PeerConfig.Ping.PREPOST);
                case 'I' -> pings.add(PeerConfig.Ping.INTERVAL);
                case 'A' -> pings.addAll(Set.of(PeerConfig.Ping.values()));
                default ->
                        settings.wrong(
                                WorkerDirective.PING_MODE,
                                "\"" + c + "\" is not one of C, P, I," + " A");
            }
        }
        if (settings.number(WorkerDirective.CONNECT_TIMEOUT, 0) > 0) {
            pings.add(PeerConfig.Ping.CONNECT);
        }
        if (settings.number(WorkerDirective.PREPOST_TIMEOUT, 0) > 0) {
            pings.add(PeerConfig.Ping.PREPOST);
        }
        if (settings.number(WorkerDirective.CONNECTION_PING_INTERVAL, 0) > 0) {
            pings.add(PeerConfig.Ping.INTERVAL);
        }
        String secret =
                settings.text(WorkerDirective.SECRET, group.text(WorkerDirective.SECRET, ""));
        int packet = settings.number(WorkerDirective.MAX_PACKET_SIZE, 8192, 1, 65_536);
        int rounded = Math.min(65_536, Math.max(8192, (packet + 1023) / 1024 * 1024));
        return new PeerConfig.Ajp(secret.isEmpty() ? null : secret, rounded, pings);
    }

    private PeerConfig.Failures failures(WorkerSettings settings, WorkerSettings group) {
        List<Integer> hard = new ArrayList<>();
        List<Integer> soft = new ArrayList<>();
        for (String word : settings.words(WorkerDirective.FAIL_ON_STATUS)) {
            try {
                int status = Integer.parseInt(word);
                if (status != 0) {
                    (status < 0 ? soft : hard).add(Math.abs(status));
                }
            } catch (NumberFormatException e) {
                settings.wrong(
                        WorkerDirective.FAIL_ON_STATUS, "\"" + word + "\" is not a status code");
            }
        }
        int recover = group.number(WorkerDirective.RECOVER_TIME, 60);
        return new PeerConfig.Failures(
                settings.number(WorkerDirective.RETRIES, 2, 1, 1000),
                settings.millis(WorkerDirective.RETRY_INTERVAL, 100),
                Duration.ofSeconds(recover),
                settings.number(WorkerDirective.RECOVERY_OPTIONS, 0, 0, 31),
                hard,
                soft);
    }

    private List<MountRule> mounts(WorkerSettings settings) {
        List<MountRule> rules = new ArrayList<>();
        for (String pattern : settings.words(WorkerDirective.MOUNT)) {
            rules.addAll(
                    MountRule.parse(
                            pattern,
                            settings.worker(),
                            MountRule.Source.WORKER,
                            settings.place(WorkerDirective.MOUNT),
                            account));
        }
        return rules;
    }
}
