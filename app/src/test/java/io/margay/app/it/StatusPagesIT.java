package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.testkit.FreePort;
import io.margay.testkit.HttpdProcess;
import io.margay.testkit.RawHttpClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.NodeList;

/// The status pages beside those of a real httpd with mod_jk, mod_status and mod_proxy_balancer:
/// the same names in the same places, so that what was written to read the one reads the other.
final class StatusPagesIT {
    private static final Pattern TEXT_KEY = Pattern.compile("(?<= )[a-z_]+(?==)");
    private static final List<String> MODULES =
            List.of(
                    "mpm_event",
                    "authz_core",
                    "status",
                    "proxy",
                    "proxy_http",
                    "slotmem_shm",
                    "proxy_balancer",
                    "lbmethod_byrequests",
                    "proxy_hcheck",
                    "jk");

    /// Keys of mod_status that tell of what there is not here.
    private static final Set<String> HTTPD_ONLY = Set.of("Server Built");

    /// Of `xml=1`: there only where an error was.
    private static final Set<String> HTTPD_XML_ONLY = Set.of("error_time");

    @TempDir Path folder;

    @Test
    void pages_besideHttpds_haveTheSameNames() throws Exception {
        int port = FreePort.next();
        try (HttpdProcess _ = httpd(port);
                ServerProcess process = margay()) {
            int margay = process.awaitMargay();
            for (String command : new String[] {"list", "version", "show&w=lb", "show&w=nope"}) {
                compare(port, margay, "cmd=" + command);
            }
            for (int bit = 1; bit <= 0x100; bit *= 2) {
                compare(port, margay, "cmd=list&opt=" + bit);
            }
            compareAuto(port, margay);
            compareManager(port, margay);
            compareForms(port, margay);
            assertEquals(0, process.terminate(), process.toString());
        }
    }

    private HttpdProcess httpd(int port) throws IOException {
        Files.writeString(
                folder.resolve("workers.properties"),
                """
                worker.list=lb,solo,jkstatus
                worker.lb.type=lb
                worker.lb.balance_workers=tc1,tc2
                worker.tc1.type=ajp13
                worker.tc1.host=127.0.0.1
                worker.tc1.port=9
                worker.tc2.type=ajp13
                worker.tc2.host=127.0.0.1
                worker.tc2.port=9
                worker.solo.type=ajp13
                worker.solo.port=9
                worker.jkstatus.type=status
                """);
        String text =
                """
                ExtendedStatus On
                ProxyStatus On
                JkWorkersFile workers.properties
                JkShmFile logs/jk.shm
                JkLogFile logs/jk.log
                JkMount /lb/* lb
                JkMount /solo/* solo
                JkMount /jkstatus jkstatus
                <Location /server-status>
                  SetHandler server-status
                </Location>
                <Location /balancer-manager>
                  SetHandler balancer-manager
                </Location>
                ProxyHCExpr up {%{REQUEST_STATUS} =~ /^2/}
                <Proxy balancer://lb>
                  BalancerMember http://127.0.0.1:9 route=m1 hcmethod=GET hcinterval=900
                  ProxySet stickysession=SID growth=2
                </Proxy>
                ProxyPass /b balancer://lb
                """;
        String listen = "Listen 127.0.0.1:" + port + "\n";
        return HttpdProcess.start(folder, MODULES, listen + text, port);
    }

