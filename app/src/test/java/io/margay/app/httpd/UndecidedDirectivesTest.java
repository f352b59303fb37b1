package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.AnsweringServer;
import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.testkit.Eventually;
import io.margay.testkit.FreePort;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every directive of httpd that takes an expression, or may stand where one decides, with one that
/// comes to no end with what a client sends. The directives are those of the table: a new one fails
/// here until it is said what happens.
@Tag("slow")
final class UndecidedDirectivesTest {
    /// No engine comes to an end with it.
    private static final String ENDLESS = "(a+)+\\1!$";

    /// Longer than it takes, and short enough for the name of a file.
    private static final String LONG = "a".repeat(200);

    private static final String NAME = LONG + ".txt";

    private static final String FILE = "a file that must not be sent; ".repeat(30);

    private static final String IF = "<If \"%{HTTP:X-A} =~ /" + ENDLESS + "/\">\n";

    /// What must become of the request.
    private enum Outcome {
        /// No member is asked, and the client gets nothing but an error.
        REFUSED,
        /// What a member has answered does not reach the client.
        REPLACED,
        /// The file is not sent.
        UNSENT,
        /// It is served as it is.
        PLAIN,
        /// It is served, and has its line in the log.
        LOGGED
    }

    /// @param inFolder whether the lines are those of a `.htaccess`, else of the server
    private record Place(
            HttpdDirective directive, String lines, boolean inFolder, String path, Outcome end) {
        @Override
        public String toString() {
            return (inFolder ? ".htaccess: " : "") + lines.strip().replace('\n', '|') + " " + path;
        }
    }

    /// Those with an expression of their own; `@` stands for it.
    private static final List<Place> PLACES = new ArrayList<>();

    /// Of the server, for members and for files.
    private static void both(HttpdDirective directive, String lines, Outcome end) {
        String text = lines.replace("@", ENDLESS) + "\n";
        PLACES.add(new Place(directive, text, false, "/http/", end));
        PLACES.add(new Place(directive, text, false, "/", end));
    }

    /// Of the server for members, of `.htaccess` for files.
    private static void everywhere(HttpdDirective directive, String lines, Outcome end) {
        both(directive, lines, end);
        ofFolder(directive, lines, end);
    }

    private static void ofFolder(HttpdDirective directive, String lines, Outcome end) {
        String text = lines.replace("@", ENDLESS) + "\n";
        PLACES.add(new Place(directive, text, true, "/", end));
    }

    private static void ofFiles(HttpdDirective directive, String lines, Outcome end) {
        String text = lines.replace("@", ENDLESS) + "\n";
        PLACES.add(new Place(directive, text, false, "/", end));
    }

    private static void ofMembers(HttpdDirective directive, String lines, Outcome end) {
        String text = lines.replace("@", ENDLESS) + "\n";
        PLACES.add(new Place(directive, text, false, "/http/", end));
    }

    private static final String DENIED = "\nRequire all denied\n";
    private static final String GRANTED = "\nRequire all granted\n";

