package io.margay.compat.nginx.site;

import io.margay.compat.nginx.syntax.NginxNode;
import io.margay.compat.nginx.syntax.Units;
import io.margay.gateway.rules.CacheRule;
import io.margay.gateway.rules.CacheRule.Requests;
import io.margay.gateway.rules.CacheRule.Responses;
import io.margay.gateway.rules.CacheRule.Room;
import io.margay.gateway.rules.CacheRule.Stale;
import io.margay.gateway.rules.CacheRule.Times;
import io.margay.gateway.rules.CacheRuleBuilder;
import io.margay.gateway.rules.GatewayRule.Assignment;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.GatewayRule.PathMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which responses are kept for other clients: `proxy_cache`, `fastcgi_cache` and their like.
/// Confined to one reading.
final class CacheReader {
    /// Variables of requests that the cache does not answer, and whose responses it does not keep.
    private static final String BYPASS = "nginx.cache_bypass";

    private static final String SKIP = "nginx.cache_skip";

    private static final Duration LONG = Duration.ofDays(365);
    private static final Duration LOCK_TIME = Duration.ofSeconds(5);
    private static final long MEMORY_BYTES = 64L << 20;
    private static final int PARTS = 8;
    private static final int USES_MAX = 1000;
    private static final int VARIANTS_MAX = 1024;

    private static final Pattern VARIABLE = Pattern.compile("\\$(?:\\{(\\w+)\\}|(\\w+))");

    /// What of a key the cache's own has in any case.
    private static final Set<String> OF_KEY =
            Set.of(
                    "args",
                    "document_uri",
                    "fastcgi_path_info",
                    "fastcgi_script_name",
                    "host",
                    "http_host",
                    "is_args",
                    "https",
                    "proxy_host",
                    "proxy_port",
                    "query_string",
                    "request_filename",
                    "request_method",
                    "request_uri",
                    "scheme",
                    "server_name",
                    "server_port",
                    "uri");

    private static final Set<String> QUERY = Set.of("args", "query_string", "request_uri");

    /// Fields that can be ignored, as `ignore-response` has them.
    private static final List<String> IGNORED = List.of("Cache-Control", "Expires", "Vary");

    private static final String COOKIE = "Set-Cookie";

    private final Reading reading;
    private final Variables variables;
    private final Map<CacheRule, List<Integer>> rules = new LinkedHashMap<>();

    CacheReader(Reading reading, Variables variables) {
        this.reading = reading;
        this.variables = variables;
    }

    /// A block whose responses are kept.
    ///
    /// @param prefix of its directives' names
    private record Block(Scope scope, String prefix) {
        List<NginxNode> all(String name) {
            return scope.nearest(prefix + "_" + name);
        }

        @Nullable NginxNode last(String name) {
            return scope.last(prefix + "_" + name);
        }

        boolean isOn(String name) {
            return scope.isOn(prefix + "_" + name, false);
        }
    }

    /// Reads what a block keeps, and writes what its requests say of it.
    ///
    /// @param ids of the block and of what is in it
    /// @param prefix of the directives' names
    void write(Scope scope, List<Integer> ids, String prefix, Program program) {
        Block block = new Block(scope, prefix);
        NginxNode node = block.last("cache");
        if (node == null || node.word(0).equals("off")) {
            return;
        }
        if (Variables.isIn(node.word(0))) {
            reading.changed(node, "nothing is kept: the zone depends on variables");
            return;
        }
        try {
            Room room = room(block, node);
            Requests requests = requests(block, node, program);
            CacheRule rule =
                    CacheRuleBuilder.builder(CacheRule.defaults())
                            .room(room)
                            .requests(requests)
                            .responses(responses(block))
                            .stale(stale(block))
                            .times(times(block))
                            .waitMax(wait(block))
                            .build();
            rules.computeIfAbsent(rule, _ -> new ArrayList<>()).addAll(ids);
            reading.noted(
                    node,
                    "responses are kept in memory, by host; those to Authorization and to"
                            + " certificates are not, HEAD is passed on as it is");
        } catch (Variables.Unknown e) {
            reading.changed(node, "nothing is kept: " + e.getMessage());
        } catch (IllegalArgumentException e) {
            reading.wrong(node, String.valueOf(e.getMessage()));
        }
    }

