package io.margay.members.watch;

import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.discovery.DiscoveryLimits;
import io.margay.gateway.discovery.MemberLine;
import io.margay.gateway.discovery.TokenFile;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads and watches the keys below a prefix at etcd's JSON gateway: each is a member, called by
/// what follows the prefix, its value a line as in a file of members. Used by one thread.
final class EtcdApi implements Watched {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final int UNAUTHORIZED = 401;
    private static final int BAD_REQUEST = 400;

    private final MemberSource source;
    private final MemberSource.Etcd etcd;
    private final DiscoveryLimits limits;
    private final Api api;

    /// Members by key; nothing is kept of values that are none.
    private final Map<String, PeerConfig> members = new TreeMap<>();

    private int server;
    private long revision;
    private String token = "";

    EtcdApi(
            MemberSource source,
            MemberSource.Etcd etcd,
            WatchLimits bounds,
            DiscoveryLimits limits) {
        this.source = source;
        this.etcd = etcd;
        this.limits = limits;
        api = new Api(etcd.trust(), bounds);
    }

    private URI at(String path) {
        URI root = etcd.servers().get(server);
        return URI.create(root.toString().replaceFirst("/+$", "") + path);
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /// The keys below the prefix, as etcd says it: from here to before there.
    private Map<String, Object> range() {
        byte[] from = etcd.prefix().getBytes(StandardCharsets.UTF_8);
        byte[] to = from.clone();
        to[to.length - 1]++; // UTF-8 has no byte 255.
        Map<String, Object> range = new HashMap<>();
        range.put("key", base64(from));
        range.put("range_end", base64(to));
        return range;
    }

    /// Asks with a token, and once more with a new one if it is not taken any more.
    private Map<String, Object> ask(String path, Map<String, Object> body)
            throws IOException, InterruptedException {
        try {
            return api.ask(at(path), token(), body);
        } catch (Api.StatusException e) {
            if (!isTokenGone(e)) {
                throw e;
            }
            return api.ask(at(path), token(), body);
        }
    }

    private boolean isTokenGone(Api.StatusException failure) {
        boolean gone =
                !token.isEmpty()
                        && (failure.status() == UNAUTHORIZED || failure.status() == BAD_REQUEST);
        token = gone ? "" : token;
        return gone;
    }

    private String token() throws IOException, InterruptedException {
        if (token.isEmpty() && etcd.passwordFile() != null) {
            String password = new TokenFile(etcd.passwordFile(), 1).read();
            token =
                    Api.text(
                            api.ask(
                                    at("/v3/auth/authenticate"),
                                    "",
                                    Map.of("name", etcd.user(), "password", password)),
                            "token");
        }
        return token;
    }

    @Override
    public void readAll() throws IOException, InterruptedException {
        Map<String, Object> wanted = range();
        wanted.put("limit", limits.membersMax() + 1);
        Map<String, Object> answer = ask("/v3/kv/range", wanted);
        members.clear();
        for (Map<String, Object> each : Api.list(answer, "kvs")) {
            put(each);
        }
        revision = number(Api.section(answer, "header").get("revision"));
    }

    @Override
    public EventLines watch() throws IOException, InterruptedException {
        Map<String, Object> wanted = range();
        wanted.put("start_revision", revision + 1);
        Map<String, Object> body = Map.of("create_request", wanted);
        try {
            return api.watch(at("/v3/watch"), token(), body);
        } catch (Api.StatusException e) {
            if (!isTokenGone(e)) {
                throw e;
            }
            return api.watch(at("/v3/watch"), token(), body);
        }
    }

    @Override
    public boolean take(Map<String, Object> event) throws IOException {
        if (event.containsKey("error")) {
            throw new IOException("watch: " + Api.text(Api.section(event, "error"), "message"));
        }
        Map<String, Object> result = Api.section(event, "result");
        if (Boolean.TRUE.equals(result.get("canceled"))) {
            String why = "watch: " + Api.text(result, "cancel_reason");
            if (result.containsKey("compact_revision")) {
                throw new ExpiredException(why);
            }
            token = ""; // It may be why.
            throw new IOException(why);
        }
        List<Map<String, Object>> events = Api.list(result, "events");
        for (Map<String, Object> each : events) {
            Map<String, Object> entry = Api.section(each, "kv");
            if (Api.text(each, "type").equals("DELETE")) {
                members.remove(decoded(entry, "key"));
            } else {
                put(entry);
            }
            revision = Math.max(revision, number(entry.get("mod_revision")));
        }
        return !events.isEmpty();
    }

    /// etcd writes numbers of 64 bits as texts.
    private static long number(@Nullable Object value) throws IOException {
        String text = String.valueOf(value);
        if (!text.matches("[0-9]{1,18}")) {
            throw new IOException("an answer without a revision");
        }
        return Long.parseLong(text);
    }

    private static String decoded(Map<String, Object> entry, String key) throws IOException {
        try {
            return new String(
                    Base64.getDecoder().decode(Api.text(entry, key)), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IOException("an answer that is not base64", e);
        }
    }

    private void put(Map<String, Object> entry) throws IOException {
        String key = decoded(entry, "key");
        members.remove(key);
        String name = key.substring(Math.min(key.length(), etcd.prefix().length()));
        try {
            if (members.size() > limits.membersMax()) {
                return; // Too many already, which is told.
            }
            if (!name.matches("[!-~]{1," + limits.nameMax() + "}")) {
                throw new IllegalArgumentException("the key is not a name of a member");
            }
            MemberLine line = MemberLine.parse(decoded(entry, "value").strip(), limits.lineMax());
            Map<String, String> options = new HashMap<>(line.options());
            options.putIfAbsent("name", name);
            members.put(key, new MemberLine(line.url(), options).member(source, false));
        } catch (IllegalArgumentException e) {
            LOG.log(
                    Level.WARNING,
                    "etcd: {0} is not a member: {1}",
                    key.replaceAll("[^!-~]", "?"),
                    e.getMessage());
        }
    }

    @Override
    public List<PeerConfig> members() {
        Map<String, PeerConfig> byName = new TreeMap<>();
        members.values().forEach(each -> byName.putIfAbsent(each.name(), each));
        return new ArrayList<>(byName.values());
    }

    @Override
    public void failed() {
        server = (server + 1) % etcd.servers().size();
        token = "";
    }

    @Override
    public void close() {
        api.close();
    }
}
