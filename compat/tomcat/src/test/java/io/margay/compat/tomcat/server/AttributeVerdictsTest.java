package io.margay.compat.tomcat.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The table against the configuration references of Tomcat 9.0, 10.1 and 11, as these bring them:
/// every attribute that they document has a verdict.
final class AttributeVerdictsTest {
    private static final Pattern PART =
            Pattern.compile(
                    "<h[34] id=\"([^\"]*)\""
                            + "|<code class=\"(?:attributeName|propertyName)\">([^<]*)<");

    /// A heading that names a class.
    private static final Pattern CLASS =
            Pattern.compile("org\\.apache\\..*\\.([A-Za-z]+)[/_]Attributes");

    /// Pages whose attributes are of one element, by the page's name.
    private static final Map<String, String> ELEMENTS =
            Map.ofEntries(
                    Map.entry("ajp", "Connector"),
                    Map.entry("http", "Connector"),
                    Map.entry("http2", "UpgradeProtocol"),
                    Map.entry("engine", "Engine"),
                    Map.entry("host", "Host"),
                    Map.entry("context", "Context"),
                    Map.entry("cookie-processor", "CookieProcessor"),
                    Map.entry("credentialhandler", "CredentialHandler"),
                    Map.entry("executor", "Executor"),
                    Map.entry("jar-scan-filter", "JarScanFilter"),
                    Map.entry("jar-scanner", "JarScanner"),
                    Map.entry("listeners", "Listener"),
                    Map.entry("loader", "Loader"),
                    Map.entry("manager", "Manager"),
                    Map.entry("realm", "Realm"),
                    Map.entry("resources", "Resources"),
                    Map.entry("server", "Server"),
                    Map.entry("service", "Service"),
                    Map.entry("sessionidgenerator", "SessionIdGenerator"),
                    Map.entry("valve", "Valve"),
                    Map.entry("cluster", "Cluster"),
                    Map.entry("cluster-channel", "Channel"),
                    Map.entry("cluster-deployer", "Deployer"),
                    Map.entry("cluster-interceptor", "Interceptor"),
                    Map.entry("cluster-listener", "ClusterListener"),
                    Map.entry("cluster-manager", "Manager"),
                    Map.entry("cluster-membership", "Membership"),
                    Map.entry("cluster-receiver", "Receiver"),
                    Map.entry("cluster-sender", "Transport"),
                    Map.entry("cluster-valve", "Valve"),
                    Map.entry("globalresources", "Resource"));

    /// Headings of pages below which another element is described.
    private static final Map<String, String> HEADINGS =
            Map.ofEntries(
                    Map.entry("SSL_Support_-_SSLHostConfig", "SSLHostConfig"),
                    Map.entry("SSL_Support_-_Certificate", "Certificate"),
                    Map.entry("SSL_Support_-_OpenSSL's_SSL_CONF_API", "OpenSSLConfCmd"),
                    Map.entry("Context_Parameters", "Parameter"),
                    Map.entry("Environment_Entries", "Environment"),
                    Map.entry("Resource_Definitions", "Resource"),
                    Map.entry("Resource_Links", "ResourceLink"),
                    Map.entry("Transaction", "Transaction"),
                    Map.entry("manager Nested_Components", "Store"),
                    Map.entry("StaticMember_Attributes", "Member"),
                    Map.entry("resources Nested_Components", "PreResources"));

