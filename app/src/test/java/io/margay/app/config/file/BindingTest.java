package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.acme.AcmeKeys;
import io.margay.app.config.AjpSettings;
import io.margay.app.config.Endpoint;
import io.margay.app.config.ListenerSettings;
import io.margay.app.config.RouteSettings;
import io.margay.app.config.SessionSettings;
import io.margay.app.config.access.AccessKeys;
import io.margay.app.config.access.TermKeys;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.file.deploy.DeployKeys;
import io.margay.app.config.file.login.LoginKeys;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.listener.TlsKeys;
import io.margay.app.config.members.MemberKeys;
import io.margay.app.config.members.MemberSourceKeys;
import io.margay.app.config.members.RegisterKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.config.rules.ChangeKeys;
import io.margay.app.config.rules.ResponseKeys;
import io.margay.app.config.rules.RuleKeys;
import io.margay.app.config.rules.SubstitutionKeys;
import io.margay.app.config.rules.TrafficKeys;
import io.margay.app.shared.SharedKeys;
import io.margay.app.yaml.Problem;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.ShapeReader;
import io.margay.gateway.limit.LimitKey;
import io.margay.gateway.limit.RequestLimit;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.GatewayRule;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.server.config.AjpConfig;
import io.margay.servlet.session.SessionWrite;
import io.margay.servlet.session.SharedSessions;
import io.margay.transport.ClientCertificates;
import io.margay.transport.TlsConfig;
import io.margay.transport.TlsConfig.ClientAuth;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a binding writes it reads, key by key, each with a value that is not its default.
final class BindingTest {
    /// A section and a record of it from which others are made.
    record Case<R>(Keys<R> keys, R from) {
        @Override
        public String toString() {
            return keys.says() + " " + from.getClass().getSimpleName();
        }
    }

    private static <R> Case<R> of(Keys<R> keys) {
        return new Case<>(keys, keys.defaults());
    }

    static Stream<Case<?>> bindings() {
        return Stream.concat(wholeSections(), variousSections());
    }

    private static Stream<Case<?>> wholeSections() {
        return Stream.of(
                of(LimitKeys.LIMITS),
                of(LimitKeys.WAR),
                of(LimitKeys.WORKERS),
                of(DeployKeys.DEPLOY),
                of(ResourceKeys.SOURCE),
                of(LoginKeys.LOGIN),
                of(ShieldKeys.SHIELD),
                of(EdgeKeys.EDGE),
                of(FileShape.ROOT),
                of(AdminKeys.ADMIN),
                of(RegisterKeys.REGISTRATION),
                of(AcmeKeys.OF_HOST),
                of(AcmeKeys.OF_FILE),
                of(HostBinding.PLAIN),
                of(HostBinding.FURTHER),
                of(RouteKeys.ROUTE),
                new Case<>(RouteKeys.ROUTE, new RouteSettings.StaticFiles("", Path.of("/"))),
                new Case<>(
                        RouteKeys.ROUTE,
                        new RouteSettings.Gateway("", "some", ProxyRules.defaults(), List.of())),
                new Case<>(
                        RouteKeys.ROUTE,
                        new RouteSettings.Status(
                                "", RouteSettings.Status.Page.JKSTATUS, null, null, List.of())),
                new Case<>(
                        RequestLimitKeys.LIMIT,
                        new RequestLimit(
                                "a",
                                PathMatch.ANY,
                                List.of(),
                                List.of(),
                                new LimitKey.Address(),
                                new RequestLimit.Rate(9, Duration.ofSeconds(1), 9, false),
                                5,
                                Duration.ZERO,
                                false,
                                false)),
                of(SharedKeys.SETTINGS),
                of(AccessKeys.HOST),
                of(AccessKeys.RULES),
                of(AccessKeys.PLACE),
                of(TermKeys.TERM));
    }