    static {
        for (String what : List.of(DENIED, GRANTED)) {
            everywhere(
                    HttpdDirective.IF,
                    "<If \"%{HTTP:X-A} =~ /@/\">" + what + "</If>",
                    Outcome.REFUSED);
            everywhere(
                    HttpdDirective.ELSE_IF,
                    "<If \"false\">\n</If>\n<ElseIf \"%{HTTP:X-A} =~ /@/\">" + what + "</ElseIf>",
                    Outcome.REFUSED);
            everywhere(
                    HttpdDirective.ELSE,
                    "<If \"%{HTTP:X-A} =~ /@/\">\n</If>\n<Else>" + what + "</Else>",
                    Outcome.REFUSED);
            both(
                    HttpdDirective.LOCATION_MATCH,
                    "<LocationMatch \"@\">" + what + "</LocationMatch>",
                    Outcome.REFUSED);
            both(
                    HttpdDirective.LOCATION,
                    "<Location ~ \"@\">" + what + "</Location>",
                    Outcome.REFUSED);
            ofFiles(
                    HttpdDirective.DIRECTORY_MATCH,
                    "<DirectoryMatch \"@\">" + what + "</DirectoryMatch>",
                    Outcome.REFUSED);
            ofFiles(
                    HttpdDirective.DIRECTORY,
                    "<Directory ~ \"@\">" + what + "</Directory>",
                    Outcome.REFUSED);
            ofMembers(
                    HttpdDirective.PROXY_MATCH,
                    "<ProxyMatch \"@\">" + what + "</ProxyMatch>",
                    Outcome.REFUSED);
            ofMembers(HttpdDirective.PROXY, "<Proxy ~ \"@\">" + what + "</Proxy>", Outcome.REFUSED);
        }
        for (String what : List.of(DENIED, GRANTED, "\nSetHandler application/x-httpd-php\n")) {
            String files = "<FilesMatch \"@\">" + what + "</FilesMatch>";
            ofFiles(HttpdDirective.FILES_MATCH, files, Outcome.UNSENT);
            ofFolder(HttpdDirective.FILES_MATCH, files, Outcome.UNSENT);
            files = "<Files ~ \"@\">" + what + "</Files>";
            ofFiles(HttpdDirective.FILES, files, Outcome.UNSENT);
            ofFolder(HttpdDirective.FILES, files, Outcome.UNSENT);
        }
        access();
        rules();
        changes();
    }

    private static void access() {
        String expr = "\"%{HTTP:X-A} !~ /@/\"";
        both(
                HttpdDirective.REQUIRE,
                "<Location />\nRequire expr " + expr + "\n</Location>",
                Outcome.REFUSED);
        both(
                HttpdDirective.REQUIRE_NONE,
                "<Location />\n<RequireAll>\nRequire all granted\n<RequireNone>\nRequire expr "
                        + "\"%{HTTP:X-A} =~ /@/\"\n</RequireNone>\n</RequireAll>\n</Location>",
                Outcome.REFUSED);
        ofFolder(HttpdDirective.REQUIRE, "Require expr " + expr, Outcome.REFUSED);
        for (String kind : List.of("SetEnvIf", "SetEnvIfNoCase")) {
            HttpdDirective directive = HttpdDirective.of(kind);
            String set = kind + " X-A \"@\" let";
            both(directive, set + "\n<Location />\nRequire env let\n</Location>", Outcome.REFUSED);
            both(
                    HttpdDirective.DENY,
                    set
                            + "\n<Location />\nOrder allow,deny\nAllow from all\nDeny from env=let"
                            + "\n</Location>",
                    Outcome.REFUSED);
            both(directive, set + "\nRequestHeader unset X-Remote-User env=!let", Outcome.REFUSED);
        }
        for (String kind : List.of("BrowserMatch", "BrowserMatchNoCase")) {
            both(
                    HttpdDirective.of(kind),
                    kind
                            + " \"@\" let\n<Location />\n<RequireAll>\nRequire not env let\n"
                            + "Require all granted\n</RequireAll>\n</Location>",
                    Outcome.REFUSED);
        }
        both(
                HttpdDirective.SET_ENV_IF_EXPR,
                "SetEnvIfExpr \"%{HTTP:X-A} =~ /@/\" let\n<Location />\nRequire env let"
                        + "\n</Location>",
                Outcome.REFUSED);
    }

