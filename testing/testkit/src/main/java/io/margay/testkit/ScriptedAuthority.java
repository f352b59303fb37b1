package io.margay.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.margay.testkit.program.Program;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A certificate authority that speaks ACME (RFC 8555, RFC 9773) as a test tells it to. It looks
/// whether names are proved, and it does not look at signatures of requests: that is for a real
/// authority, such as Pebble. Thread-safe.
public final class ScriptedAuthority implements AutoCloseable {
    private static final String JSON = "application/json";
    private static final String PROBLEM = "application/problem+json";
    private static final String ERROR = "urn:ietf:params:acme:error:";
    private static final Pattern TEXT = Pattern.compile("\"([a-zA-Z]+)\"\\s*:\\s*\"([^\"]*)\"");
    private static final Pattern NAME =
            Pattern.compile("\"type\"\\s*:\\s*\"dns\"|\"value\"\\s*:\\s*\"([^\"]*)\"");

    private final Path folder;
    private final HttpsServer server;
    private final SelfSigned own;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<String, OrderEntry> orders = new ConcurrentHashMap<>();
    private final Map<String, NameEntry> names = new ConcurrentHashMap<>();
    private final Map<String, String> thumbprints = new ConcurrentHashMap<>();
    private final Queue<Refusal> refusals = new ConcurrentLinkedQueue<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private volatile Proofs proofs = (kind, name, token, authorization) -> true;
    private volatile String window = "";
    private volatile boolean processing;
    private volatile @Nullable Bound bound;

