package io.margay.app.config.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.MargayConfig;
import io.margay.app.config.SessionSettings;
import io.margay.gateway.config.MemberSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The URL of `shared` in place of those of sessions and registrations.
final class SharedUrlTest {
    private static final String URL = "redis://cache:6379";
    private static final String SHARED =
            "shared: {url: \"" + URL + "\", key: what the servers share and nobody else knows}\n";
    private static final String SITE = "hosts: [{routes: {/: {files: .}}}]\n";
    private static final String OWN_KEY = "key: what signs sessions and nobody else knows it";

    @TempDir Path folder;
    private ConfigFolder files;

    @BeforeEach
    void write() throws IOException {
        files = new ConfigFolder(folder);
        Files.writeString(folder.resolve("shop.token"), "a token of the upstream\n");
    }

    private MargayConfig read(String text) throws IOException {
        assertEquals(List.of(), files.problems(text));
        return files.read(text).get();
    }

    private static String url(MargayConfig config) {
        SessionSettings.Shared shared = config.sessions().shared();
        assertNotNull(shared);
        return String.valueOf(shared.url());
    }

    @Test
    void sessions_withoutAUrl_haveThatOfShared() throws IOException {
        for (String url : List.of("", "url: shared, ")) {
            String sessions = "sessions: {store: valkey, " + url + OWN_KEY + "}\n";
            assertEquals(URL, url(read(SHARED + sessions + SITE)));
        }
        String own = "sessions: {store: redis, url: \"redis://other\", " + OWN_KEY + "}\n";
        assertEquals("redis://other", url(read(SHARED + own + SITE)));
    }

    @Test
    void sessions_withoutAny_areAProblem() throws IOException {
        String sessions = "sessions: {store: valkey, " + OWN_KEY + "}\n" + SITE;
        assertTrue(files.problems(sessions).toString().contains("needs either a \"url\""));
        String word = "sessions: {store: valkey, url: shared, " + OWN_KEY + "}\n" + SITE;
        String told = files.problems(word).toString();
        assertTrue(told.contains("\"url: shared\" needs \"shared\" with a \"url\""), told);
        String of = "sessions: {store: jdbc, url: shared, " + OWN_KEY + "}\n" + SITE;
        String kind = files.problems(SHARED + of).toString();
        assertTrue(kind.contains("\"url: shared\" belongs to \"store: valkey\""), kind);
        String database = "sessions: {store: jdbc, " + OWN_KEY + "}\n" + SITE;
        String found = files.problems(SHARED + database).toString();
        assertTrue(found.contains("needs either a \"url\""), found);
    }

    private static String members(String shared) {
        return shared
                + "admin: 127.0.0.1:9990\n"
                + "hosts: [{routes: {/: {gateway: shop}}}]\n"
                + "upstreams: {shop: {members: {registered: {through: shared,"
                + " token-file: shop.token, from: [10.0.0.0/8]}}}}\n";
    }

    private static String register(String shared) {
        return shared
                + SITE
                + "register: [{upstream: shop, through: shared, url: \"http://10.0.0.5:8080\","
                + " token-file: shop.token}]\n";
    }

    @Test
    void registrations_throughShared_haveItsUrl() throws IOException {
        assertEquals(URL, read(register(SHARED)).register().getFirst().through());
        MargayConfig gateway = read(members(SHARED));
        MemberSource source = gateway.upstreams().get("shop").sources().getFirst();
        assertTrue(
                source.place() instanceof MemberSource.Registry place && place.url().equals(URL));
    }

    @Test
    void registrations_throughSharedWithoutOne_areAProblem() throws IOException {
        for (String text : List.of(members(""), register(""))) {
            String found = files.problems(text).toString();
            assertTrue(found.contains("\"through: shared\" needs \"shared\""), found);
        }
    }
}