    private static Stream<Case<?>> variousSections() {
        ListenerSettings http = ListenerSettings.defaults();
        Endpoint at = http.endpoint();
        TlsConfig tls = TlsConfig.of(List.of(TlsKeys.CERTIFICATE.defaults()));
        ListenerSettings ajp =
                ListenerSettings.ajp(at, new AjpSettings(AjpConfig.withSecret("s"), false));
        return Stream.of(
                of(ListenerKeys.LISTENER),
                new Case<>(ListenerKeys.LISTENER, ajp),
                new Case<>(ListenerKeys.LISTENER, http.withTls(tls)),
                new Case<>(
                        ListenerKeys.LISTENER,
                        http.withTls(
                                tls.withClients(
                                        ClientCertificates.of(ClientAuth.NEED, Path.of("/"))))),
                of(TlsKeys.CERTIFICATE),
                of(MemberKeys.MEMBER),
                of(MemberSourceKeys.SOURCE),
                of(UpstreamKeys.UPSTREAM),
                of(UpstreamKeys.HEALTH),
                of(ChangeKeys.CHANGES),
                new Case<>(TrafficKeys.SPEED, new BandwidthRule.Fixed(5, 0)),
                new Case<>(TrafficKeys.SPEED, new BandwidthRule.Named("RATE", "")),
                new Case<>(
                        ChangeKeys.PAGE,
                        new ErrorPage(
                                PathMatch.ANY, 500, new ErrorPage.Content.Page(Path.of("/"), ""))),
                of(ResponseKeys.CONFIG),
                new Case<>(SubstitutionKeys.WHAT, new SubstitutionRule.Responses(List.of(), "")),
                new Case<>(
                        SubstitutionKeys.WHAT,
                        new SubstitutionRule.Lines(
                                List.of(), SubstitutionRule.Inherited.AS_BEFORE, 0)),
                of(LogKeys.KEYS),
                of(SessionKeys.SESSIONS),
                new Case<>(
                        SessionKeys.SESSIONS,
                        SessionSettings.defaults()
                                .withShared(
                                        new SessionSettings.Shared(
                                                "valkey",
                                                "redis://a",
                                                null,
                                                "k".repeat(SharedSessions.KEY_CHARS_MIN),
                                                SessionWrite.BEFORE,
                                                Duration.ofSeconds(1),
                                                Duration.ofSeconds(1),
                                                8,
                                                false))),
                new Case<>(
                        RuleKeys.RULE,
                        GatewayRule.of(
                                new PathMatch.Prefix("/a"),
                                RuleAction.Forward.to("other", ProxyRules.defaults()))),
                new Case<>(
                        RuleKeys.RULE,
                        GatewayRule.of(
                                new PathMatch.Regex("a", false, false),
                                new RuleAction.Rewrite("/b", RuleAction.Query.KEEP, 0))),
                new Case<>(
                        RuleKeys.RULE,
                        GatewayRule.of(
                                PathMatch.ANY,
                                new RuleAction.Page(RuleAction.Page.Kind.JK_STATUS, "", false))),
                new Case<>(
                        RuleKeys.RULE,
                        GatewayRule.of(
                                PathMatch.ANY,
                                new RuleAction.Redirect(301, "/", RuleAction.Query.KEEP))));
    }

    /// What is said where a key needs another one beside it.
    private static final Pattern OTHER_KEY =
            Pattern.compile(
                    "needs the key|needs one of|a bandwidth needs|belongs to|has an issuer"
                            + "|found by a pattern|there is no upstream|no effect without|needs a"
                            + "|needs bind-password|together|belong to a|needs \"subdomains");

    /// Texts of which those are tried that a key takes.
    private static final List<String> TEXTS =
            """
            some
            other
            header:X-Key
            cookie:SID
            client
            header X-Tenant
            5% for 10m
            12.5%
            2.5x
            p95
            7/m
            rw-rw----
            user ada
            (a=b)
            SSL_CLIENT_S_DN
            {|}
            image/*
            *:80
            10.0.0.0/8
            10.0.0.2
            ldaps://a
            https://a.example
            http://10.0.0.5:8080
            a@shop.example
            OU=a
            department:sales
            https
            A_
            GET
            X-Some
            5
            503
            200-299
            0.5
            4500ms
            30h
            /tmp
            /place
            aaaaaaaabbbbbbbbccccccccddddddddeeeeeeee
            12345
            2GiB
            9
            true
            """
                    .lines()
                    .toList();

