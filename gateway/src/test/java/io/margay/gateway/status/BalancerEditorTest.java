package io.margay.gateway.status;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.gateway.balance.Peer;
import io.margay.gateway.config.Activation;
import io.margay.gateway.config.BalanceMethod;
import io.margay.gateway.config.HealthConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BalancerEditorTest {
    private static final Pattern NONCE = Pattern.compile("nonce=([0-9a-f-]{36})");

    private StatusServer server;
    private Peer tc1;

    @BeforeEach
    void open() throws IOException {
        server = new StatusServer(s -> new BalancerEditor(s, new StatusAccess(StatusServer.TOKEN)));
        tc1 = server.lb.peers().getFirst();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private String nonce() throws IOException {
        Matcher matcher = NONCE.matcher(server.get("/balancer-manager").text());
        assertTrue(matcher.find());
        return matcher.group(1);
    }

    private int post(String form) throws IOException {
        String whole = "b=lb&nonce=" + nonce() + "&" + form;
        return server.post("/balancer-manager", whole, StatusServer.token()).status();
    }

    @Test
    void checks_areChangedForTheWholeBalancer() throws IOException {
        assertEquals(200, post("w=tc1&w_hm=GET&w_hu=%2Fup"));
        assertNull(server.lb.config().health(), "there are none to be changed");
        server.lb.configure(
                server.lb.config().withHealth(HealthConfig.of(HealthConfig.Kind.TCP, "/")));
        post("w=tc1&w_hm=GET&w_hi=5&w_hp=2&w_hf=3&w_hu=%2Fup");
        HealthConfig health = server.lb.config().health();
        assertEquals(HealthConfig.Kind.GET, health.kind());
        assertEquals("/up", health.uri());
        assertEquals(Duration.ofSeconds(5), health.every());
        assertEquals(2, health.passes());
        assertEquals(3, health.fails());
        post("w=tc1&w_hm=NOPE&w_hi=20ms&w_hp=0&w_hf=-1&w_hu=none");
        assertEquals(health, server.lb.config().health());
        String form = server.get("/balancer-manager?b=lb&w=tc1").text();
        assertTrue(form.contains("name='w_hu' id='w_hu' type=text value=\"/up\""), form);
    }

    @Test
    void page_listsBalancersAndMembers() throws IOException {
        String page = server.get("/balancer-manager").text();
        assertTrue(page.contains(">balancer://lb</a>"));
        assertTrue(page.contains("<td>Init Ok </td>"));
        assertTrue(page.contains("<h1>Load Balancer Manager for shop.example</h1>"));
    }

    @Test
    void xml_hasWhatHttpdHas() throws IOException {
        String page = server.get("/balancer-manager?xml=1").text();
        assertTrue(page.contains("<httpd:name>balancer://lb</httpd:name>"));
        assertTrue(page.contains("<httpd:status>Init Ok </httpd:status>"));
        assertTrue(page.contains("<httpd:lbmethod>byrequests</httpd:lbmethod>"));
    }

    @ParameterizedTest
    @CsvSource({
        "w_status_D=1, STOPPED, 'Init Dis '",
        "w_status_S=1, STOPPED, 'Init Stop '",
        "w_status_N=1, DISABLED, 'Init Drn Ok '",
        "w_status_D=0, ACTIVE, 'Init Ok '"
    })
    void statusLetter_changesTheMember(String form, Activation activation, String shown)
            throws IOException {
        assertEquals(200, post("w=tc1&" + form));
        assertEquals(activation, tc1.activation());
        assertTrue(server.get("/balancer-manager").text().contains("<td>" + shown + "</td>"));
        assertEquals(1, server.changes.get());
        post("w=tc1&w_status_D=0&w_status_S=0&w_status_N=0");
        assertEquals(Activation.ACTIVE, tc1.activation());
    }

    @Test
    void member_takesItsParameters() throws IOException {
        post("w=tc1&w_lf=2.5&w_ls=1&w_wr=x&w_rr=y&w_status_H=1&w_status_I=1&w_status_C=1");
        assertEquals(2.5, tc1.config().share().weight());
        assertEquals(1, tc1.config().share().distance());
        assertEquals("x", tc1.config().share().route());
        assertEquals("y", tc1.config().share().redirect());
        assertTrue(tc1.config().share().standby() && tc1.config().share().ignoreErrors());
        assertFalse(tc1.healthy());
    }

    @Test
    void balancer_takesItsParameters() throws IOException {
        post("b_lbm=bybusyness&b_max=3&b_sforce=1&b_ss=SID|sid");
        assertEquals(BalanceMethod.BUSYNESS, server.lb.config().method());
        assertEquals(4, server.lb.config().attempts());
        assertTrue(server.lb.config().sticky().force());
        assertEquals("SID", server.lb.config().sticky().cookie());
        assertEquals("sid", server.lb.config().sticky().parameter());
        post("b_ss=-");
        assertFalse(server.lb.config().sticky().enabled());
    }

    @Test
    void timeout_isHowLongRequestsWait() throws IOException {
        post("b_tmo=7");
        assertEquals(Duration.ofSeconds(7), server.lb.config().patience());
        post("b_tmo=7201");
        assertEquals(Duration.ofSeconds(7), server.lb.config().patience());
        assertTrue(server.get("/balancer-manager").text().contains("<td>7</td>"));
    }

    @Test
    void newMember_isThereAndTakesNothingYet() throws IOException {
        assertEquals(200, post("b_nwrkr=ajp://127.0.0.9:8009"));
        assertEquals(2, server.lb.peers().size(), "nobody is sure");
        assertEquals(200, post("b_wyes=1&b_nwrkr=ajp://127.0.0.9:8010/app"));
        Peer made = server.lb.peers().getLast();
        assertEquals("ajp://127.0.0.9:8010", made.config().address().toString());
        assertEquals("/app", made.config().path());
        assertEquals(Activation.STOPPED, made.activation());
        String page = server.get("/balancer-manager").text();
        assertTrue(page.contains("&amp;w=ajp://127.0.0.9:8010/app&amp;nonce="), page);
        assertTrue(page.contains("<td>Init Dis </td>"), page);
        assertEquals(400, post("b_wyes=1&b_nwrkr=ajp://127.0.0.9:8010/app"));
        assertEquals(400, post("b_wyes=1&b_nwrkr=gopher://127.0.0.9"));
        assertEquals(400, post("b_wyes=1&b_nwrkr=ajp://127.0.0.9:8010/a%20b"));
        assertEquals(200, post("w=ajp://127.0.0.9:8010/app&w_status_D=0"));
        assertEquals(Activation.ACTIVE, made.activation());
    }

    @Test
    void member_isKnownByItsUrl_asHttpdNamesIt() throws IOException {
        post("w=ajp://127.0.0.1:8109&w_lf=3");
        assertEquals(3, tc1.config().share().weight());
    }

    @Test
    void expression_isOneOfThoseThatAreNamed() throws IOException {
        HealthConfig health =
                HealthConfig.of(HealthConfig.Kind.GET, "/up")
                        .withAnswers(
                                Map.of("up", new HealthConfig.ExpectedResponse(200, 204, "fine")));
        server.lb.configure(server.lb.config().withHealth(health));
        post("w=tc1&w_he=nope");
        assertEquals(health, server.lb.config().health());
        post("w=tc1&w_he=up");
        assertEquals(
                new HealthConfig.ExpectedResponse(200, 204, "fine"),
                server.lb.config().health().answer());
        assertTrue(
                server.get("/balancer-manager?b=lb&w=tc1")
                        .text()
                        .contains("<option value=\"up\" selected >up</option>"));
    }

    @Test
    void change_withoutTokenOrNonce_isRefused() throws IOException {
        String form = "b=lb&w=tc1&w_status_D=1";
        assertEquals(401, server.post("/balancer-manager", form).status());
        assertEquals(403, server.post("/balancer-manager", form, StatusServer.token()).status());
        assertEquals(
                403,
                server.post("/balancer-manager", form + "&nonce=x", StatusServer.token()).status());
        server.get("/balancer-manager?" + form + "&nonce=" + nonce(), StatusServer.token());
        assertEquals(Activation.ACTIVE, tc1.activation());
    }

    @Test
    void chosenMember_hasAForm() throws IOException {
        String page = server.get("/balancer-manager?b=lb&w=tc1&nonce=" + nonce()).text();
        assertTrue(page.contains("name='w_lf'") && page.contains("name='w_status_N'"));
        assertTrue(server.get("/balancer-manager?b=lb").text().contains("name='b_lbm'"));
    }

    @ParameterizedTest
    @CsvSource({"0, '  0 '", "972, '972 '", "1024, 1.0K", "20480, ' 20K'", "5242880, 5.0M"})
    void size_hasFourCharacters(long bytes, String expected) {
        assertEquals(expected, BalancerPage.size(bytes));
    }
}
