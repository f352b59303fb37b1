package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.compat.httpd.jk.WorkerDirective;
import io.margay.compat.httpd.plan.GatewayPlan;
import io.margay.compat.httpd.proxy.ProxyParameter;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.UnsupportedDirectives;
import io.margay.gateway.rules.GatewayRule.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every directive that mod_jk 1.2.50 and mod_proxy 2.4 document is known: followed, or named with
/// what happens instead; and docs/reference/gateway-compat.md has each.
final class DirectiveCoverageTest {
    private static final String WORKERS =
            """
            list maintain type host port source socket_timeout socket_connect_timeout
            socket_keepalive socket_buffer ping_mode ping_timeout connection_ping_interval
            connection_pool_size connection_pool_minsize connection_pool_timeout
            connection_acquire_timeout connect_timeout prepost_timeout reply_timeout retries
            retry_interval recovery_options fail_on_status busy_limit max_packet_size prefer_ipv6
            secret mount balance_workers balanced_workers sticky_session sticky_session_force method
            lock lb_retries max_reply_timeouts recover_time error_escalation_time session_cookie
            session_path set_session_cookie
            session_cookie_path lbfactor activation route distance
            domain redirect css read_only user user_case_insensitive good bad prefix ns xmlns
            doctype
            reference cachesize cache_timeout recycle_timeout disabled stopped jvm_route
            local_worker
            local_worker_only secretkey sysprops stdout stderr mx ms class_path bridge jvm_lib
            ld_path cmd_line native_lib\
            """;

    private static final String HTTPD =
            """
            JkWorkersFile JkWorkerProperty JkShmFile JkShmSize JkMountFile JkMountFileReload JkMount
            JkUnMount JkAutoAlias JkMountCopy JkWorkerIndicator JkWatchdogInterval JkLogFile
            JkLogLevel JkLogStampFormat JkRequestLogFormat JkExtractSSL JkRequestIdIndicator
            JkHTTPSIndicator JkSSLPROTOCOLIndicator JkCERTSIndicator JkCIPHERIndicator
            JkCERTCHAINPrefix JkSESSIONIndicator JkKEYSIZEIndicator JkLocalNameIndicator
            JkLocalAddrIndicator JkLocalPortIndicator JkIgnoreCLIndicator JkRemoteHostIndicator
            JkRemoteAddrIndicator JkRemotePortIndicator JkRemoteUserIndicator JkAuthTypeIndicator
            JkOptions JkEnvVar JkStripSession ProxyPass ProxyPassMatch ProxyPassReverse
            ProxyPassReverseCookieDomain ProxyPassReverseCookiePath BalancerMember ProxySet
            BalancerGrowth BalancerInherit BalancerPersist ProxyPassInherit ProxyPreserveHost
            ProxyTimeout ProxyIOBufferSize ProxyReceiveBufferSize ProxyErrorOverride ProxyAddHeaders
            ProxyVia ProxyStatus ProxyBadHeader ProxyPassInterpolateEnv ProxySourceAddress
            Proxy100Continue ProxyMaxForwards ProxyRequests ProxyHCExpr ProxyHCTemplate
            ProxyHCTPsize
            RewriteEngine RewriteCond RewriteRule RewriteMap RewriteOptions RewriteBase Header
            RequestHeader ErrorDocument SetEnv SetEnvIf SetEnvIfNoCase UnsetEnv PassEnv BrowserMatch
            Alias AliasMatch Redirect RedirectMatch Require RequireAll RequireAny RequireNone Order
            Allow Deny SSLRequireSSL\
            """;

    private static final String PARAMETERS =
            """
            min max smax acquire connectiontimeout disablereuse enablereuse flushpackets flushwait
            iobuffersize responsefieldsize loadfactor keepalive lbset ping receivebuffersize
            redirect
            route retry status timeout ttl secret upgrade mapping addressttl flusher lbmethod
            maxattempts nofailover stickysession stickysessionsep scolonpathdelim failonstatus
            failontimeout nonce growth forcerecovery hcmethod hcpasses hcfails hcinterval hcuri
            hctemplate hcexpr\
            """;

    private static final Path DOCUMENT =
            Path.of(System.getProperty("margay.root", ".."), "docs/reference/gateway-compat.md");

    @TempDir Path folder;

