package io.margay.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Outcome;
import io.margay.gateway.balance.Peer;
import io.margay.gateway.balance.PeerState;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.PeerConfig;
import io.margay.testkit.LoggedLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

class JkStatusTest {
    private StatusServer server;
    private Peer tc1;

    @BeforeEach
    void open() throws IOException {
        server = new StatusServer(s -> new JkStatus(s, new StatusAccess(StatusServer.TOKEN)));
        tc1 = server.lb.peers().getFirst();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String get(String query) throws IOException {
        return server.get("/jkstatus?" + query, StatusServer.token()).text();
    }

    private Element xml(String query) throws Exception {
        byte[] bytes = server.get("/jkstatus?" + query, StatusServer.token()).body();
        return DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(bytes))
                .getDocumentElement();
    }

    // Formats

    @Test
    void list_asXml_hasBalancersWithMembersAndWorkers() throws Exception {
        Element status = xml("cmd=list&mime=xml");
        assertEquals("http://tomcat.apache.org", status.getNamespaceURI());
        Element balancer = (Element) status.getElementsByTagName("jk:balancer").item(0);
        assertEquals("lb", balancer.getAttribute("name"));
        assertEquals("2", balancer.getAttribute("member_count"));
        assertEquals(2, balancer.getElementsByTagName("jk:member").getLength());
        Element member = (Element) balancer.getElementsByTagName("jk:member").item(0);
        assertEquals("tc1", member.getAttribute("name"));
        assertEquals("OK/IDLE", member.getAttribute("state"));
        assertEquals("r1", member.getAttribute("route"));
        Element worker = (Element) status.getElementsByTagName("jk:ajp").item(0);
        assertEquals("solo", worker.getAttribute("name"));
        Element result = (Element) status.getElementsByTagName("jk:result").item(0);
        assertEquals("OK", result.getAttribute("type"));
    }

    @Test
    void list_asText_hasALineForEach() throws IOException {
        List<String> lines = get("cmd=list&mime=txt").lines().toList();
        assertEquals("Server: name=shop.example port=8080", lines.get(0));
        assertTrue(lines.get(2).startsWith("Software: web_server=\"Margay/0\""));
        assertEquals("Balancer Workers: count=1", lines.get(3));
        assertTrue(lines.get(4).startsWith("Balancer Worker: name=lb type=lb sticky_session=True"));
        assertTrue(lines.get(5).startsWith("Member: name=tc1 type=ajp13 host=127.0.0.1"));
        assertTrue(lines.get(5).contains(" route=\"r1\" redirect=\"\" domain=\"\" distance=0 "));
        assertEquals("Result: type=OK message=\"Action finished\"", lines.getLast());
    }

    @Test
    void list_asProperties_hasALineForEachValue() throws IOException {
        Set<String> lines = Set.copyOf(get("cmd=list&mime=prop").lines().toList());
        assertTrue(
                lines.containsAll(
                        List.of(
                                "worker.server_name=shop.example",
                                "worker.lb_count=1",
                                "worker.list=lb",
                                "worker.lb.method=Request",
                                "worker.lb.balance_workers=tc2",
                                "worker.tc1.activation=ACT",
                                "worker.tc2.lbmult=1",
                                "worker.lb.map.1.uri=/lb/*",
                                "worker.lb.map.1.responses_2xx=3",
                                "worker.lb.map.1.responses_5xx=1",
                                "worker.tc2.responses_5xx=0",
                                "worker.ajp_count=1",
                                "worker.solo.list=solo",
                                "worker.solo.port=8111",
                                "worker.result.type=OK")));
    }

    @Test
    void lastError_isToldInEachFormat_asModJkWritesIt() throws Exception {
        assertFalse(get("cmd=list&mime=xml").contains("error_time"));
        tc1.end(Outcome.CONNECT_FAILED, 0, 0);
        String xml = get("cmd=list&mime=xml");
        assertTrue(xml.matches("(?s).*error_time_unix_seconds=\"\\d{10}\".*"), xml);
        String text = get("cmd=list&mime=txt");
        assertTrue(
                text.matches("(?s).* error_time_tz=[+-]\\d{4} .* error_time_ago=\\d+\n.*"), text);
        String properties = get("cmd=list&mime=prop");
        assertTrue(
                properties.matches(
                        "(?s).*\nworker.lb.error_time_datetime=\\d{14}\n.*"
                                + "\nworker.lb.error_time_ago seconds=\\d+\n.*"),
                properties);
    }