    private static void rules() {
        String on = "RewriteEngine on\n";
        everywhere(HttpdDirective.REWRITE_RULE, on + "RewriteRule @ - [F]", Outcome.REFUSED);
        everywhere(HttpdDirective.REWRITE_RULE, on + "RewriteRule !@ - [L]", Outcome.REFUSED);
        everywhere(HttpdDirective.REWRITE_RULE, on + "RewriteRule @ - [E=let:1]", Outcome.REFUSED);
        everywhere(
                HttpdDirective.REWRITE_COND,
                on + "RewriteCond %{HTTP:X-A} @\nRewriteRule ^ - [F]",
                Outcome.REFUSED);
        everywhere(
                HttpdDirective.REWRITE_COND,
                on + "RewriteCond expr \"%{HTTP:X-A} =~ /@/\"\nRewriteRule ^ - [F]",
                Outcome.REFUSED);
        ofFiles(
                HttpdDirective.REWRITE_RULE,
                "<Directory \"DIR\">\n" + on + "RewriteRule @ - [F]\n</Directory>",
                Outcome.REFUSED);
        both(
                HttpdDirective.REWRITE_RULE,
                "<Location />\n" + on + "RewriteRule @ - [F]\n</Location>",
                Outcome.REFUSED);
        ofFiles(HttpdDirective.REDIRECT_MATCH, "RedirectMatch 403 \"@\"", Outcome.REFUSED);
        ofFolder(HttpdDirective.REDIRECT_MATCH, "RedirectMatch 403 \"@\"", Outcome.REFUSED);
        ofMembers(
                HttpdDirective.PROXY_PASS_MATCH,
                "ProxyPassMatch \"^/http/@\" http://127.0.0.1:BACK/",
                Outcome.REFUSED);
        ofFiles(
                HttpdDirective.SCRIPT_ALIAS_MATCH,
                "ScriptAliasMatch \"@\" \"DIR/cgi/$1\"",
                Outcome.REFUSED);
    }

    private static void changes() {
        String expr = " \"expr=%{HTTP:X-A} =~ /@/\"";
        ofMembers(HttpdDirective.REQUEST_HEADER, "RequestHeader edit X-A \"@\" b", Outcome.REFUSED);
        ofMembers(
                HttpdDirective.REQUEST_HEADER, "RequestHeader edit* X-A \"@\" b", Outcome.REFUSED);
        ofMembers(HttpdDirective.REQUEST_HEADER, "RequestHeader set X-C 1" + expr, Outcome.REFUSED);
        for (String always : List.of("", "always ")) {
            everywhere(
                    HttpdDirective.HEADER,
                    "Header " + always + "set X-C 1" + expr,
                    Outcome.REPLACED);
        }
        both(
                HttpdDirective.HEADER,
                "Header set X-C \"expr=%{HTTP:X-A}\"\nHeader edit X-C \"@\" b",
                Outcome.REPLACED);
        both(HttpdDirective.CUSTOM_LOG, "CustomLog \"DIR/a.log\" \"%m %U\"" + expr, Outcome.LOGGED);
        both(
                HttpdDirective.CUSTOM_LOG,
                "SetEnvIf X-A \"@\" let\nCustomLog \"DIR/a.log\" \"%m %U\" env=let",
                Outcome.REFUSED);
    }