    private static List<String> words(String text) {
        return Arrays.asList(text.split("\\s+"));
    }

    private static List<String> missing(List<String> names) throws IOException {
        String document = Files.readString(DOCUMENT);
        return names.stream().filter(name -> !document.contains("`" + name + "`")).toList();
    }

    @Test
    void workerDirectives_areAllKnownAndDocumented() throws IOException {
        for (String word : words(WORKERS)) {
            assertNotNull(WorkerDirective.of(word), word);
        }
        assertEquals(List.of(), missing(words(WORKERS)));
    }

    @Test
    void httpdDirectives_areAllKnownAndDocumented() throws IOException {
        UnsupportedDirectives others = UnsupportedDirectives.load();
        for (String name : words(HTTPD)) {
            boolean known =
                    HttpdDirective.of(name) != null
                            || others.of(name.toLowerCase(Locale.ROOT)) != null;
            assertTrue(known, name);
        }
        List<String> all = new ArrayList<>(words(HTTPD));
        for (HttpdDirective directive : HttpdDirective.values()) {
            all.add(directive.word());
        }
        others.all().forEach(other -> all.add(other.word()));
        assertEquals(List.of(), missing(all));
    }

    @Test
    void proxyParameters_areAllKnownAndDocumented() throws IOException {
        for (String word : words(PARAMETERS)) {
            assertNotNull(ProxyParameter.of(word), word);
        }
        assertEquals(List.of(), missing(words(PARAMETERS)));
    }

    /// Each extension of a rule is taken, and changes something.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "reply_timeout=1",
                "sticky_ignore=1",
                "stateless=1",
                "active=one",
                "disabled=one",
                "stopped=one",
                "fail_on_status=-404,503",
                "use_server_errors=400",
                "session_cookie=SID",
                "session_path=sid",
                "set_session_cookie=1",
                "session_cookie_path=/x"
            })
    void mountExtension_isFollowed(String extension) throws IOException {
        GatewayPlan plain = mounted("");
        GatewayPlan extended = mounted(";" + extension);
        assertEquals(List.of(), extended.failures());
        assertTrue(!plain.hosts().equals(extended.hosts()), extension);
    }

    private GatewayPlan mounted(String extension) throws IOException {
        return plan(
                "worker.list=lb\nworker.lb.type=lb\nworker.lb.balance_workers=one\n",
                "/x/*=lb" + extension + "\n");
    }

    private GatewayPlan plan(String workers, String map) throws IOException {
        return GatewayFiles.read(
                List.of(
                        Files.writeString(folder.resolve("workers.properties"), workers),
                        Files.writeString(folder.resolve("uriworkermap.properties"), map)),
                Map.of());
    }

    @Test
    void localWorker_comesBeforeTheOthers() throws IOException {
        GatewayPlan plan =
                plan(
                        """
                        worker.list=lb
                        worker.lb.type=lb
                        worker.lb.balance_workers=far,near
                        worker.lb.local_worker_only=1
                        worker.lb.retries=4
                        worker.near.local_worker=1
                        """,
                        "/*=lb\n");
        assertEquals(List.of(), plan.failures());
        assertEquals(4, plan.upstreams().getFirst().rounds());
        assertEquals(
                "far 1 DISABLED, near 0 ACTIVE",
                plan.upstreams().getFirst().peers().stream()
                        .map(peer ->
                                peer.name()
                                        + " "
                                        + peer.share().distance()
                                        + " "
                                        + peer.share().activation())
                        .collect(Collectors.joining(", ")));
    }

    /// mod_jk logs what it has handled, and nothing else.
    @Test
    void requestLog_hasWhatGoesToAWorker() throws IOException {
        Path httpd =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        JkRequestLogFormat "%w %U"
                        JkMount /x/* one
                        ProxyPass /y http://127.0.0.1:9
                        """);
        Path workers =
                Files.writeString(
                        folder.resolve("workers.properties"),
                        "worker.list=one\nworker.one.port=9\n");
        GatewayPlan plan = GatewayFiles.read(List.of(httpd, workers), Map.of());
        assertEquals(List.of(), plan.failures());
        assertEquals(
                List.of(Condition.of("%{ENV:UPSTREAM}", "^(?:one)$")),
                plan.hosts().getFirst().logs().getFirst().when());
    }
}