    @Test
    void answersOfAMember_areToldByClassOfStatus_behindWhatModJkTells() throws Exception {
        tc1.answers(200);
        tc1.answers(503);
        tc1.answers(204);
        Element status = xml("cmd=list&mime=xml");
        Element member = (Element) status.getElementsByTagName("jk:member").item(0);
        assertEquals("2", member.getAttribute("responses_2xx"));
        assertEquals("1", member.getAttribute("responses_5xx"));
        String line =
                get("cmd=list&mime=txt")
                        .lines()
                        .filter(one -> one.startsWith("Member: name=tc1 "))
                        .findFirst()
                        .orElseThrow();
        assertTrue(
                line.endsWith(
                        " responses_1xx=0 responses_2xx=2 responses_3xx=0 responses_4xx=0"
                                + " responses_5xx=1"),
                line);
    }

    @Test
    void show_ofOneMember_hasNoOther() throws IOException {
        String text = get("cmd=show&mime=txt&w=lb&sw=tc2");
        assertTrue(text.contains("Member: name=tc2 "));
        assertFalse(text.contains("name=tc1"));
        assertFalse(text.contains("solo"));
    }

    @ParameterizedTest
    @CsvSource({
        "cmd=show&w=nope, Could not find given worker",
        "cmd=show&w=lb&sw=nope, Could not find given sub worker",
        "cmd=foo, Invalid command.",
        "cmd=recover&w=lb&sw=tc1, Marking worker for recovery failed"
    })
    void command_thatCannotBe_isAResult(String query, String message) throws IOException {
        assertTrue(
                get(query + "&mime=txt")
                        .contains("Result: type=ERROR message=\"" + message + "\""));
    }

    @Test
    void dump_tellsTheConfigurationWithoutSecrets() throws IOException {
        tc1.configure(tc1.config().withAjp(new PeerConfig.Ajp("s3cret", 8192, Set.of())));
        String text = get("cmd=dump&mime=prop");
        assertTrue(text.contains("worker.list=lb,solo\n"), text);
        assertTrue(text.contains("worker.lb.balance_workers=tc1,tc2\n"));
        assertFalse(text.contains("s3cret"));
    }