    /// What else may stand in an `If`, with what must become of a request for which that does not
    /// end.
    private static final Map<HttpdDirective, String> IN_IF =
            Map.ofEntries(
                    Map.entry(HttpdDirective.HEADER, "Header set X-C 1"),
                    Map.entry(HttpdDirective.DIRECTORY_INDEX, "DirectoryIndex index.php"),
                    Map.entry(HttpdDirective.FALLBACK_RESOURCE, "FallbackResource /x.php"),
                    Map.entry(HttpdDirective.SET_OUTPUT_FILTER, "SetOutputFilter DEFLATE"),
                    Map.entry(HttpdDirective.ADD_OUTPUT_FILTER, "AddOutputFilter DEFLATE txt"),
                    Map.entry(
                            HttpdDirective.ADD_OUTPUT_FILTER_BY_TYPE,
                            "AddOutputFilterByType DEFLATE text/plain"),
                    Map.entry(HttpdDirective.REMOVE_OUTPUT_FILTER, "RemoveOutputFilter txt"),
                    Map.entry(
                            HttpdDirective.SUBSTITUTE,
                            "SetOutputFilter SUBSTITUTE\nSubstitute s/a/b/"),
                    Map.entry(
                            HttpdDirective.SUBSTITUTE_MAX_LINE_LENGTH,
                            "SetOutputFilter SUBSTITUTE\nSubstituteMaxLineLength 1k"),
                    Map.entry(
                            HttpdDirective.SUBSTITUTE_INHERIT_BEFORE,
                            "SetOutputFilter SUBSTITUTE\nSubstituteInheritBefore on"),
                    Map.entry(HttpdDirective.EXPIRES_ACTIVE, "ExpiresActive on"),
                    Map.entry(
                            HttpdDirective.EXPIRES_DEFAULT, "ExpiresDefault \"access plus 1 day\""),
                    Map.entry(
                            HttpdDirective.EXPIRES_BY_TYPE,
                            "ExpiresByType text/plain \"access plus 1 day\""),
                    Map.entry(HttpdDirective.REWRITE_ENGINE, "RewriteEngine on"),
                    Map.entry(
                            HttpdDirective.REWRITE_COND,
                            "RewriteEngine on\nRewriteCond %{HTTPS} off\nRewriteRule ^ - [F]"),
                    Map.entry(HttpdDirective.REWRITE_RULE, "RewriteEngine on\nRewriteRule ^ - [F]"),
                    Map.entry(HttpdDirective.REQUEST_HEADER, "RequestHeader set X-C 1"),
                    Map.entry(HttpdDirective.SET_ENV, "SetEnv C 1"),
                    Map.entry(HttpdDirective.UNSET_ENV, "UnsetEnv C"),
                    Map.entry(HttpdDirective.SET_ENV_IF, "SetEnvIf X-B b C=1"),
                    Map.entry(HttpdDirective.SET_ENV_IF_NO_CASE, "SetEnvIfNoCase X-B b C=1"),
                    Map.entry(
                            HttpdDirective.SET_ENV_IF_EXPR,
                            "SetEnvIfExpr \"%{HTTPS} == 'off'\" C=1"),
                    Map.entry(HttpdDirective.BROWSER_MATCH, "BrowserMatch a C=1"),
                    Map.entry(HttpdDirective.BROWSER_MATCH_NO_CASE, "BrowserMatchNoCase a C=1"),
                    Map.entry(HttpdDirective.LIMIT_REQUEST_BODY, "LimitRequestBody 1"),
                    Map.entry(
                            HttpdDirective.ADD_HANDLER, "AddHandler application/x-httpd-php .php"),
                    Map.entry(HttpdDirective.ACCEPT_PATH_INFO, "AcceptPathInfo On"),
                    Map.entry(HttpdDirective.ADD_TYPE, "AddType text/html .txt"),
                    Map.entry(HttpdDirective.ADD_CHARSET, "AddCharset utf-8 .txt"),
                    Map.entry(HttpdDirective.ADD_DEFAULT_CHARSET, "AddDefaultCharset utf-8"),
                    Map.entry(HttpdDirective.REMOVE_CHARSET, "RemoveCharset .txt"),
                    Map.entry(HttpdDirective.REMOVE_HANDLER, "RemoveHandler .php"),
                    Map.entry(HttpdDirective.REMOVE_TYPE, "RemoveType .txt"),
                    Map.entry(HttpdDirective.FORCE_TYPE, "ForceType text/plain"),
                    Map.entry(HttpdDirective.REDIRECT, "Redirect 403 /"),
                    Map.entry(HttpdDirective.REDIRECT_MATCH, "RedirectMatch 403 ."),
                    Map.entry(HttpdDirective.REDIRECT_PERMANENT, "RedirectPermanent / http://x/"),
                    Map.entry(HttpdDirective.REDIRECT_TEMP, "RedirectTemp / http://x/"),
                    Map.entry(HttpdDirective.SET_HANDLER, "SetHandler application/x-httpd-php"));

