package io.margay.app.agreement.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayServer;
import io.margay.app.config.MargayConfig;
import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.migrate.ConfigWriter;
import io.margay.app.migrate.GatewayConfig;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.protocol.http.HttpDate;
import io.margay.testkit.Folders;
import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What mod_deflate, mod_brotli and mod_expires do to the same responses in Apache httpd and in
/// Margay, both with the same configuration: codings, `Vary`, `Cache-Control`, `Expires` and the
/// decoded content agree, whether a file or another server answers.
final class HttpdContentAgreementIT {
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authz_core",
                    "mime",
                    "dir",
                    "filter",
                    "deflate",
                    "brotli",
                    "expires",
                    "headers",
                    "env",
                    "setenvif",
                    "ratelimit",
                    "substitute",
                    "proxy",
                    "proxy_http");

    private static final String CONF =
            """
            Listen 127.0.0.1:%1$d
            DocumentRoot %2$s
            <Directory %2$s>
              Require all granted
            </Directory>
            SetEnvIfNoCase Request_URI ^/never/ no-gzip dont-vary
            BrowserMatch ^Mozilla/4 gzip-only-text/html
            AddOutputFilterByType DEFLATE text/html text/plain text/css
            AddOutputFilterByType BROTLI_COMPRESS text/css image/svg+xml
            AddOutputFilter DEFLATE js
            <FilesMatch "^d\\.js$">
              SetOutputFilter BROTLI_COMPRESS
            </FilesMatch>
            <Directory %2$s/never>
              SetEnv no-brotli 1
            </Directory>
            <Location /all>
              SetOutputFilter DEFLATE
            </Location>
            <Location /all/none>
              SetOutputFilter none
            </Location>
            DeflateCompressionLevel 9
            Header append Vary User-Agent env=!dont-vary
            ExpiresActive On
            ExpiresDefault "access plus 1 hour"
            ExpiresByType text/css "access plus 1 month 2 days"
            ExpiresByType image/png A600
            ExpiresByType image/svg+xml "access 30 sec"
            ExpiresByType text/plain "modification plus 1 week"
            <Location /images>
              ExpiresByType image/png "now plus 5 minutes"
            </Location>
            <Directory %2$s/quiet>
              ExpiresActive Off
            </Directory>
            ProxyPass /back http://127.0.0.1:%3$d/files
            """;

    private static final List<String> NAMES =
            List.of("a.html", "b.txt", "c.css", "d.js", "e.png", "f.svg", "empty.html");
    private static final List<String> FOLDERS =
            List.of("", "all/", "all/none/", "never/", "images/", "quiet/");

    /// As collections of good settings, caching plugins and installers write them.
    private static final Map<String, String> FOLDER_FILES =
            Map.of(
                    "site/.htaccess",
                    """
                    ErrorDocument 404 /site/lost.html
                    ErrorDocument 403 "closed, sorry"
                    <IfModule mod_headers.c>
                      Header set X-Frame-Options "DENY"
                      Header always set X-Content-Type-Options nosniff
                      <FilesMatch "\\.(css|js|png|svg)$">
                        Header unset X-Frame-Options
                        Header append Cache-Control "public"
                      </FilesMatch>
                    </IfModule>
                    <IfModule mod_deflate.c>
                      SetEnvIfNoCase Request_URI "\\.svg$" no-gzip
                      <IfModule mod_filter.c>
                        AddOutputFilterByType DEFLATE text/html text/css text/plain image/svg+xml
                      </IfModule>
                    </IfModule>
                    <IfModule mod_expires.c>
                      ExpiresActive on
                      ExpiresDefault "access plus 1 month"
                      ExpiresByType text/css "access plus 1 year"
                      ExpiresByType text/html "access plus 0 seconds"
                    </IfModule>
                    <Files "e.png">
                      Require all denied
                    </Files>
                    """,
                    "site/inner/.htaccess",
                    """
                    Header set X-Inner "yes"
                    Header unset X-Frame-Options
                    ExpiresByType text/css "access plus 5 minutes"
                    SetEnvIf Request_URI "\\.txt$" text
                    Header set X-Text "1" env=text
                    <Files "d.js">
                      SetOutputFilter DEFLATE
                    </Files>
                    <If "%{QUERY_STRING} == 'more'">
                      Header set X-More "%{text}e and more"
                      ExpiresDefault "access plus 2 hours"
                    </If>
                    """,
                    "site/none/.htaccess",
                    """
                    ExpiresActive Off
                    ErrorDocument 404 default
                    """,
                    "plain/.htaccess",
                    """
                    ExpiresByType image/png "access plus 1 day"
                    Header setifempty X-Plain "1"
                    """);

    /// Half of what a response takes that is sent slowly.
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(1250);

    private static final List<String> FOLDERS_OF_FILES =
            List.of("site/", "site/inner/", "site/none/", "plain/");

    private Path folder;
    private MargayServer back;

    @BeforeEach
    void files() throws IOException {
        folder = Files.createTempDirectory("margay-content");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path root = Files.createDirectories(folder.resolve("files"));
        List<String> folders = new ArrayList<>(FOLDERS);
        folders.addAll(FOLDERS_OF_FILES);
        for (String below : folders) {
            Path one = Files.createDirectories(root.resolve(below));
            for (String name : NAMES) {
                String line = "a line of " + below + name + "\n";
                Files.writeString(
                        one.resolve(name), name.startsWith("empty") ? "" : line.repeat(100));
            }
            for (String beside : List.of("b.txt.gz", "c.css.br", "c.css.gz")) {
                Files.writeString(one.resolve(beside), "never sent in place of another");
            }
        }
        for (Map.Entry<String, String> file : FOLDER_FILES.entrySet()) {
            Files.writeString(root.resolve(file.getKey()), file.getValue());
        }
        Files.writeString(root.resolve("site/lost.html"), "lost\n");
        Path yaml = folder.resolve("back.yaml");
        Files.writeString(
                yaml,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts: [{routes: {/files: {files: files, precompressed: false}}}]
                work: work-back
                """);
        back = MargayServer.start(ConfigFile.read(yaml, Map.of()).get(), DeployProgress.NONE);
    }

    @AfterEach
    void clear() throws IOException {
        back.close();
        Folders.delete(folder);
    }

    private Path conf(int port) throws IOException {
        return Files.writeString(folder.resolve("site-" + port + ".conf"), text(port));
    }

    private String text(int port) {
        return CONF.formatted(port, folder.resolve("files"), back.ports().getFirst());
    }

    @Test
    void responses_haveTheSameFieldsAndContent() throws Exception {
        int port = FreePort.next();
        Path home = Files.createDirectories(folder.resolve("httpd"));
        MargayConfig config =
                GatewayConfig.of(
                        GatewayFiles.read(List.of(conf(FreePort.next())), Map.of()), List.of());
        Path migrated = folder.resolve("migrated.yaml");
        Files.writeString(migrated, ConfigWriter.write(config));
        MargayConfig again = ConfigFile.read(migrated, Map.of()).get();
        assertEquals(config.hosts().getLast().changes(), again.hosts().getLast().changes());
        try (HttpdProcess _ = HttpdProcess.start(home, MODULES, text(port), port);
                MargayServer margay =
                        MargayServer.start(
                                config.withWork(folder.resolve("work")), DeployProgress.NONE)) {
            List<String> ofHttpd = all(port);
            assertEquals(
                    String.join("\n", ofHttpd), String.join("\n", all(margay.ports().getFirst())));
            assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("gzip")));
            assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("max-age=2764800")));
        }
    }

    @Test
    void filesOfFolders_changeTheSameFields() throws Exception {
        String sections =
                """
                Listen 127.0.0.1:%1$d
                DocumentRoot %2$s
                Header set X-Host "of the host"
                <Directory %2$s>
                  Require all granted
                  AllowOverride All
                </Directory>
                """;
        List<String> ofHttpd = agreed(sections, HttpdContentAgreementIT::ofFolders);
        assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("gzip")));
        assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("max-age=31536000")));
    }

    private interface Asking {
        List<String> of(int port) throws Exception;
    }

    /// What httpd answers with these sections, and Margay with the same.
    private List<String> agreed(String sections, Asking asking) throws Exception {
        int port = FreePort.next();
        Path home = Files.createDirectories(folder.resolve("httpd"));
        Path root = folder.resolve("files");
        Path conf = folder.resolve("sections.conf");
        int asked = back.ports().getFirst();
        Files.writeString(conf, sections.formatted(FreePort.next(), root, asked));
        GatewayPlan plan = GatewayFiles.read(List.of(conf), Map.of());
        assertEquals(List.of(), plan.failures());
        MargayConfig config = GatewayConfig.of(plan, List.of());
        try (HttpdProcess _ =
                        HttpdProcess.start(
                                home, MODULES, sections.formatted(port, root, asked), port);
                MargayServer margay =
                        MargayServer.start(
                                config.withWork(folder.resolve("work")), DeployProgress.NONE)) {
            List<String> ofHttpd = asking.of(port);
            assertEquals(
                    String.join("\n", ofHttpd),
                    String.join("\n", asking.of(margay.ports().getFirst())));
            return ofHttpd;
        }
    }

    /// Where a file of 20 KiB is sent with 8 KiB in a second: by the filter and the variable of the
    /// server, of sections, and of files of folders.
    @Test
    void filesOfFolders_haveTheSameResponsesSentSlowly() throws Exception {
        writeFolders(slowFolders());
        Files.write(folder.resolve("files").resolve("server/x.bin"), new byte[20 * 1024]);
        String sections =
                """
                Listen 127.0.0.1:%1$d
                DocumentRoot %2$s
                <Directory %2$s>
                  Require all granted
                  AllowOverride FileInfo
                </Directory>
                <Directory %2$s/server>
                  SetOutputFilter RATE_LIMIT
                </Directory>
                <Directory %2$s/server/type>
                  SetOutputFilter none
                  AddOutputFilterByType RATE_LIMIT text/plain
                </Directory>
                <Location /server/place>
                  SetOutputFilter DEFLATE
                </Location>
                <Location /server/quick>
                  SetEnvIf Request_URI "x" rate-limit=100000
                </Location>
                """;
        assertEquals(
                List.of(
                        "/named/over/x.txt",
                        "/named/set/x.bin",
                        "/named/x.bin",
                        "/own/inner/x.bin",
                        "/own/inner/x.txt",
                        "/own/removed/x.bin",
                        "/own/removed/x.txt",
                        "/own/x.bin",
                        "/own/x.txt",
                        "/server/by/x.bin",
                        "/server/by/x.txt",
                        "/server/type/x.txt",
                        "/type/else/x.bin",
                        "/type/more/x.txt",
                        "/type/none/x.txt",
                        "/type/removed/x.txt",
                        "/type/set/x.txt",
                        "/type/x.txt"),
                agreed(sections, HttpdContentAgreementIT::slow));
    }

    /// mod_substitute: where its filter is said, in what order sections have their lines, how finds
    /// are made and what becomes of lines that are too long, of ranges, and of what is no text.
    @Test
    void textInResponses_isReplacedTheSame() throws Exception {
        Path root = folder.resolve("files");
        Files.writeString(root.resolve("a.html"), "caf\u00e9 na\u00efve\r\nfoo. foo\nlast foo");
        Files.writeString(
                Files.createDirectories(root.resolve("own/inner")).resolve("a.html"),
                "one a two a three\n");
        Files.writeString(root.resolve("own/b.xyz"), "one a two\n");
        Files.writeString(
                root.resolve("own/.htaccess"),
                "Substitute s/one/ONE/\nAddOutputFilter SUBSTITUTE xyz\n");
        Files.writeString(
                root.resolve("own/inner/.htaccess"),
                "Substitute s/ONE/1/\nSubstitute s/two/TWO/\n");
        String sections =
                """
                Listen 127.0.0.1:%1$d
                DocumentRoot %2$s
                <Directory %2$s>
                  Require all granted
                  AllowOverride FileInfo
                </Directory>
                ProxyPass /back http://127.0.0.1:%3$d/files
                AddOutputFilterByType SUBSTITUTE text/html text/plain
                AddOutputFilter SUBSTITUTE js
                Substitute "s|a line|A LINE|n"
                Substitute s/CAF.\\s?/coffee-/i
                Substitute "s/foo.*$/[$0] \\$0 \\\\ & ($7)/"
                <Location /all>
                  Substitute s/of/OF<$0>/q
                  Substitute "s#OF<(o)(f)> #$2$1#"
                  Substitute s/LINE/line/n
                </Location>
                <Directory %2$s/never>
                  SubstituteInheritBefore On
                  Substitute s/LINE/row/
                  Substitute s/^a/never/i
                </Directory>
                <Directory %2$s/quiet>
                  SetOutputFilter SUBSTITUTE
                  Substitute s/quiet/loud/
                </Directory>
                <Location /images>
                  SubstituteMaxLineLength 24
                  Substitute s/i/iiiiiiii/n
                </Location>
                """;
        List<String> ofHttpd = agreed(sections, HttpdContentAgreementIT::replaced);
        assertTrue(
                ofHttpd.stream().anyMatch(line -> line.contains("A LINE OF")), ofHttpd::toString);
        assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("TWO")), ofHttpd::toString);
        assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("| 500 |")), ofHttpd::toString);
    }

    private static List<String> replaced(int port) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String below : FOLDERS) {
            for (String name : NAMES) {
                seen.add(ask(port, "/" + below + name, ""));
                seen.add(ask(port, "/back/" + below + name, ""));
            }
            seen.add(ask(port, "/" + below + "a.html", "Range: bytes=3-9\r\n"));
            seen.add(ask(port, "/" + below + "e.png", "Range: bytes=3-9\r\n"));
        }
        for (String path : List.of("/own/inner/a.html", "/own/b.xyz", "/none.html", "/all")) {
            seen.add(ask(port, path, ""));
        }
        return seen;
    }

    private void writeFolders(Map<String, String> said) throws IOException {
        for (Map.Entry<String, String> one : said.entrySet()) {
            Path below = Files.createDirectories(folder.resolve("files").resolve(one.getKey()));
            Files.writeString(below.resolve(".htaccess"), one.getValue() + "\n");
            Files.write(below.resolve("x.bin"), new byte[20 * 1024]);
            Files.write(below.resolve("x.txt"), new byte[20 * 1024]);
        }
    }

    /// The chains of filters that compress: of the server, of sections, and of files of folders.
    @Test
    void chainsOfFilters_compressTheSame() throws Exception {
        Map<String, String> said = compressingFolders();
        writeFolders(said);
        String sections =
                """
                Listen 127.0.0.1:%1$d
                DocumentRoot %2$s
                <Directory %2$s>
                  Require all granted
                  AllowOverride FileInfo
                </Directory>
                <Directory %2$s/server>
                  SetOutputFilter DEFLATE
                  AddOutputFilterByType DEFLATE text/plain
                </Directory>
                <Directory %2$s/server/type>
                  SetOutputFilter none
                </Directory>
                <Directory %2$s/server/none>
                  AddOutputFilterByType DEFLATE text/css
                </Directory>
                <Directory %2$s/order/brotli>
                  AddOutputFilterByType BROTLI_COMPRESS text/plain
                  AddOutputFilterByType DEFLATE text/plain
                </Directory>
                <Directory %2$s/order/deflate>
                  AddOutputFilterByType DEFLATE text/plain
                  AddOutputFilterByType BROTLI_COMPRESS text/plain
                </Directory>
                <Directory %2$s/order/both>
                  AddOutputFilterByType BROTLI_COMPRESS;DEFLATE text/plain
                </Directory>
                <Location /server/after>
                  SetOutputFilter none
                </Location>
                <Directory %2$s/server/files>
                  <Files "x.txt">
                    SetOutputFilter BROTLI_COMPRESS
                  </Files>
                </Directory>
                <Directory %2$s/above/below>
                  SetOutputFilter none
                </Directory>
                <Location /server/place>
                  SetOutputFilter BROTLI_COMPRESS
                  RemoveOutputFilter txt
                </Location>
                """;
        List<String> ofHttpd = agreed(sections, port -> compressed(port, paths(said)));
        assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("| gzip |")));
        assertTrue(ofHttpd.stream().anyMatch(line -> line.contains("| br |")));
    }

    /// What slows responses down compresses them, and what takes its place does so for others.
    private static Map<String, String> compressingFolders() {
        Map<String, String> said = new TreeMap<>();
        slowFolders()
                .forEach((name, lines) ->
                        said.put(
                                name,
                                lines.replace("DEFLATE", "BROTLI_COMPRESS")
                                        .replace("RATE_LIMIT", "DEFLATE")));
        said.put("order/brotli", "");
        said.put("order/deflate", "");
        said.put("order/both", "");
        said.put("server/after", "SetOutputFilter DEFLATE");
        said.put("server/files", "SetOutputFilter none\nAddOutputFilter DEFLATE bin");
        said.put("above", "SetOutputFilter DEFLATE");
        said.put("above/below", "");
        said.put("own/type", "SetOutputFilter none\nAddOutputFilterByType DEFLATE text/plain");
        said.put("named/twice", "AddOutputFilter DEFLATE txt\nAddOutputFilter BROTLI_COMPRESS txt");
        said.put("type/named", "AddOutputFilter BROTLI_COMPRESS txt\nSetOutputFilter DEFLATE");
        said.put("type/both", "AddOutputFilterByType BROTLI_COMPRESS;DEFLATE text/plain text/css");
        return said;
    }

    private static List<String> compressed(int port, List<String> paths) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String path : paths) {
            seen.add(ask(port, path, "Accept-Encoding: gzip\r\n"));
            seen.add(ask(port, path, "Accept-Encoding: br\r\n"));
            // Across folders, either may be taken of two filters that the client accepts.
            if (!path.matches("/(named/set|type/both|type/more)/.*")) {
                seen.add(ask(port, path, "Accept-Encoding: gzip, br\r\n"));
            }
        }
        return seen;
    }

    /// Folders with what their files say.
    private static Map<String, String> slowFolders() {
        Map<String, String> said = new TreeMap<>();
        said.put("open", "Header set X-Other 1");
        said.put("own", "SetOutputFilter RATE_LIMIT\nSetEnv rate-limit 8");
        said.put("own/inner", "SetEnv other 1");
        said.put("own/taken", "SetOutputFilter DEFLATE");
        said.put("own/quick", "SetEnv rate-limit 100000");
        said.put("own/unset", "UnsetEnv rate-limit");
        said.put("own/byif", "SetEnvIf Request_URI x rate-limit=100000");
        said.put("own/removed", "RemoveOutputFilter txt bin");
        said.put("named", "AddOutputFilter RATE_LIMIT bin\nSetEnv rate-limit 8");
        said.put("named/set", "SetOutputFilter DEFLATE");
        said.put("named/over", "AddOutputFilter DEFLATE bin\nAddOutputFilter RATE_LIMIT txt");
        said.put("named/removed", "RemoveOutputFilter .BIN");
        said.put("named/both", "RemoveOutputFilter bin\nAddOutputFilter RATE_LIMIT bin");
        said.put("type", "AddOutputFilterByType RATE_LIMIT text/plain\nSetEnv rate-limit 8");
        said.put("type/none", "SetOutputFilter none");
        said.put("type/set", "SetOutputFilter DEFLATE");
        said.put("type/more", "AddOutputFilterByType DEFLATE text/plain");
        said.put("type/else", "AddOutputFilterByType RATE_LIMIT text/css application/octet-stream");
        said.put("type/removed", "RemoveOutputFilter txt");
        said.put("server/by", "SetEnv rate-limit 8");
        said.put("server/none", "SetOutputFilter none\nSetEnv rate-limit 8");
        said.put("server/type", "SetEnv rate-limit 8");
        said.put("server/place", "SetEnv rate-limit 8");
        said.put("server/quick", "SetEnv other 1");
        return said;
    }

    /// The paths whose response takes its time, however often it is asked for.
    private static List<String> slow(int port) throws Exception {
        Map<String, Future<Boolean>> asked = new LinkedHashMap<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String path : paths(slowFolders())) {
                asked.put(path, threads.submit(() -> isSlow(port, path)));
            }
        }
        List<String> slow = new ArrayList<>();
        for (Map.Entry<String, Future<Boolean>> one : asked.entrySet()) {
            if (one.getValue().get()) {
                slow.add(one.getKey());
            }
        }
        return slow;
    }

    /// A machine that is busy delays a response at times.
    private static boolean isSlow(int port, String path) throws IOException {
        boolean quick = false;
        for (int i = 0; i < 3 && !quick; i++) {
            long begun = System.nanoTime();
            String answer = ask(port, path, "");
            assertTrue(answer.contains(" | 200 | "), answer);
            quick = System.nanoTime() - begun < SLOW_NANOS;
        }
        return !quick;
    }

    private static List<String> paths(Map<String, String> said) {
        return said.keySet().stream()
                .flatMap(folder -> Stream.of("/" + folder + "/x.bin", "/" + folder + "/x.txt"))
                .sorted()
                .toList();
    }

    private static List<String> ofFolders(int port) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String below : FOLDERS_OF_FILES) {
            for (String name : NAMES) {
                seen.add(ask(port, "/" + below + name, ""));
                seen.add(ask(port, "/" + below + name, "Accept-Encoding: gzip\r\n"));
                seen.add(ask(port, "/" + below + name + "?more", ""));
            }
        }
        seen.add(ask(port, "/site/none.html", ""));
        seen.add(ask(port, "/plain/none.html", ""));
        return seen;
    }

    private List<String> all(int port) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String fields :
                List.of(
                        "",
                        "Accept-Encoding: deflate, gzip\r\n",
                        "Accept-Encoding: br\r\n",
                        "Accept-Encoding: gzip\r\nUser-Agent: Mozilla/4.0\r\n")) {
            for (String below : FOLDERS) {
                for (String name : NAMES) {
                    seen.add(ask(port, "/" + below + name, fields));
                }
            }
            for (String name : NAMES) {
                seen.add(ask(port, "/back/" + name, fields));
            }
        }
        return seen;
    }

    private static String ask(int port, String path, String fields) throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            Response response =
                    client.send(
                                    "GET "
                                            + path
                                            + " HTTP/1.1\r\nHost: localhost\r\n"
                                            + fields
                                            + "\r\n")
                            .response();
            boolean found = response.status() < 300;
            boolean page = response.status() >= 400; // compressed and varied here alone
            return String.join(
                    " | ",
                    path,
                    fields.replace("\r\n", "; "),
                    String.valueOf(response.status()),
                    page ? "" : String.valueOf(response.field("Content-Encoding")),
                    page ? "" : list(response, "Vary"),
                    age(response),
                    own(response),
                    found ? content(response) : "");
        }
    }

    /// The fields that the configuration sets.
    private static String own(Response response) {
        return response.fields().stream()
                .filter(line -> line.startsWith("X-"))
                .sorted()
                .toList()
                .toString();
    }

    /// The members of a list, whatever their order and lines.
    private static String list(Response response, String name) {
        TreeSet<String> members = new TreeSet<>();
        for (String line : response.all(name)) {
            for (String member : line.split(",", -1)) {
                members.add(member.strip().toLowerCase(Locale.ROOT));
            }
        }
        return members.toString();
    }

    /// What is told of age, where `Expires` agrees with it.
    private static String age(Response response) {
        String expires = response.field("Expires");
        String told = list(response, "Cache-Control");
        if (expires == null) {
            return told;
        }
        long until = HttpDate.parse(expires) - HttpDate.parse(response.field("Date"));
        long most =
                Arrays.stream(told.split("[^0-9]+"))
                        .filter(word -> !word.isEmpty())
                        .mapToLong(Long::parseLong)
                        .findFirst()
                        .orElse(-1);
        assertTrue(Math.abs(until - most) <= 1, told + " " + expires);
        // Of what counts from the change of a file, some seconds have gone.
        return most > 604_000 && most <= 604_800 ? "about a week" : told;
    }

    private static String content(Response response) throws IOException {
        if ("br".equals(response.field("Content-Encoding"))) {
            return "coded"; // NativeCodingTest has it decoded
        }
        if (!"gzip".equals(response.field("Content-Encoding"))) {
            return response.text();
        }
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