    /// What the server keeps.
    List<CacheRule> rules() {
        List<CacheRule> all = new ArrayList<>();
        rules.forEach((rule, ids) ->
                all.add(CacheRuleBuilder.builder(rule).when(Conditions.at(ids)).build()));
        return all;
    }

    private Room room(Block block, NginxNode by) {
        for (NginxNode path : block.all("cache_path")) {
            long most = MEMORY_BYTES;
            String name = "";
            for (String word : path.words().subList(1, path.words().size())) {
                String value = word.substring(word.indexOf('=') + 1);
                if (word.startsWith("keys_zone=")) {
                    name = value.replaceFirst(":.*", "");
                } else if (word.startsWith("max_size=")) {
                    Long bytes = Units.bytes(value);
                    if (bytes == null) {
                        throw new IllegalArgumentException(
                                "invalid max_size value \"" + word + "\"");
                    }
                    most = bytes == 0 ? most : Math.min(most, bytes);
                }
            }
            if (name.equals(by.word(0))) {
                if (!path.isTold()) {
                    reading.noted(path, "responses are kept in memory, 64 MB at most");
                }
                return new Room(most, (int) (most / PARTS), VARIANTS_MAX);
            }
        }
        throw new IllegalArgumentException("zone \"" + by.word(0) + "\" is unknown");
    }

    // Requests

    private Requests requests(Block block, NginxNode by, Program program) throws Variables.Unknown {
        List<NginxNode> bypass = block.all("cache_bypass");
        List<NginxNode> skip = block.all("no_cache");
        List<Condition> marks = new ArrayList<>();
        List<Assignment> none = new ArrayList<>();
        String key = "";
        boolean ignoresQuery = false;
        NginxNode said = block.last("cache_key");
        if (said != null) {
            key = apart(said.word(0));
            ignoresQuery = names(said.word(0)).stream().noneMatch(QUERY::contains);
        } else if (block.prefix.equals("fastcgi")) {
            reading.noted(by, "no \"fastcgi_cache_key\": the URL is the key");
        }
        int uses = uses(block.last("cache_min_uses"));
        for (NginxNode node : block.all("cache_methods")) {
            if (node.words().contains("POST")) {
                reading.changed(node, "responses to POST are not kept");
            }
        }
        List<Condition> skips = skip.isEmpty() ? List.of() : List.of(Conditions.has(SKIP, "1"));
        if (!bypass.isEmpty()) {
            none.add(new Assignment(BYPASS, null));
            marks.add(Conditions.has(BYPASS, "1"));
        }
        if (!skip.isEmpty()) {
            none.add(new Assignment(SKIP, null));
        }
        if (!none.isEmpty()) {
            program.set(PathMatch.ANY, List.of(), none);
        }
        mark(bypass, BYPASS, program);
        mark(skip, SKIP, program);
        return new Requests(key, ignoresQuery, true, uses, marks, skips);
    }

    private int uses(@Nullable NginxNode node) {
        if (node == null) {
            return 1;
        }
        if (!node.word(0).matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("invalid number \"" + node.word(0) + "\"");
        }
        return Math.clamp(Integer.parseInt(node.word(0)), 1, USES_MAX);
    }

    /// Notes requests for which a value is neither empty nor 0.
    private void mark(List<NginxNode> nodes, String variable, Program program)
            throws Variables.Unknown {
        for (NginxNode node : nodes) {
            for (String word : node.words()) {
                if (variable.equals(SKIP) && names(word).stream().anyMatch(this::isOfResponse)) {
                    throw new Variables.Unknown(
                            node.name() + " depends on the response, which is not read");
                }
                program.set(
                        PathMatch.ANY,
                        List.of(Conditions.isNot(variables.template(word), "^0?$")),
                        List.of(new Assignment(variable, "1")));
            }
        }
    }

    private boolean isOfResponse(String name) {
        return name.startsWith("upstream_")
                || name.startsWith("sent_http_")
                || name.equals("status")
                || reading.isOfResponse(name);
    }

    /// What a key has beside scheme, host, path and query, as a template.
    private String apart(String key) throws Variables.Unknown {
        StringBuilder made = new StringBuilder();
        for (String name : names(key)) {
            if (!OF_KEY.contains(name)) {
                made.append(made.isEmpty() ? "" : "|")
                        .append(variables.template("${" + name + "}"));
            }
        }
        return made.toString();
    }