    /// Directives that take no expression for what clients send, and are not followed in an `If`;
    /// those that say who is let in are, and stand for one another there.
    private static final Set<HttpdDirective> WITHOUT = without();

    private static Set<HttpdDirective> without() {
        Set<HttpdDirective> all = EnumSet.noneOf(HttpdDirective.class);
        for (String word :
                """
                Define UnDefine ServerRoot Include IncludeOptional IfModule IfDefine IfVersion
                IfFile IfDirective IfSection Macro Use UndefMacro Listen ServerName ServerAlias
                VirtualHost Limit LimitExcept ProxyPass ProxyPassReverse
                ProxyPassReverseCookieDomain ProxyPassReverseCookiePath BalancerMember ProxySet
                ProxyPreserveHost ProxyErrorOverride ProxyTimeout ProxyAddHeaders ProxyPassInherit
                ProxyHCTemplate ProxyHCExpr ProxyIOBufferSize Timeout RewriteBase RewriteMap
                RewriteOptions Alias AliasMatch DocumentRoot TransferLog TypesConfig LogFormat
                CacheEnable CacheDisable CacheDefaultExpire CacheMaxExpire CacheLastModifiedFactor
                CacheIgnoreNoLastMod CacheIgnoreCacheControl CacheIgnoreHeaders
                CacheIgnoreQueryString CacheStorePrivate CacheStoreNoStore CacheStoreExpired
                CacheLock CacheLockMaxAge CacheStaleOnError CacheMaxFileSize CacheHeader
                ErrorLog LogLevel SSLEngine SSLCertificateFile SSLCertificateChainFile
                SSLCertificateKeyFile SSLVerifyClient SSLVerifyDepth SSLCACertificateFile
                SSLCACertificatePath SSLCADNRequestFile SSLCADNRequestPath SSLCARevocationFile
                SSLCARevocationPath SSLCARevocationCheck SSLOCSPEnable SSLUseStapling SSLProtocol
                SSLProxyEngine SSLProxyVerify SSLProxyCheckPeerName SSLProxyCheckPeerCN
                SSLProxyCheckPeerExpire SSLProxyCACertificateFile SSLProxyMachineCertificateFile
                SSLProxyMachineCertificatePath SSLProxyMachineCertificateChainFile SSLOptions
                CGIPassAuth LDAPTrustedGlobalCert LDAPTrustedMode LDAPVerifyServerCert Options
                AllowOverride AllowOverrideList AccessFileName ServerAdmin ScriptAlias PassEnv
                ErrorDocument DeflateCompressionLevel DeflateAlterETag KeepAlive KeepAliveTimeout
                MaxKeepAliveRequests LimitRequestLine LimitRequestFieldSize LimitRequestFields
                RequestReadTimeout TraceEnable AllowEncodedSlashes Protocols\
                """
                        .split("\\s+")) {
            all.add(HttpdDirective.of(word));
        }
        return all;
    }

    /// What becomes of a request when it is not known whether a line in an `If` holds.
    private static Outcome inIf(HttpdDirective directive) {
        return switch (directive) {
            case HEADER, EXPIRES_ACTIVE, EXPIRES_DEFAULT, EXPIRES_BY_TYPE -> Outcome.REPLACED;
            case SET_OUTPUT_FILTER,
                    ADD_OUTPUT_FILTER,
                    ADD_OUTPUT_FILTER_BY_TYPE,
                    REMOVE_OUTPUT_FILTER ->
                    Outcome.PLAIN;
            default -> Outcome.REFUSED;
        };
    }

    @TempDir Path folder;

    static Stream<Place> places() {
        List<Place> all = new ArrayList<>(PLACES);
        IN_IF.forEach((directive, lines) -> {
            // What nobody looks at is not asked for.
            String text = "ExpiresActive on\n" + IF + lines + "\n</If>\nHeader set X-D \"%{C}e\"\n";
            String path = directive == HttpdDirective.REQUEST_HEADER ? "/http/" : "/";
            all.add(new Place(directive, text, false, path, inIf(directive)));
            if (path.equals("/")) {
                all.add(new Place(directive, text, true, path, inIf(directive)));
            }
        });
        return all.stream();
    }