    /// Words of headings of valves that their classes spell otherwise.
    private static final Map<String, String> VALVES =
            Map.ofEntries(
                    Map.entry("Access_Log_Valve", "AccessLogValve"),
                    Map.entry("Extended_Access_Log_Valve", "ExtendedAccessLogValve"),
                    Map.entry("JSON_Access_Log_Valve", "JsonAccessLogValve"),
                    Map.entry("Remote_Address_Valve", "RemoteAddrValve"),
                    Map.entry("Remote_Host_Valve", "RemoteHostValve"),
                    Map.entry("Remote_CIDR_Valve", "RemoteCIDRValve"),
                    Map.entry("Remote_IP_Valve", "RemoteIpValve"),
                    Map.entry("Load_Balancer_Draining_Valve", "LoadBalancerDrainingValve"),
                    Map.entry("Single_Sign_On_Valve", "SingleSignOn"),
                    Map.entry("Basic_Authenticator_Valve", "BasicAuthenticator"),
                    Map.entry("Digest_Authenticator_Valve", "DigestAuthenticator"),
                    Map.entry("Form_Authenticator_Valve", "FormAuthenticator"),
                    Map.entry("SSL_Authenticator_Valve", "SSLAuthenticator"),
                    Map.entry("SPNEGO_Valve", "SpnegoAuthenticator"),
                    Map.entry("Error_Report_Valve", "ErrorReportValve"),
                    Map.entry("Json_Error_Report_Valve", "JsonErrorReportValve"),
                    Map.entry("Proxy_Error_Report_Valve", "ProxyErrorReportValve"),
                    Map.entry("Crawler_Session_Manager_Valve", "CrawlerSessionManagerValve"),
                    Map.entry("Stuck_Thread_Detection_Valve", "StuckThreadDetectionValve"),
                    Map.entry("Semaphore_Valve", "SemaphoreValve"),
                    Map.entry("Health_Check_Valve", "HealthCheckValve"),
                    Map.entry("Persistent_Valve", "PersistentValve"),
                    Map.entry("Parameter_Limit_Valve", "ParameterLimitValve"),
                    Map.entry("Filter_Valve", "FilterValve"),
                    Map.entry("SSL_Valve", "SSLValve"),
                    Map.entry("Rewrite_Valve", "RewriteValve"));

    private final AttributeVerdicts verdicts = AttributeVerdicts.read();

    /// Pages about something else.
    private static boolean isLeftOut(String page) {
        return List.of("filter", "systemprops", "runtime-attributes", "jaspic").contains(page);
    }

    @Test
    void everyAttribute_ofTheReferences_hasAVerdict() throws IOException {
        TreeSet<String> missing = new TreeSet<>();
        int attributes = 0;
        for (String version : List.of("9.0.117", "10.1.59", "11.0.24")) {
            Path folder =
                    Path.of("target/tomcat/apache-tomcat-" + version + "/webapps/docs/config");
            assertTrue(Files.isDirectory(folder), folder + " is unpacked by the build");
            try (DirectoryStream<Path> pages = Files.newDirectoryStream(folder, "*.html")) {
                for (Path page : pages) {
                    attributes += page(page, missing);
                }
            }
        }
        assertEquals("", String.join("\n", missing));
        assertTrue(attributes > 1700, attributes + " attributes were found");
    }

    private int page(Path file, TreeSet<String> missing) throws IOException {
        String page = file.getFileName().toString().replace(".html", "");
        if (isLeftOut(page)) {
            return 0;
        }
        String text = Files.readString(file, StandardCharsets.UTF_8);
        Matcher parts = PART.matcher(text.substring(Math.max(0, text.indexOf("<h3 id="))));
        String heading = "";
        int attributes = 0;
        while (parts.find()) {
            if (parts.group(1) != null) {
                heading = parts.group(1);
                continue;
            }
            String section = section(page, heading);
            String attribute = parts.group(2).strip();
            attributes++;
            if (section != null && !verdicts.has(section, attribute)) {
                missing.add("[" + section + "] " + attribute + " (" + heading + ")");
            }
        }
        return attributes;
    }

    private static String section(String page, String heading) {
        String named = HEADINGS.getOrDefault(page + " " + heading, HEADINGS.get(heading));
        if (named != null) {
            return named;
        }
        String element = ELEMENTS.getOrDefault(page, page);
        Matcher ofClass = CLASS.matcher(heading);
        if (page.startsWith("cluster-") && ofClass.matches()) {
            return element + " " + ofClass.group(1);
        }
        if (page.equals("valve") && heading.contains("/")) {
            String valve = heading.substring(0, heading.indexOf('/'));
            return "Valve " + VALVES.getOrDefault(valve, valve);
        }
        int dot = heading.lastIndexOf('.');
        return dot > 0 && (page.equals("realm") || page.equals("listeners"))
                ? element + " " + heading.substring(dot + 1)
                : element;
    }
}
