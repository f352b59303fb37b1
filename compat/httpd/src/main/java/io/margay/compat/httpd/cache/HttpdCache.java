package io.margay.compat.httpd.cache;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.CacheRule;
import io.margay.gateway.rules.CacheRule.Requests;
import io.margay.gateway.rules.CacheRule.Responses;
import io.margay.gateway.rules.CacheRule.Room;
import io.margay.gateway.rules.CacheRule.Stale;
import io.margay.gateway.rules.CacheRule.Times;
import io.margay.gateway.rules.CacheRuleBuilder;
import io.margay.gateway.rules.FieldRule;
import io.margay.gateway.rules.FieldRule.Change;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What mod_cache's directives say in one server. Confined to one reading.
public final class HttpdCache {
    private static final int FILE_BYTES_MAX = 1_000_000;
    private static final int RESPONSE_BYTES_MAX = 1 << 30;
    private static final int HUNDRED = 100;
    private static final Duration LONG = Duration.ofDays(365);
    private static final Duration LOCK_TIME = Duration.ofSeconds(5);

    /// What may not stand in a section.
    private static final Set<HttpdDirective> OF_SERVERS =
            Set.of(
                    HttpdDirective.CACHE_IGNORE_CACHE_CONTROL,
                    HttpdDirective.CACHE_IGNORE_HEADERS,
                    HttpdDirective.CACHE_IGNORE_QUERY_STRING,
                    HttpdDirective.CACHE_LOCK,
                    HttpdDirective.CACHE_LOCK_MAX_AGE);

    private final List<Said> said = new ArrayList<>();
    private final List<Place> places = new ArrayList<>();

    /// A directive with its words.
    private record Said(HttpdSection section, HttpdDirective directive, List<String> words) {}

    /// Where responses are kept, or are not.
    private record Place(HttpdSection section, PathMatch match, boolean keeps) {}

    /// Takes a directive.
    public void read(
            HttpdDirective directive,
            HttpdNode node,
            HttpdSection section,
            ReadingContext context) {
        if (context.isOfFolder()) {
            context.changed(node, "is not followed in files of folders");
            return;
        }
        switch (directive) {
            case CACHE_ENABLE -> enable(node, section, context);
            case CACHE_DISABLE -> disable(node, section, context);
            case CACHE_STORE_PRIVATE, CACHE_STORE_NO_STORE, CACHE_STORE_EXPIRED -> {
                if (node.argument(0).equalsIgnoreCase("on")) {
                    context.changed(node, "such responses are not kept");
                } else {
                    context.honoured(node);
                }
            }
            default -> value(directive, node, section, context);
        }
    }

    private void enable(HttpdNode node, HttpdSection section, ReadingContext context) {
        String type = node.argument(0).toLowerCase(Locale.ROOT);
        String path = node.argument(1);
        if (node.size() < 1 || node.size() > 2 || (path.isEmpty() && section.isNone())) {
            context.wrong(node, "write CacheEnable TYPE /PATH");
        } else if (!List.of("disk", "socache").contains(type)) {
            context.wrong(node, "there is no cache \"" + node.argument(0) + "\": write disk");
        } else if (!path.isEmpty() && !path.startsWith("/")) {
            context.noted(node, "requests for other servers are not answered here");
        } else {
            context.noted(
                    node,
                    "responses of members and applications are kept in memory; not those with a"
                            + " cookie, or to a cookie if they say no time; access rules come"
                            + " first");
            places.add(new Place(section, below(path, section), true));
        }
    }

    private void disable(HttpdNode node, HttpdSection section, ReadingContext context) {
        String path = node.argument(0);
        boolean here = path.equalsIgnoreCase("on") && !section.isNone();
        if (node.size() != 1 || (!here && !path.startsWith("/"))) {
            context.wrong(node, "write CacheDisable /PATH, or on in a section");
            return;
        }
        context.honoured(node);
        places.add(new Place(section, below(here ? "" : path, section), false));
    }

    /// Paths that begin so, as mod_cache compares them.
    private static PathMatch below(String path, HttpdSection section) {
        return path.isEmpty()
                ? section.paths()
                : path.equals("/") ? PathMatch.ANY : new PathMatch.Glob(path + "*");
    }

    private void value(
            HttpdDirective directive,
            HttpdNode node,
            HttpdSection section,
            ReadingContext context) {
        if (!section.isNone() && OF_SERVERS.contains(directive)) {
            context.wrong(node, "is not allowed in a section, as in httpd");
            return;
        }
        List<String> words = node.arguments();
        String form =
                switch (directive) {
                    case CACHE_DEFAULT_EXPIRE, CACHE_MAX_EXPIRE -> "[0-9]{1,9}";
                    case CACHE_LOCK_MAX_AGE, CACHE_MAX_FILE_SIZE -> "[1-9][0-9]{0,8}";
                    case CACHE_LAST_MODIFIED_FACTOR -> "[0-9]{1,2}(?:[.][0-9]{1,9})?";
                    case CACHE_IGNORE_HEADERS -> "[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}";
                    default -> "(?i)on|off";
                };
        boolean several = directive == HttpdDirective.CACHE_IGNORE_HEADERS;
        if (words.isEmpty()
                || (words.size() > 1 && !several)
                || !words.stream().allMatch(word -> word.matches(form))) {
            context.wrong(
                    node,
                    "write "
                            + directive.word()
                            + (form.contains("on|off")
                                    ? " On or Off"
                                    : several ? " and names of fields, or None" : " and a number"));
            return;
        }
        if (section.isNone() || directive == HttpdDirective.CACHE_HEADER) {
            context.honoured(node);
        } else {
            context.noted(node, "holds for the CacheEnable of the same section");
        }
        boolean none = several && words.getFirst().equalsIgnoreCase("none");
        said.add(new Said(section, directive, none ? List.of("None") : words));
    }