    @Test
    void version_isShort() throws IOException {
        assertEquals(4, get("cmd=version&mime=txt").lines().count());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cmd=list", "cmd=show&w=lb", "cmd=dump", "cmd=version", "cmd=edit&w=lb"})
    void html_isAPage(String query) throws IOException {
        String page = get(query);
        assertTrue(page.startsWith("<!DOCTYPE html>") && page.endsWith("</html>\n"), page);
    }

    @Test
    void html_escapesWhatTheClientSays() throws IOException {
        assertFalse(get("cmd=show&w=%3Cscript%3E").contains("<script>"));
        assertFalse(get("cmd=list&sw=%22%3E%3Cscript%3E").contains("<script>"));
    }

    // Changes

    @ParameterizedTest
    @CsvSource({"vwa=1, DISABLED", "vwa=d, DISABLED", "vwa=S, STOPPED", "vwa=x, ACTIVE"})
    void update_ofActivation_holdsAtOnce(String parameter, Activation expected) throws IOException {
        assertTrue(get("cmd=update&mime=txt&w=lb&sw=tc1&" + parameter).contains("type=OK"));
        assertEquals(expected, tc1.activation());
        assertEquals(1, server.changes.get());
    }

    @Test
    void update_ofAMember_isInTheLog_withWhereItCameFrom() throws IOException {
        try (LoggedLines log = LoggedLines.of(StatusPage.class.getName())) {
            get("cmd=update&mime=txt&w=lb&sw=tc1&vwf=3%0Ax");
            String line =
                    " cmd=update mime=txt w=lb sw=tc1 vwf=3?x, by nobody by name at 127.0.0.1";
            assertEquals(1, log.count(line), log::toString);
            get("cmd=list");
            assertEquals(1, log.count(""));
        }
    }

    @Test
    void update_ofAMember_takesEveryParameter() throws IOException {
        get(
                "cmd=update&mime=txt&w=lb&sw=tc1&vwf=3&vwn=n1&vwr=n2&vwc=d&vwd=4&vahst=127.0.0.2"
                        + "&vaprt=9009&vacpt=7&vapng=70&vact=80&vapt=90&vart=5000&var=3&vari=20"
                        + "&varo=3&vabl=9&vamps=10000");
        PeerConfig config = tc1.config();
        assertEquals(3, config.share().weight());
        assertEquals("n1", config.share().route());
        assertEquals("n2", config.share().redirect());
        assertEquals("d", config.share().domain());
        assertEquals(4, config.share().distance());
        assertEquals("ajp://127.0.0.2:9009", config.address().toString());
        assertEquals(Duration.ofSeconds(7), config.pool().idle());
        assertEquals(Duration.ofSeconds(5), config.timeouts().reply());
        assertEquals(Duration.ofMillis(90), config.timeouts().ping());
        assertEquals(
                Set.of(PeerConfig.Ping.CONNECT, PeerConfig.Ping.PREPOST), config.ajp().pings());
        assertEquals(3, config.failures().retries());
        assertEquals(3, config.failures().recoveryOptions());
        assertEquals(9, config.share().busyMax());
        assertEquals(10_240, config.ajp().packetBytesMax());
    }

    @Test
    void update_ofABalancer_takesEveryParameter() throws IOException {
        get("cmd=update&mime=txt&w=lb&vlr=5&vlt=33&vlee=11&vlx=4&vls=0&vlf=1&vlm=b&vll=p&vlri=50");
        assertEquals(5, server.lb.config().rounds());
        assertEquals(Duration.ofSeconds(11), server.lb.config().escalation());
        assertEquals(4, server.lb.config().replyTimeoutsMax());
        assertFalse(server.lb.config().sticky().enabled());
        assertTrue(server.lb.config().sticky().force());
        assertEquals(BalanceMethod.BUSYNESS, server.lb.config().method());
        assertEquals(Duration.ofSeconds(33), tc1.config().failures().recover());
    }

    @Test
    void update_ofOneAspectOfAll_goesByNumber() throws IOException {
        get("cmd=update&mime=txt&w=lb&att=vwf&val0=2&val1=5");
        assertEquals(2, tc1.config().share().weight());
        assertEquals(5, server.lb.peers().get(1).config().share().weight());
    }

    @ParameterizedTest
    @ValueSource(strings = {"html", "xml", "txt", "prop"})
    void update_inEveryFormat_isDoneAndSaysSo(String mime) throws IOException {
        String answer = get("cmd=update&w=lb&sw=tc1&vwf=7&mime=" + mime);
        assertTrue(answer.contains("OK"), answer);
        assertEquals(7, tc1.config().share().weight());
        assertTrue(get("cmd=recover&w=lb&sw=tc1&mime=" + mime).contains("ERROR"));
        tc1.begin();
        tc1.end(Outcome.OK, 5, 6);
        assertTrue(get("cmd=reset&w=lb&mime=" + mime).contains("OK"));
        assertEquals(0, tc1.used());
    }

    @Test
    void update_withAWildcard_changesWhatMatches() throws IOException {
        get("cmd=update&mime=txt&w=lb&sw=tc*&vwa=d");
        assertEquals(Activation.DISABLED, server.lb.peers().get(1).activation());
        assertTrue(get("cmd=update&mime=txt&w=lb&sw=x*&vwa=d").contains("type=ERROR"));
    }

    @Test
    void update_withValuesOutOfRange_changesNothing() throws IOException {
        get("cmd=update&mime=txt&w=lb&sw=tc1&vwf=0&vwd=-1&vaprt=70000&vart=abc&vamps=99999999");
        assertEquals(1, tc1.config().share().weight());
        assertEquals(0, tc1.config().share().distance());
        assertEquals(8109, tc1.config().address().port());
        assertEquals(8192, tc1.config().ajp().packetBytesMax());
    }

    @Test
    void reset_clearsCounters() throws IOException {
        tc1.begin();
        tc1.end(Outcome.OK, 5, 6);
        get("cmd=reset&mime=txt&w=lb&sw=tc1");
        assertEquals(0, tc1.used());
        assertEquals(0, server.changes.get(), "nothing to keep");
    }

    @Test
    void recover_triesAPeerInError() throws IOException {
        tc1.begin();
        tc1.end(Outcome.CONNECT_FAILED, 0, 0);
        assertTrue(get("cmd=list&mime=txt").contains(" state=ERR "));
        assertTrue(get("cmd=recover&mime=txt&w=lb&sw=tc1").contains("type=OK"));
        assertEquals(PeerState.RECOVERING, tc1.state());
    }

    // Access

    @ParameterizedTest
    @ValueSource(strings = {"update&vwa=d", "reset", "recover"})
    void change_withoutTheToken_isRefused_CVE_2018_11759(String command) throws IOException {
        String target = "/jkstatus?w=lb&sw=tc1&cmd=" + command;
        assertTrue(
                server.get(target + "&mime=txt").text().contains("not allowed in read only mode"));
        assertEquals(401, server.get(target).status());
        assertEquals(401, server.get(target, "Authorization: Bearer wrong").status());
        assertEquals(Activation.ACTIVE, tc1.activation());
    }

    @Test
    void change_withTheTokenAsPassword_isDone() throws IOException {
        String basic =
                java.util.Base64.getEncoder()
                        .encodeToString(
                                ("x:" + StatusServer.TOKEN)
                                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        server.get("/jkstatus?cmd=update&w=lb&sw=tc1&vwa=d", "Authorization: Basic " + basic);
        assertEquals(Activation.DISABLED, tc1.activation());
    }

    @Test
    void change_byAnotherSite_isRefused() throws IOException {
        server.get(
                "/jkstatus?cmd=update&w=lb&sw=tc1&vwa=d",
                StatusServer.token(),
                "Sec-Fetch-Site: cross-site");
        assertEquals(Activation.ACTIVE, tc1.activation());
    }

    /// Browsers send Sec-Fetch-Site to https and loopback addresses only.
    @ParameterizedTest
    @CsvSource({
        "Referer: http://evil.example/x, false",
        "Referer: http://shop.example:8080.evil.example/, false",
        "Referer: http://shop.example/jkstatus, false",
        "Origin: null, false",
        "Origin: http://evil.example:8080, false",
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0), false",
        "Referer: http://shop.example:8080/jkstatus?cmd=show, true",
        "Sec-Fetch-Site: same-origin, true",
        "User-Agent: curl/8.14.1, true",
        "User-Agent: libwww-perl/6.77, true",
        "X-Other: none of these, true"
    })
    void changeByGet_withThePasswordThatABrowserKeeps_isDoneFromThisPageAlone(
            String field, boolean done) throws IOException {
        String basic =
                java.util.Base64.getEncoder()
                        .encodeToString(
                                ("x:" + StatusServer.TOKEN)
                                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        server.get(
                "/jkstatus?cmd=update&w=lb&sw=tc1&vwa=d", "Authorization: Basic " + basic, field);
        assertEquals(done ? Activation.DISABLED : Activation.ACTIVE, tc1.activation());
    }

    @Test
    void browserWithoutReferer_isShownTheForms_andChangesByBearer() throws IOException {
        String browser = "User-Agent: Mozilla/5.0";
        assertTrue(
                server.get("/jkstatus", StatusServer.token(), browser).text().contains("cmd=edit"));
        server.get("/jkstatus?cmd=update&w=lb&sw=tc1&vwa=d", StatusServer.token(), browser);
        assertEquals(Activation.DISABLED, tc1.activation());
    }

    @Test
    void change_byForm_isDone() throws IOException {
        server.post("/jkstatus", "cmd=update&w=lb&sw=tc1&vwa=2", StatusServer.token());
        assertEquals(Activation.STOPPED, tc1.activation());
    }

    /// What each bit hides of a page, and of what scripts read; as a real mod_jk does.
    @ParameterizedTest
    @CsvSource({
        "1, <td>r1</td>, Member: name=",
        "2, <td>/lb/*</td>, Map: id=",
        "4, <th>Act</th><td>Activation:, ",
        "8, Worker Status for lb, Balancer Worker",
        "16, Worker Status for solo, AJP Worker",
        "64, <th>sticky_session</th>, ",
        "128, <th>degraded</th>, ",
        "256, <th>max_packet_size</th>, "
    })
    void option_hidesAPart(int bit, String ofPage, String ofData) throws IOException {
        assertTrue(get("cmd=list").contains(ofPage), ofPage);
        assertFalse(get("cmd=list&opt=" + bit).contains(ofPage), ofPage);
        for (String mime : List.of("txt", "prop", "xml")) {
            String all = stable(get("cmd=list&mime=" + mime));
            String left = stable(get("cmd=list&opt=" + bit + "&mime=" + mime));
            assertEquals(ofData == null, all.equals(left), mime);
        }
        if (ofData != null) {
            assertTrue(get("cmd=list&mime=txt").contains(ofData));
            assertFalse(get("cmd=list&mime=txt&opt=" + bit).contains(ofData));
        }
    }

    /// Without what the passing of time changes.
    private static String stable(String text) {
        return text.lines()
                .filter(line -> !line.matches(".*(unix|datetime).*"))
                .map(line -> line.replaceAll("(last_reset|time_to)[a-z_]+=\"?[0-9]+", ""))
                .collect(java.util.stream.Collectors.joining("\n"));
    }

    @Test
    void refresh_isOfThePage_andKeptFromPageToPage() throws IOException {
        String page = get("cmd=show&w=lb&re=7&opt=4");
        assertTrue(page.contains("<meta http-equiv=\"Refresh\" content=\"7\">"), page);
        assertTrue(page.contains("?cmd=dump&amp;re=7&amp;opt=4\">"), page);
        assertTrue(page.contains("?cmd=show&amp;w=lb&amp;opt=4\">Stop auto refresh"), page);
        assertTrue(page.contains("?cmd=show&amp;w=lb&amp;re=7\">Show"), page);
        assertTrue(page.contains("?cmd=show&amp;w=lb&amp;re=7&amp;opt=6\">Hide"), page);
        assertTrue(get("cmd=version&re=9").contains("content=\"9\""));
        assertFalse(get("cmd=edit&w=lb&re=9").contains("http-equiv"));
        assertFalse(get("cmd=list&re=x").contains("http-equiv"));
        assertTrue(get("cmd=list").contains("<input name=\"re\""));
        String after = get("cmd=update&w=lb&vlr=3&re=9");
        assertTrue(after.contains("content=\"3;url=/jkstatus?cmd=show&amp;w=lb&amp;re=9\""), after);
        for (String mime : List.of("txt", "prop", "xml")) {
            assertEquals(
                    stable(get("cmd=list&mime=" + mime)),
                    stable(get("cmd=list&re=7&mime=" + mime)));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vwa", "vwf", "vwn", "vwr", "vwc", "vwd", "vacpt", "vact", "vapt", "vart", "var",
                "varo", "vamps", "vapng", "vari", "vacpi", "vabl"
            })
    void aspect_ofAllMembers_hasAForm(String aspect) throws IOException {
        String page = get("cmd=edit&w=lb&att=" + aspect);
        assertTrue(page.contains("name=\"att\" value=\"" + aspect + "\""), page);
        assertTrue(page.contains("name=\"val0\"") && page.contains("name=\"val1\""), page);
        assertTrue(get("cmd=list").contains("&amp;att=" + aspect + "\">"));
    }

    @Test
    void aspect_thatIsNone_isAnError() throws IOException {
        assertTrue(get("cmd=edit&w=lb&att=vahst").contains("Result: ERROR"));
        assertTrue(get("cmd=edit&w=solo&att=vwa").contains("Result: ERROR"));
    }

    @Test
    void option32_isReadOnlyEvenWithTheToken() throws IOException {
        assertTrue(get("cmd=update&mime=txt&w=lb&sw=tc1&vwa=d&opt=32").contains("ERROR"));
    }

    /// As httpd lets everybody change what mod_jk's worker shows whom it lets in.
    @Test
    void pageForEverybody_changesWithoutAToken_butNotForOtherSites() throws IOException {
        try (StatusServer open = new StatusServer(s -> new JkStatus(s, StatusAccess.EVERYBODY))) {
            String stop = "/jkstatus?cmd=update&mime=txt&w=lb&sw=tc1&vwa=s";
            assertTrue(open.get(stop, "Origin: http://evil.example").text().contains("ERROR"));
            assertTrue(open.get(stop).text().contains("Result: type=OK"), open.get(stop).text());
            assertTrue(open.get("/jkstatus?mime=txt").text().contains("STP"));
        }
    }

    @Test
    void method_thatIsAnother_isNotAllowed() throws IOException {
        try (StatusServer plain = new StatusServer(s -> new JkStatus(s, StatusAccess.READ_ONLY))) {
            assertEquals(403, plain.get("/jkstatus?cmd=update&w=lb").status());
            assertEquals(200, plain.get("/jkstatus").status());
        }
    }
}
