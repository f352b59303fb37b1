package io.margay.app.config.members;

import io.margay.app.config.HostSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.binding.Reading;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.ShapeReader;
import io.margay.gateway.config.BalanceDialect;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.HealthConfig.Kind;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.config.PeerUrl;
import io.margay.gateway.config.UpstreamConfig;
import io.margay.gateway.config.UpstreamConfigBuilder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads `upstreams`. Used by one thread.
public final class UpstreamReader {
    private final Reading reading;
    private final Settings root;
    private final boolean hasAdmin;
    private final Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>();

    public UpstreamReader(Reading reading, Settings root) {
        this.reading = reading;
        this.root = root;
        hasAdmin = root.isGiven("admin");
        root.section("upstreams")
                .ifPresent(all ->
                        all.keys()
                                .forEach(name ->
                                        all.section(name).ifPresent(one -> read(name, one))));
    }

    public Map<String, UpstreamConfig> upstreams() {
        return upstreams;
    }

    /// The same host; the upstreams that its routes name by URL are there, also where it has not
    /// been read again.
    public HostSettings withUpstreams(HostSettings host) {
        for (RouteSettings route : host.routes()) {
            if (route instanceof RouteSettings.Gateway gateway
                    && UpstreamKeys.isUrl(gateway.upstream())) {
                List<Problem> _ = byUrl(gateway.upstream());
            }
        }
        return host;
    }

    /// Reports a rule that has a cookie set which nothing reads.
    public void checkCookie(Settings rule) {
        String key = "session-set-cookie";
        UpstreamConfig to = rule.text("to").map(upstreams::get).orElse(null);
        boolean sets = !rule.text(key).orElse("").isEmpty();
        if (to != null && sets && !to.sticky().enabled()) {
            reading.problem(
                    rule,
                    key,
                    "\"" + key + "\" has no effect: \"" + to.name() + "\" has \"sticky: none\"");
        }
    }

    /// Reads a URL as an upstream of that name with nothing but this member; what is wrong with it,
    /// in positions of no file.
    public List<Problem> byUrl(String url) {
        List<Problem> wrong = new ArrayList<>();
        if (!upstreams.containsKey(url)) {
            String text = "members: [{url: \"" + url + "\"}]";
            int before = reading.problems().size();
            ShapeReader.parse(text, url, UpstreamKeys.UPSTREAM.shape(), Map.of(), wrong)
                    .ifPresent(one -> read(url, one));
            List<Problem> further = reading.problems().subList(before, reading.problems().size());
            wrong.addAll(further);
            further.clear();
        }
        return wrong;
    }

    private void read(String name, Settings section) {
        UpstreamConfig said =
                UpstreamKeys.UPSTREAM.read(
                        section, UpstreamConfig.of(name, List.of(MemberKeys.NOBODY)), reading);
        if (section.has("hash-by") && said.method() != BalanceMethod.HASH) {
            reading.problem(section, "hash-by", "\"hash-by\" needs \"balance: hash\"");
        }
        for (String key : List.of("subset", "own-zone")) {
            if (section.has(key) && said.method() == BalanceMethod.HASH) {
                reading.problem(
                        section,
                        key,
                        "\""
                                + key
                                + "\" cannot be combined with \"balance: hash\": gateways with"
                                + " other members send equal requests to different ones");
            }
        }
        if (section.has("sticky-set-cookie") && !said.sticky().enabled()) {
            reading.problem(
                    section,
                    "sticky-set-cookie",
                    "\"sticky-set-cookie\" has no effect with \"sticky: none\"");
        }
        PeerConfig pattern = MemberKeys.COMMON.read(section, MemberKeys.NOBODY, reading);
        List<Settings> members = section.list("members", Settings.class);
        for (Settings member : members) {
            if (member.has("spare") && said.dialect() != BalanceDialect.MOD_PROXY) {
                reading.problem(member, "spare", "\"spare\" needs \"dialect: mod_proxy\"");
            }
        }
        Set<String> routes = said.dialect().likeModJk() ? routes(members) : Set.of();
        List<PeerConfig> peers =
                members.stream()
                        .map(member -> peer(section, member, routes, pattern))
                        .flatMap(Optional::stream)
                        .toList();
        List<MemberSource> named =
                members.stream()
                        .map(member ->
                                MemberSourceKeys.read(
                                        root,
                                        said,
                                        member,
                                        () ->
                                                MemberKeys.read(
                                                        member,
                                                        MemberKeys.NOBODY.name(),
                                                        MemberKeys.NOBODY.url(),
                                                        pattern,
                                                        reading),
                                        reading))
                        .flatMap(Optional::stream)
                        .toList();
        if (peers.isEmpty() && named.isEmpty()) {
            return;
        }
        registered(section, named);
        HealthConfig health = said.health();
        if (health != null) {
            check(section.section("health").orElse(section), health, peers);
        }
        UpstreamConfigBuilder made = UpstreamConfigBuilder.builder(said);
        reading.made(section, "members", made.peers(peers).sources(named)::build)
                .ifPresent(one -> upstreams.put(name, one));
    }

    private void check(Settings section, HealthConfig health, List<PeerConfig> peers) {
        boolean ping = health.kind() == Kind.CPING || health.pingFirst();
        if (ping && peers.stream().anyMatch(p -> p.address().scheme() != PeerScheme.AJP)) {
            reading.problem(section, "ping", "\"cping\" is for ajp:// members only");
        }
        if (ping && health.port() != 0) {
            reading.problem(
                    section, "port", "\"port\" is for checks by HTTP or TCP, not for \"cping\"");
        }
    }

    private void registered(Settings section, List<MemberSource> sources) {
        long count =
                sources.stream()
                        .filter(one -> one.place() instanceof MemberSource.Registered)
                        .count();
        if (count > 1) {
            reading.problem(section, "members", "\"registered\" can be given once");
        }
        if (count > 0 && !hasAdmin) {
            reading.problem(
                    section, "members", "\"registered\" needs \"admin\", where members register");
        }
    }

    /// Routes by which members without a name can be called: mod_jk calls them so itself, while
    /// mod_proxy's pages know members by their URLs.
    private static Set<String> routes(List<Settings> members) {
        Set<String> routes = new HashSet<>();
        Set<String> taken = new HashSet<>();
        for (Settings member : members) {
            member.text("name").ifPresent(taken::add);
            member.text("route").filter(route -> !routes.add(route)).ifPresent(taken::add);
        }
        routes.removeAll(taken);
        routes.remove("");
        return routes;
    }

    /// @param routes those that may be names
    private Optional<PeerConfig> peer(
            Settings upstream, Settings member, Set<String> routes, PeerConfig pattern) {
        Optional<PeerUrl> url = member.get("url", PeerUrl.class);
        if (url.isEmpty()) {
            return Optional.empty();
        }
        String name =
                member.text("name")
                        .or(() -> member.text("route").filter(routes::contains))
                        .orElse(url.get().address().toString());
        PeerConfig made = MemberKeys.read(member, name, url.get(), pattern, reading);
        MemberKeys.checkProxyProtocol(
                member.has("proxy-protocol") ? member : upstream, made, reading);
        return Optional.of(made);
    }
}