    // What comes of it

    /// What a server keeps.
    ///
    /// @param servers the main one, and it
    public static List<CacheRule> rules(List<HttpdCache> servers) {
        List<Place> all = servers.reversed().stream().flatMap(one -> one.places.stream()).toList();
        if (all.stream().noneMatch(Place::keeps)) {
            return List.of();
        }
        List<CacheRule> rules = new ArrayList<>();
        for (Place one : all) {
            if (!one.keeps) {
                rules.add(at(one).room(new Room(0, 0, 1)).build());
            }
        }
        // What stands in a section comes before what stands outside of all.
        for (boolean outside : List.of(false, true)) {
            for (Place one : all) {
                if (one.keeps && one.section.isNone() == outside) {
                    rules.add(rule(one, values(servers, one.section)));
                }
            }
        }
        return rules;
    }

    private static CacheRuleBuilder at(Place place) {
        return CacheRuleBuilder.builder(CacheRule.defaults())
                .match(place.match)
                .when(place.section.mapped());
    }

    private static Map<HttpdDirective, List<String>> values(
            List<HttpdCache> servers, HttpdSection section) {
        Map<HttpdDirective, List<String>> values = new EnumMap<>(HttpdDirective.class);
        Stream.of(HttpdSection.NONE, section)
                .flatMap(in ->
                        servers.stream()
                                .flatMap(server -> server.said.stream())
                                .filter(one -> one.section.equals(in)))
                .forEach(one -> values.put(one.directive, one.words));
        return values;
    }

    private record Values(Map<HttpdDirective, List<String>> of) {
        boolean isOn(HttpdDirective directive, boolean otherwise) {
            List<String> words = of.get(directive);
            return words == null ? otherwise : words.getFirst().equalsIgnoreCase("on");
        }

        int number(HttpdDirective directive, int otherwise) {
            List<String> words = of.get(directive);
            return words == null ? otherwise : Integer.parseInt(words.getFirst());
        }

        Duration time(HttpdDirective directive, Duration otherwise) {
            return of.containsKey(directive) ? Duration.ofSeconds(number(directive, 0)) : otherwise;
        }
    }

    private static CacheRule rule(Place place, Map<HttpdDirective, List<String>> said) {
        Values values = new Values(said);
        CacheRule own = CacheRule.defaults();
        Duration otherwise = values.time(HttpdDirective.CACHE_DEFAULT_EXPIRE, Duration.ofHours(1));
        boolean any = values.isOn(HttpdDirective.CACHE_IGNORE_NO_LAST_MOD, false);
        List<String> factor =
                said.getOrDefault(HttpdDirective.CACHE_LAST_MODIFIED_FACTOR, List.of("0.1"));
        int percent = (int) Math.min(HUNDRED, Double.parseDouble(factor.getFirst()) * HUNDRED);
        boolean stands = values.isOn(HttpdDirective.CACHE_STALE_ON_ERROR, true);
        boolean locks = values.isOn(HttpdDirective.CACHE_LOCK, false);
        List<String> dropped = said.getOrDefault(HttpdDirective.CACHE_IGNORE_HEADERS, List.of());
        return at(place)
                .room(
                        new Room(
                                own.room().memoryBytes(),
                                Math.min(
                                        RESPONSE_BYTES_MAX,
                                        values.number(
                                                HttpdDirective.CACHE_MAX_FILE_SIZE,
                                                FILE_BYTES_MAX)),
                                own.room().variants()))
                .times(
                        new Times(
                                any ? otherwise : Duration.ZERO,
                                values.time(HttpdDirective.CACHE_MAX_EXPIRE, Duration.ofDays(1)),
                                percent,
                                stands ? LONG : Duration.ZERO,
                                Duration.ZERO))
                .requests(
                        new Requests(
                                "",
                                values.isOn(HttpdDirective.CACHE_IGNORE_QUERY_STRING, false),
                                values.isOn(HttpdDirective.CACHE_IGNORE_CACHE_CONTROL, false),
                                1,
                                List.of(),
                                List.of()))
                .responses(
                        new Responses(
                                Map.of(),
                                List.of(),
                                dropped.equals(List.of("None")) ? List.of() : dropped,
                                false,
                                false))
                .stale(new Stale(false, locks, own.stale().statuses()))
                .waitMax(
                        locks
                                ? values.time(HttpdDirective.CACHE_LOCK_MAX_AGE, LOCK_TIME)
                                : Duration.ZERO)
                .build();
    }

    /// What responses say of the cache, where `CacheHeader` is on.
    ///
    /// @param servers the main one, and it
    public static List<FieldRule> fields(List<HttpdCache> servers) {
        List<FieldRule> rules = new ArrayList<>();
        if (!rules(servers).isEmpty()
                && new Values(values(servers, HttpdSection.NONE))
                        .isOn(HttpdDirective.CACHE_HEADER, false)) {
            rules.add(said("HIT", "^(?:HIT|STALE|UPDATING)$"));
            rules.add(said("REVALIDATE", "^REVALIDATED$"));
            rules.add(said("MISS", "^(?:MISS|EXPIRED|BYPASS)$"));
        }
        return rules;
    }

    private static FieldRule said(String word, String uses) {
        return new FieldRule(
                PathMatch.ANY,
                List.of(Condition.of("%{CACHE_STATUS}", uses)),
                Change.SET,
                "X-Cache",
                word + " from %{SERVER_NAME}",
                "",
                true);
    }
}