    private ServerProcess margay() throws IOException {
        Path file = folder.resolve("margay.yaml");
        Files.writeString(
                file,
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - routes:
                      /lb/*: {gateway: lb}
                      /solo/*: {gateway: solo}
                      /jkstatus: {status: jkstatus}
                      /server-status: {status: server-status}
                      /balancer-manager: {status: balancer-manager}
                upstreams:
                  lb:
                    sticky: SID
                    members:
                      - {url: "http://127.0.0.1:9", name: tc1}
                      - {url: "http://127.0.0.1:9", name: tc2}
                    health: {get: /, every: 900s, answers: {up: {status: 200-299}}}
                  solo: {members: [{url: "ajp://127.0.0.1:9", name: solo}]}
                work: work
                """);
        return ServerProcess.margay(folder, "run", file.toString());
    }

    private static byte[] get(int port, String target) throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            return client.get(target).body();
        }
    }

    /// Of httpd, which may still be starting.
    private String httpd(int port, String target) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try {
                return new String(get(port, target));
            } catch (IOException e) {
                if (System.nanoTime() - end > 0) {
                    String log = Files.readString(folder.resolve("httpd.out"));
                    throw new AssertionError("httpd does not answer: " + log, e);
                }
                LockSupport.parkNanos(20_000_000L);
            }
        }
    }

    private void compare(int httpd, int margay, String query) throws Exception {
        String page = "/jkstatus?" + query + "&mime=";
        assertEquals(
                properties(httpd(httpd, page + "prop")),
                ofModJk(properties(new String(get(margay, page + "prop")))),
                query);
        assertEquals(
                textKeys(httpd(httpd, page + "txt")),
                ofModJk(textKeys(new String(get(margay, page + "txt")))),
                query);
        assertEquals(
                attributes(httpd(httpd, page + "xml")),
                ofModJk(attributes(new String(get(margay, page + "xml")))),
                query);
    }

    /// Without the counts by class of status, which mod_jk does not have.
    private static Set<String> ofModJk(Set<String> names) {
        names.removeIf(name -> name.matches(".*\\bresponses_[1-5]xx=?"));
        return names;
    }

    private static Set<String> properties(String text) {
        Set<String> names = new TreeSet<>();
        text.lines().forEach(line -> names.add(line.substring(0, line.indexOf('='))));
        return names;
    }

    /// The keys of each kind of line.
    private static Set<String> textKeys(String text) {
        Set<String> keys = new TreeSet<>();
        for (String line : text.lines().toList()) {
            String label = line.substring(0, line.indexOf(':'));
            Matcher matcher = TEXT_KEY.matcher(line.replaceAll("\"[^\"]*\"", "\"\""));
            while (matcher.find()) {
                keys.add(label + " " + matcher.group());
            }
        }
        return keys;
    }

    private static Set<String> attributes(String text) throws Exception {
        Element root =
                DocumentBuilderFactory.newDefaultInstance()
                        .newDocumentBuilder()
                        .parse(new ByteArrayInputStream(text.getBytes()))
                        .getDocumentElement();
        Set<String> names = new TreeSet<>();
        NodeList all = root.getElementsByTagName("*");
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            String path =
                    ((Element) element.getParentNode()).getTagName() + "/" + element.getTagName();
            NamedNodeMap attributes = element.getAttributes();
            for (int j = 0; j < attributes.getLength(); j++) {
                names.add(path + " " + attributes.item(j).getNodeName());
            }
        }
        return names;
    }

    private void compareAuto(int httpd, int margay) throws IOException {
        Set<String> expected = autoKeys(httpd(httpd, "/server-status?auto"));
        expected.removeAll(HTTPD_ONLY);
        Set<String> keys = autoKeys(new String(get(margay, "/server-status?auto")));
        expected.removeAll(keys);
        assertEquals(Set.of(), expected, "keys of mod_status that are missing");
    }

    private static Set<String> autoKeys(String text) {
        Set<String> names = new TreeSet<>();
        text.lines()
                .skip(1)
                .filter(line -> line.contains(": "))
                .forEach(line -> names.add(line.substring(0, line.indexOf(':'))));
        return names;
    }

    private void compareManager(int httpd, int margay) throws IOException {
        Set<String> expected = headings(httpd(httpd, "/balancer-manager"));
        Set<String> found = headings(new String(get(margay, "/balancer-manager")));
        assertTrue(found.containsAll(expected), () -> expected + " but there are " + found);
    }

    /// What scripts send is what httpd's forms have, for the balancer and for a member, and what
    /// they read of `xml=1`.
    private void compareForms(int httpd, int margay) throws IOException {
        for (String chosen : new String[] {"b=lb", "b=lb&w=http://127.0.0.1:9", "xml=1&b=lb"}) {
            String target = "/balancer-manager?" + chosen + "&nonce=" + nonce(httpd);
            String from = "Referer: http://localhost:" + httpd + "/balancer-manager\r\n";
            Set<String> expected = names(get(httpd, target, from));
            Set<String> found = names(get(margay, target.replaceFirst("&nonce=.*", ""), ""));
            assertTrue(expected.size() > 5, expected::toString);
            expected.removeAll(HTTPD_XML_ONLY);
            assertTrue(found.containsAll(expected), () -> expected + " but there are " + found);
        }
    }

    private static String nonce(int httpd) throws IOException {
        Matcher matcher =
                Pattern.compile("nonce=([0-9a-f-]+)")
                        .matcher(new String(get(httpd, "/balancer-manager")));
        assertTrue(matcher.find());
        return matcher.group(1);
    }

    /// Names of inputs, and of elements.
    private static Set<String> names(String page) {
        Set<String> names = new TreeSet<>();
        Matcher matcher =
                Pattern.compile("(?<=name=['\"])[a-zA-Z_]+|(?<=<httpd:)[a-z_]+").matcher(page);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }

    private static String get(int port, String target, String fields) throws IOException {
        InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (RawHttpClient client = RawHttpClient.connect(at)) {
            String head = "GET " + target + " HTTP/1.1\r\nHost: localhost:" + port + "\r\n";
            return client.send(head + fields + "\r\n").response().text();
        }
    }

    private static Set<String> headings(String page) {
        Set<String> headings = new TreeSet<>();
        Matcher matcher = Pattern.compile("<th>([^<]*)</th>").matcher(page);
        while (matcher.find()) {
            headings.add(matcher.group(1));
        }
        return headings;
    }
}