    /// Values of keys for which a section of its required keys says too little, as in a file.
    private static final Map<String, List<String>> SAMPLES =
            Map.of(
                    "run", List.of("[{path: \"*.php\", to: other}]"),
                    "redirects", List.of("[{path: \"*\", refuse: 403}]"),
                    "rewrites", List.of("[{regex: a, rewrite: /b}]"),
                    "require", List.of("[{all: 2, not: true}, {user: [a]}, {tls: true}]"),
                    "types-file", List.of("/dev/null"),
                    "bots", List.of("{name: a, agent: b, domains: [b.example]}"),
                    "signed-bots",
                            List.of("{name: a, agent: 'https://b', thumbprints: [k], budgets: 2}"),
                    "realms",
                            List.of(
                                    """
                                    [{url: "ldaps://a", user-search: "(uid={0})", base: a, \
                                    subtree: true, group-base: b, role-search: "(m={0})", \
                                    group-attribute: c, role-nested: true, timeout: 7s}]\
                                    """,
                                    "[{database: a, password-query: '? a', role-query: '? b'}]"));

    private static final int VALUES_MAX = 4;

    /// Values that a shape takes, as [YamlText] prints them.
    private static List<Object> values(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar -> List.copyOf(texts(scalar));
            case Shape.Items items -> values(items.item()).stream().<Object>map(List::of).toList();
            case Shape.Named named -> {
                String name = texts(named.key()).getFirst();
                yield values(named.value()).stream()
                        .<Object>map(value -> Map.of(name, value))
                        .toList();
            }
            case Shape.Section section -> sections(section);
        };
    }

    private static List<String> texts(Shape.Scalar scalar) {
        Stream<String> bounds =
                Stream.of("maximum", "minimum")
                        .filter(scalar.schema()::containsKey)
                        .map(key -> scalar.schema().get(key).toString());
        Stream<String> taken =
                TEXTS.stream()
                        .filter(text -> takes(scalar, text))
                        .sorted(Comparator.comparing(text -> !isLike(scalar, text)));
        return Stream.of(scalar.choices().stream(), taken, bounds)
                .flatMap(texts -> texts)
                .distinct()
                .limit(VALUES_MAX)
                .map(YamlText::quote)
                .toList();
    }

    /// Whether a text is of the kind that is asked for, where keys take any.
    private static boolean isLike(Shape.Scalar scalar, String text) {
        return (scalar.says().contains("path") && text.startsWith("/"))
                || (scalar.says().contains("URL") && text.contains("://"));
    }

    private static boolean takes(Shape.Scalar scalar, String text) {
        try {
            Object _ = scalar.parse().apply(text);
            return scalar.choices().isEmpty();
        } catch (IllegalArgumentException | ArithmeticException e) {
            return false;
        }
    }

    /// Sections with the required keys, and each of the others beside them.
    private static List<Object> sections(Shape.Section section) {
        List<Object> all = new ArrayList<>();
        for (String one : section.exactlyOne().isEmpty() ? List.of("") : section.exactlyOne()) {
            Map<String, Object> base = new LinkedHashMap<>();
            for (Shape.Key key : section.keys()) {
                if (key.required() || key.name().equals(one)) {
                    base.put(key.name(), values(key).getFirst());
                }
            }
            all.add(base);
            for (Shape.Key key : section.keys()) {
                if (!base.containsKey(key.name()) && !section.exactlyOne().contains(key.name())) {
                    values(key).stream().limit(2).forEach(value -> all.add(with(base, key, value)));
                }
            }
        }
        return all;
    }

    private static List<?> values(Shape.Key key) {
        List<String> samples = SAMPLES.get(key.name());
        return samples == null ? values(key.shape()) : samples;
    }

    private static Map<String, Object> with(Map<String, Object> base, Shape.Key key, Object value) {
        Map<String, Object> all = new LinkedHashMap<>(base);
        all.put(key.name(), value);
        return all;
    }

    /// Records that differ from that of a case in one key, by the name of the key.
    private static <R> Map<String, R> variants(Case<R> of) {
        List<Map<String, Object>> bases =
                List.of(
                        of.keys.write(of.from, of.from),
                        of.keys.write(of.from, of.keys.defaults()),
                        Map.of());
        Map<String, R> variants = new LinkedHashMap<>();
        for (Shape.Key key : of.keys.shapes()) {
            if (!READ_ELSEWHERE.contains(key.name())) {
                int before = variants.size();
                Iterator<Map<String, Object>> base = bases.iterator();
                while (variants.size() == before && base.hasNext()) {
                    vary(of, base.next(), key, variants);
                }
            }
        }
        return variants;
    }

    private static <R> void vary(
            Case<R> of, Map<String, Object> base, Shape.Key key, Map<String, R> variants) {
        for (Object value : values(key)) {
            List<Problem> problems = new ArrayList<>();
            R read = read(of.keys, with(base, key, value), of.from, problems);
            if (problems.isEmpty() && !read.equals(of.from)) {
                variants.put(key.name() + " " + variants.size(), read);
            }
        }
    }

    /// @param wrong gets problems, but for those of keys that are missing
    private static <R> R read(
            Keys<R> keys, Map<String, Object> written, R otherwise, List<Problem> wrong) {
        StringBuilder yaml = new StringBuilder();
        YamlText.keys(written, 0, yaml);
        List<Problem> problems = new ArrayList<>();
        Shape.Section shape = new Shape.Section(keys.says(), keys.shapes(), List.of());
        Settings settings =
                ShapeReader.parse(yaml.toString(), "test", shape, Map.of(), problems)
                        .orElseThrow(() -> new AssertionError(yaml + " " + problems));
        R read = keys.read(settings, otherwise, new Reading(Path.of("/"), problems, problems));
        problems.stream()
                .filter(one -> !OTHER_KEY.matcher(one.toString()).find())
                .forEach(wrong::add);
        return read;
    }

    @ParameterizedTest
    @MethodSource("bindings")
    <R> void key_withAValueThatIsNotItsDefault_isReadAsItIsWritten(Case<R> of) {
        Map<String, R> variants = variants(of);
        assertFalse(variants.isEmpty());
        variants.forEach((name, variant) -> {
            Map<String, Object> written = of.keys.write(variant, of.from);
            assertFalse(written.isEmpty(), name + " is not written");
            List<Problem> wrong = new ArrayList<>();
            R read = read(of.keys, written, of.from, wrong);
            assertEquals(List.of(), wrong, name + " " + written);
            assertEquals(written, of.keys.write(read, of.from), name);
            // Expressions are equal to none but themselves.
            assertTrue(read.equals(variant) || name.contains("attributes"), name);
        });
    }

    @ParameterizedTest
    @MethodSource("bindings")
    <R> void record_asByDefault_isWrittenWithRequiredKeysAlone(Case<R> of) {
        Set<String> required = new TreeSet<>();
        of.keys.shapes().stream()
                .filter(key -> key.required() && !BY_HAND.contains(key.name()))
                .forEach(key -> required.add(key.name()));
        Set<String> written = new TreeSet<>(of.keys.write(of.from, of.from).keySet());
        written.removeAll(BY_HAND);
        written.removeAll(of.keys.shape().exactlyOne());
        assertEquals(required, written);
    }

    /// Keys that bindings only describe.
    private static final Set<String> READ_ELSEWHERE =
            Set.of("listeners", "hosts", "upstreams", "members", "sections", "certificates", "sni");

    /// Keys of bindings that are read and written by hand.
    private static final Set<String> BY_HAND =
            Set.of(
                    "listeners",
                    "hosts",
                    "register",
                    "upstreams",
                    "plain-text",
                    "http",
                    "https",
                    "ajp",
                    "certificates",
                    "acme",
                    "sni",
                    "secret-required",
                    "war",
                    "sections",
                    "url",
                    "name",
                    "members",
                    "port",
                    "family",
                    "resolvers");

    @Test
    void keys_ofBindings_areEachTried() {
        Set<String> tried = new TreeSet<>(BY_HAND);
        Set<String> all = new TreeSet<>();
        bindings()
                .forEach(one -> {
                    one.keys.shapes().forEach(key -> all.add(key.name()));
                    tried.addAll(names(one));
                });
        all.removeAll(tried);
        assertEquals(Set.of(), all);
    }

    private static <R> Set<String> names(Case<R> of) {
        Set<String> names = new TreeSet<>();
        variants(of).keySet().forEach(name -> names.add(name.split(" ")[0]));
        return names;
    }
}
