package io.margay.app.yaml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.FileShape;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OutlineTest {
    private static final String FILE =
            """
            listeners: [{http: 8080}, {ajp: 8009, secret: hunter2}]
            admin: 127.0.0.1:9990
            admin-token: hunter2-hunter2-hunter2
            workers: {threads-max: 20}
            resources:
              jdbc/shop: {url: "jdbc:h2:mem:a?password=hunter2", user: sa, password: "${HUNTER2}"}
            hosts:
              - name: [shop.example, www.shop.example]
                routes: {/*: {gateway: shop}}
              - routes: {/*: {files: site}}
            upstreams:
              shop: {members: [{url: "http://user:hunter2@10.0.0.1"}]}
            """;

    private static Outline of(String text) {
        return Outline.of(text, FileShape.root(), false);
    }

    private static List<String> paths(Outline outline) {
        return outline.find("", 100).stream().map(one -> one.path() + "=" + one.text()).toList();
    }

    @Test
    void values_byPathAndLine_areThoseOfTheFile() {
        List<String> all = paths(of(FILE));
        assertTrue(all.contains("listeners[8080].http=8080"), all::toString);
        assertTrue(all.contains("workers.threads-max=20"), all::toString);
        assertTrue(
                all.contains("hosts[shop.example].name=[shop.example, www.shop.example]"),
                all::toString);
        assertTrue(all.contains("hosts[#1].routes./*.files=site"), all::toString);
        Outline.Shown threads = of(FILE).find("threads-max", 9).getFirst();
        assertEquals(4, threads.line());
        assertFalse(threads.otherwise().isEmpty());
    }

    @Test
    void secrets_ofAnyKind_areNotShown() {
        List<String> all = paths(of(FILE));
        assertFalse(all.toString().contains("hunter2"), all::toString);
        assertTrue(all.contains("listeners[8009].secret=(secret)"), all::toString);
        assertTrue(all.contains("admin-token=(secret)"), all::toString);
        List<String> misspelt = paths(of("admin-tokn: hunter2\nlimits: {colour: [hunter2]}"));
        assertFalse(misspelt.toString().contains("hunter2"), misspelt::toString);
    }

    @Test
    void variables_areShownByTheirNames() {
        assertEquals(
                "hosts[#1].routes./*.files=${SITE:-site}",
                paths(of("hosts: [{routes: {/*: {files: \"${SITE:-site}\"}}}]")).getFirst());
    }

    @Test
    void changes_areWhatTheLaterFileSaysOtherwise() {
        String later =
                FILE.replace("threads-max: 20", "threads-max: 30")
                        .replace("secret: hunter2", "secret: hunter3")
                        .replace("  - routes: {/*: {files: site}}\n", "")
                        .replace("admin: 127", "drain: 5s\nadmin: 127");
        List<Outline.Change> changes = of(FILE).changes(of(later), 100);
        assertEquals(
                List.of(
                        "listeners[8009].secret (secret) -> another (secret)",
                        "drain  -> 5s",
                        "workers.threads-max 20 -> 30",
                        "hosts[#1].routes./*.files site -> "),
                changes.stream()
                        .map(one -> one.path() + " " + one.before() + " -> " + one.after())
                        .toList());
        assertEquals(
                List.of(false, false, true, false),
                changes.stream().map(Outline.Change::atStart).toList());
        assertEquals("25s", changes.get(1).otherwise());
        assertEquals(List.of(), of(FILE).changes(of(FILE + "\n# a comment\n"), 100));
    }

    @Test
    void keysThatAreNotGiven_whereWanted_haveTheirDefaults() {
        Outline all = Outline.of(FILE, FileShape.root(), true);
        Outline.Shown drain = all.find("drain-delay", 9).getFirst();
        assertEquals(0, drain.line());
        assertEquals("", drain.text());
        assertEquals("0s", drain.otherwise());
        assertTrue(all.find("workers.", 50).size() > 1);
    }

    @Test
    void whatOnlyAStartReads_isInForceAsItWasThen() {
        String later = FILE.replace("threads-max: 20", "threads-max: 30, loops: 2");
        Outline inForce = of(later.replace("8080", "8081")).after(of(FILE));
        List<String> all = paths(inForce);
        assertTrue(all.contains("workers.threads-max=20"), all::toString);
        assertTrue(all.contains("listeners[8081].http=8081"), all::toString);
        assertFalse(all.toString().contains("workers.loops"), all::toString);
        assertEquals(
                List.of("workers.threads-max", "workers.loops"),
                inForce.changes(of(later.replace("8080", "8081")), 9).stream()
                        .map(Outline.Change::path)
                        .toList());
    }

    @Test
    void textThatIsNoYaml_hasNoValues() {
        assertEquals(0, of("{[").size());
        assertEquals(0, of("").size());
    }
}