    /// The account elsewhere to which accounts must be tied.
    ///
    /// @param key in Base64
    private record Bound(String kid, String key) {
        /// Whether a request for an account is signed by it (RFC 8555 §7.3.4), by HS256.
        boolean hasSigned(Request request) throws GeneralSecurityException {
            Map<String, String> inner = request.texts;
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getUrlDecoder().decode(key), "HmacSHA256"));
            String text = inner.get("protected") + "." + inner.get("payload");
            byte[] made = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            String head = Request.decoded(inner.getOrDefault("protected", ""));
            return head.contains("\"kid\":\"" + kid + "\"")
                    && Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(made)
                            .equals(inner.get("signature"));
        }
    }

    /// Looks whether a name is proved.
    @FunctionalInterface
    public interface Proofs {
        /// @param kind such as `http-01`
        /// @param authorization what is to be found
        boolean look(String kind, String name, String token, String authorization)
                throws IOException;
    }

    /// The answer to the next request of a kind.
    ///
    /// @param path what its path begins with
    /// @param type of the problem, such as `badNonce`
    public record Refusal(String path, int status, String type, String retryAfter) {}

    private static final class OrderEntry {
        final List<String> names;
        volatile String status = "pending";
        volatile String chain = "";

        OrderEntry(List<String> names) {
            this.names = names;
        }
    }

    private static final class NameEntry {
        final String name;
        final String token;
        volatile String status = "pending";
        volatile String failed = "";

        NameEntry(String name, String token) {
            this.name = name;
            this.token = token;
        }
    }

    private ScriptedAuthority(Path folder, HttpsServer server, SelfSigned own) {
        this.folder = folder;
        this.server = server;
        this.own = own;
    }

    /// Opens one at a free port of this machine.
    ///
    /// @param folder an empty one
    public static ScriptedAuthority open(Path folder) throws IOException {
        Object _ = Program.of("openssl"); // It is run when the first certificate is issued.
        SelfSigned own =
                SelfSigned.make(
                        folder, "authority", "EC", List.of("DNS:localhost", "IP:127.0.0.1"));
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try {
            char[] password = "authority".toCharArray();
            Path store = folder.resolve("authority.p12");
            own.store(store, "own", password);
            KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
            keys.init(java.security.KeyStore.getInstance(store.toFile(), password), password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            server.setHttpsConfigurator(new HttpsConfigurator(context));
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS", e);
        }
        ScriptedAuthority made = new ScriptedAuthority(folder, server, own);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", made::handle);
        server.start();
        return made;
    }

    /// Where its services are listed.
    public URI directory() {
        return URI.create(base() + "/directory");
    }

    /// PEM file of what its own certificate, and those that it issues, are trusted by.
    public Path roots() {
        return own.cert();
    }

    /// How it looks whether names are proved.
    public void proofs(Proofs other) {
        proofs = other;
    }

    /// When it wants certificates to be renewed; until this is said, it does not say.
    public void window(Instant start, Instant end) {
        window = "{\"suggestedWindow\":{\"start\":\"%s\",\"end\":\"%s\"}}".formatted(start, end);
    }

    /// Whether orders stay under way once they have been finalised.
    public void processing(boolean stay) {
        processing = stay;
        orders.values().stream()
                .filter(one -> !stay && one.status.equals("processing"))
                .forEach(one -> one.status = "valid");
    }

    /// Refuses a request that is to come.
    public void refuse(Refusal refusal) {
        refusals.add(refusal);
    }

    /// Takes accounts only that are tied to one elsewhere.
    ///
    /// @param key in Base64
    public void bind(String kid, String key) {
        bound = new Bound(kid, key);
    }

    /// Forgets all accounts.
    public void forgetAccounts() {
        thumbprints.clear();
    }

    /// The paths that were asked for so far, with the numbers of entries left out.
    public List<String> requests() {
        return List.copyOf(requests);
    }

    /// How many orders were begun.
    public int ordersBegun() {
        return orders.size();
    }

    private String base() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(path.replaceAll("/[^/]*[0-9.][^/]*", ""));
        exchange.getResponseHeaders().set("Replay-Nonce", "nonce" + numbers.incrementAndGet());
        try {
            Refusal refusal = refusal(path);
            if (refusal != null) {
                refuse(exchange, refusal);
            } else {
                answer(exchange, path, Request.of(body));
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            problem(exchange, 500, "serverInternal", e.toString());
        } finally {
            exchange.close();
        }
    }

    private @Nullable Refusal refusal(String path) {
        Refusal found =
                refusals.stream().filter(one -> path.startsWith(one.path)).findFirst().orElse(null);
        return found != null && refusals.remove(found) ? found : null;
    }

    private static void refuse(HttpExchange exchange, Refusal refusal) throws IOException {
        if (!refusal.retryAfter.isEmpty()) {
            exchange.getResponseHeaders().set("Retry-After", refusal.retryAfter);
        }
        problem(exchange, refusal.status, refusal.type, "refused by the test");
    }

    private void answer(HttpExchange exchange, String path, Request request)
            throws IOException, GeneralSecurityException {
        String[] parts = path.split("/");
        String entry = parts.length > 2 ? parts[2] : "";
        if (!request.account.isEmpty() && !thumbprints.containsKey(request.account)) {
            problem(exchange, 400, "accountDoesNotExist", "no such account");
            return;
        }
        switch (parts.length > 1 ? parts[1] : "") {
            case "directory" -> json(exchange, 200, directoryText());
            case "nonce" -> exchange.sendResponseHeaders(200, -1);
            case "accounts" -> account(exchange, request);
            case "new-order" -> order(exchange, request);
            case "order" -> json(exchange, 200, text(entry));
            case "name" -> json(exchange, 200, nameText(entry));
            case "challenge" -> challenge(exchange, entry, parts[3], request);
            case "finalize" -> finalise(exchange, entry, request);
            case "certificate" ->
                    send(
                            exchange,
                            200,
                            "application/pem-certificate-chain",
                            known(orders, entry).chain);
            case "account" -> json(exchange, 200, "{\"status\":\"valid\"}");
            case "key-change" -> changeKey(exchange, request);
            case "renewal" -> json(exchange, 200, window);
            default -> problem(exchange, 404, "malformed", "no such thing");
        }
    }

    private static <T> T known(Map<String, T> entries, String id) {
        T found = entries.get(id);
        if (found == null) {
            throw new IllegalArgumentException("no entry " + id);
        }
        return found;
    }

    private String directoryText() {
        String renewal =
                window.isEmpty() ? "" : ",\"renewalInfo\":\"%s/renewal\"".formatted(base());
        return """
        {"newNonce":"%1$s/nonce","newAccount":"%1$s/accounts","newOrder":"%1$s/new-order",\
        "keyChange":"%1$s/key-change","revokeCert":"%1$s/revoke"%2$s,\
        "meta":{"termsOfService":"%1$s/terms"}}\
        """
                .formatted(base(), renewal);
    }

    private void account(HttpExchange exchange, Request request)
            throws IOException, GeneralSecurityException {
        Bound wanted = bound;
        if (wanted != null && !wanted.hasSigned(request)) {
            problem(exchange, 401, "externalAccountRequired", "the account is tied to none");
            return;
        }
        String thumbprint = request.thumbprint();
        String place = base() + "/account/" + thumbprint.replaceAll("[^A-Za-z0-9]", "0");
        thumbprints.put(place, thumbprint);
        exchange.getResponseHeaders().set("Location", place);
        json(exchange, 201, "{\"status\":\"valid\"}");
    }

    /// The new key is in the head of the request within the request (RFC 8555 §7.3.5).
    private void changeKey(HttpExchange exchange, Request request)
            throws IOException, GeneralSecurityException {
        thumbprints.put(request.account, Request.of(request.payload).thumbprint());
        json(exchange, 200, "{\"status\":\"valid\"}");
    }

    private void order(HttpExchange exchange, Request request) throws IOException {
        List<String> wanted = new ArrayList<>();
        Matcher name = NAME.matcher(request.payload);
        while (name.find()) {
            if (name.group(1) != null) {
                wanted.add(name.group(1));
            }
        }
        String id = "o" + numbers.incrementAndGet();
        OrderEntry made = new OrderEntry(wanted);
        orders.put(id, made);
        for (String one : wanted) {
            names.put(
                    id + "-" + wanted.indexOf(one),
                    new NameEntry(one, "token-" + id + "-" + wanted.indexOf(one)));
        }
        exchange.getResponseHeaders().set("Location", base() + "/order/" + id);
        json(exchange, 201, text(id));
    }

    private String text(String id) {
        OrderEntry order = known(orders, id);
        List<String> entries = new ArrayList<>();
        boolean all = true;
        boolean failed = false;
        for (int i = 0; i < order.names.size(); i++) {
            entries.add("\"%s/name/%s-%d\"".formatted(base(), id, i));
            String status = known(names, id + "-" + i).status;
            all &= status.equals("valid");
            failed |= status.equals("invalid");
        }
        if (order.status.equals("pending") && (all || failed)) {
            order.status = failed ? "invalid" : "ready";
        }
        return """
        {"status":"%s","identifiers":[%s],"authorizations":[%s],\
        "finalize":"%s/finalize/%s"%s}\
        """
                .formatted(
                        order.status,
                        order.names.stream()
                                .map("{\"type\":\"dns\",\"value\":\"%s\"}"::formatted)
                                .collect(Collectors.joining(",")),
                        String.join(",", entries),
                        base(),
                        id,
                        order.status.equals("valid")
                                ? ",\"certificate\":\"%s/certificate/%s\"".formatted(base(), id)
                                : "");
    }

    private String nameText(String id) {
        NameEntry name = known(names, id);
        boolean wildcard = name.name.startsWith("*.");
        List<String> kinds =
                wildcard ? List.of("dns-01") : List.of("http-01", "tls-alpn-01", "dns-01");
        return """
        {"status":"%s","identifier":{"type":"dns","value":"%s"}%s,"challenges":[%s]}\
        """
                .formatted(
                        name.status,
                        wildcard ? name.name.substring(2) : name.name,
                        wildcard ? ",\"wildcard\":true" : "",
                        kinds.stream()
                                .map(kind -> challengeText(id, kind))
                                .collect(Collectors.joining(",")));
    }

    private String challengeText(String id, String kind) {
        NameEntry name = known(names, id);
        String error =
                name.failed.equals(kind)
                        ? ",\"error\":{\"type\":\"%sunauthorized\",\"detail\":\"not found\"}"
                                .formatted(ERROR)
                        : "";
        return """
        {"type":"%s","status":"%s","token":"%s","url":"%s/challenge/%s/%s"%s}\
        """
                .formatted(kind, name.status, name.token, base(), id, kind, error);
    }

    private void challenge(HttpExchange exchange, String id, String kind, Request request)
            throws IOException {
        NameEntry name = known(names, id);
        if (!request.payload.isEmpty()) {
            String authorization = name.token + "." + thumbprints.get(request.account);
            String host = name.name.startsWith("*.") ? name.name.substring(2) : name.name;
            boolean proved;
            try {
                proved = proofs.look(kind, host, name.token, authorization);
            } catch (IOException e) {
                proved = false;
            }
            name.status = proved ? "valid" : "invalid";
            name.failed = proved ? "" : kind;
        }
        json(exchange, 200, challengeText(id, kind));
    }

    private void finalise(HttpExchange exchange, String id, Request request) throws IOException {
        OrderEntry order = known(orders, id);
        byte[] csr = Base64.getUrlDecoder().decode(request.texts.get("csr"));
        order.chain = issue(id, csr, order.names);
        order.status = processing ? "processing" : "valid";
        exchange.getResponseHeaders().set("Location", base() + "/order/" + id);
        json(exchange, 200, text(id));
    }

    private synchronized String issue(String id, byte[] csr, List<String> wanted)
            throws IOException {
        Path request = Files.write(folder.resolve(id + ".csr"), csr);
        Path made = folder.resolve(id + ".pem");
        Path extensions =
                Files.writeString(
                        folder.resolve(id + ".cnf"),
                        "authorityKeyIdentifier=keyid\nsubjectAltName=critical,"
                                + wanted.stream()
                                        .map("DNS:"::concat)
                                        .collect(Collectors.joining(","))
                                + "\n");
        SelfSigned.run(
                List.of(
                        Program.of("openssl"),
                        "x509",
                        "-req",
                        "-inform",
                        "DER",
                        "-in",
                        request.toString(),
                        "-CA",
                        own.cert().toString(),
                        "-CAkey",
                        own.key().toString(),
                        "-days",
                        "90",
                        "-set_serial",
                        "0x7f" + Long.toHexString(System.nanoTime()),
                        "-extfile",
                        extensions.toString(),
                        "-out",
                        made.toString()));
        return Files.readString(made) + Files.readString(own.cert());
    }

    private static void json(HttpExchange exchange, int status, String text) throws IOException {
        send(exchange, status, JSON, text);
    }

    private static void problem(HttpExchange exchange, int status, String type, String detail)
            throws IOException {
        String text =
                "{\"type\":\"%s%s\",\"detail\":\"%s\"}"
                        .formatted(ERROR, type, detail.replace("\"", "'"));
        send(exchange, status, PROBLEM, text);
    }

    private static void send(HttpExchange exchange, int status, String type, String text)
            throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /// A signed request, of which the signature is not looked at.
    ///
    /// @param account its place, or empty where it comes with a key
    /// @param key the members of that key
    private record Request(
            String account, Map<String, String> key, String payload, Map<String, String> texts) {
        static Request of(String body) {
            Map<String, String> outer = texts(body);
            String head = decoded(outer.getOrDefault("protected", ""));
            String payload = decoded(outer.getOrDefault("payload", ""));
            Map<String, String> members = texts(head);
            return new Request(members.getOrDefault("kid", ""), members, payload, texts(payload));
        }

        private static String decoded(String text) {
            return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        }

        private static Map<String, String> texts(String json) {
            Map<String, String> found = new LinkedHashMap<>();
            Matcher text = TEXT.matcher(json.replace("\\/", "/"));
            while (text.find()) {
                found.putIfAbsent(text.group(1), text.group(2));
            }
            return found;
        }

        /// Of an EC key (RFC 7638 §3).
        String thumbprint() throws GeneralSecurityException {
            String canonical =
                    "{\"crv\":\"%s\",\"kty\":\"%s\",\"x\":\"%s\",\"y\":\"%s\"}"
                            .formatted(key.get("crv"), key.get("kty"), key.get("x"), key.get("y"));
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(canonical.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        }
    }
}