    private static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        Matcher found = VARIABLE.matcher(text);
        while (found.find()) {
            String name = found.group(1) == null ? found.group(2) : found.group(1);
            names.add(name.toLowerCase(Locale.ROOT));
        }
        return names;
    }

    // Responses

    private Responses responses(Block block) {
        List<String> ignored = new ArrayList<>();
        List<String> dropped = new ArrayList<>();
        for (NginxNode node : block.all("ignore_headers")) {
            for (String word : node.words()) {
                IGNORED.stream().filter(word::equalsIgnoreCase).forEach(ignored::add);
                if (word.equalsIgnoreCase("X-Accel-Expires")) {
                    dropped.add("X-Accel-Expires");
                }
                if (word.equalsIgnoreCase(COOKIE)) {
                    dropped.add(COOKIE);
                    boolean hidden =
                            block.all("hide_header").stream()
                                    .anyMatch(one -> one.word(0).equalsIgnoreCase(COOKIE));
                    if (!hidden) {
                        reading.changed(
                                node,
                                "responses are kept without their cookies, which nginx gives to"
                                        + " all clients");
                    }
                }
            }
        }
        return new Responses(ages(block), ignored, dropped, false, true);
    }

    private Map<Integer, Duration> ages(Block block) {
        Map<Integer, Duration> ages = new LinkedHashMap<>();
        for (NginxNode node : block.all("cache_valid")) {
            List<String> words = node.words();
            Duration time = Units.time(words.getLast());
            if (time == null) {
                throw new IllegalArgumentException(
                        "invalid time value \"" + words.getLast() + "\"");
            }
            List<String> statuses =
                    words.size() == 1
                            ? List.of("200", "301", "302")
                            : words.subList(0, words.size() - 1);
            for (String word : statuses) {
                if (!word.matches("[1-5][0-9]{2}|any")) {
                    throw new IllegalArgumentException("invalid status \"" + word + "\"");
                }
                if (!ages.containsKey(CacheRule.ANY)) {
                    int status = word.equals("any") ? CacheRule.ANY : Integer.parseInt(word);
                    ages.putIfAbsent(status, time);
                }
            }
        }
        return ages;
    }

    // What is stale

    private static Set<String> staleOn(Block block) {
        Set<String> words = new LinkedHashSet<>();
        block.all("cache_use_stale").forEach(node -> words.addAll(node.words()));
        words.remove("off");
        return words;
    }

    private Stale stale(Block block) {
        Set<String> words = staleOn(block);
        List<Integer> statuses = new ArrayList<>();
        for (String word : words) {
            switch (word) {
                case "error", "timeout", "invalid_header" -> {
                    if (!statuses.contains(CacheRule.FAILURE)) {
                        statuses.add(CacheRule.FAILURE);
                    }
                }
                case "updating" -> {}
                case "http_500",
                        "http_502",
                        "http_503",
                        "http_504",
                        "http_403",
                        "http_404",
                        "http_429" ->
                        statuses.add(Integer.parseInt(word.substring("http_".length())));
                default -> throw new IllegalArgumentException("invalid value \"" + word + "\"");
            }
        }
        return new Stale(
                false,
                words.contains("updating"),
                statuses.isEmpty() ? List.of(CacheRule.FAILURE) : statuses);
    }

    private Times times(Block block) {
        Set<String> words = staleOn(block);
        boolean updating = words.remove("updating");
        boolean background = block.isOn("cache_background_update") && updating;
        Times own = CacheRule.defaults().times();
        return new Times(
                own.otherwise(),
                own.most(),
                0,
                words.isEmpty() ? Duration.ZERO : LONG,
                background ? LONG : Duration.ZERO);
    }

    private Duration wait(Block block) {
        NginxNode node = block.last("cache_lock_timeout");
        Duration time = node == null ? LOCK_TIME : Units.time(node.word(0));
        if (time == null) {
            throw new IllegalArgumentException(
                    "\"" + block.prefix + "_cache_lock_timeout\" directive" + " invalid value");
        }
        return block.isOn("cache_lock") ? time : Duration.ZERO;
    }
}