    @Test
    void everyDirective_isTriedOrHasNoExpression() {
        Set<HttpdDirective> said = EnumSet.copyOf(WITHOUT);
        said.addAll(IN_IF.keySet());
        for (HttpdDirective directive : HttpdDirective.values()) {
            switch (directive.subject()) {
                case ACCESS, LISTINGS, VARIANTS, JK, REMOTE_IP, DOMAINS, OPEN_ID, OPEN_ID_KEPT ->
                        said.add(directive);
                default -> {}
            }
        }
        PLACES.forEach(place -> said.add(place.directive));
        assertEquals(
                EnumSet.complementOf(EnumSet.copyOf(said)), EnumSet.noneOf(HttpdDirective.class));
    }

    private MargayServer start(Place place, AnsweringServer back) throws IOException {
        Path root = Files.createDirectories(folder.resolve("www"));
        Files.writeString(root.resolve(NAME), FILE);
        String lines =
                place.lines
                        .replace("DIR", root.toString())
                        .replace("BACK", String.valueOf(back.httpPort()));
        Files.writeString(root.resolve(".htaccess"), place.inFolder ? lines : "# none\n");
        Path conf = folder.resolve("httpd.conf");
        Files.writeString(
                conf,
                """
                Listen 127.0.0.1:%d
                DocumentRoot "%s"
                <Directory "%s">
                Require all granted
                AllowOverride All
                </Directory>
                RequestHeader unset X-Remote-User
                Header always set X-Constant held
                %s
                ProxyPass /http/ http://127.0.0.1:%d/
                """
                        .formatted(
                                FreePort.next(),
                                root,
                                root,
                                place.inFolder ? "" : lines,
                                back.httpPort()));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertFalse(plan.isWrong(), () -> plan.failures().toString());
        return PlanServer.start(plan, folder.resolve("work"));
    }

    @ParameterizedTest
    @MethodSource("places")
    void expressionThatDoesNotEnd_letsNothingPass(Place place) throws Exception {
        try (AnsweringServer back = new AnsweringServer("back");
                MargayServer server = start(place, back)) {
            int port = server.ports().getFirst();
            RawHttpClient.Response usual = get(port, place.path + "none", "b");
            assertTrue(usual.status() < 500, usual::text);
            back.forget();
            RawHttpClient.Response response = get(port, place.path + NAME, LONG);
            String text = response.text();
            String told =
                    place
                            + ": "
                            + response.status()
                            + " "
                            + text.substring(0, Math.min(40, text.length()));
            assertFalse(text.contains("x-remote-user"), text);
            assertEquals("held", response.field("X-Constant"), told);
            switch (place.end) {
                case REFUSED -> {
                    assertTrue(Set.of(500, 403, 404).contains(response.status()), told);
                    assertEquals(0, back.asked());
                    assertFalse(told.contains("a file that"), told);
                }
                case REPLACED -> {
                    assertEquals(500, response.status(), told);
                    assertFalse(
                            told.contains(AnsweringServer.MARK) || told.contains("a file that"),
                            told);
                }
                case UNSENT -> assertFalse(told.contains("a file that"), told);
                case PLAIN -> {
                    assertEquals(200, response.status(), told);
                    assertNull(response.field("Content-Encoding"));
                }
                case LOGGED -> {
                    assertEquals(200, response.status(), told);
                    Path log = folder.resolve("www/a.log");
                    Eventually.holds("a line", () -> text(log).contains(LONG));
                }
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }

    private static RawHttpClient.Response get(int port, String path, String field)
            throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n"
                            + "X-Remote-User: root\r\nX-A: "
                            + field
                            + "\r\nUser-Agent: "
                            + field
                            + "\r\n\r\n");
            return client.response();
        }
    }
}
