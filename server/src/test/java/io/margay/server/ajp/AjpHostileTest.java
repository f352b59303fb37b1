package io.margay.server.ajp;

import static io.margay.server.ajp.AjpServer.SECRET;
import static io.margay.server.ajp.FrontEnd.request;
import static io.margay.server.ajp.FrontEnd.secret;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.server.ajp.FrontEnd.Answer;
import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What must not come in by AJP13.
@Tag("slow")
class AjpHostileTest {
    private static final byte[] NONE = {};

    private static AjpAttributes with(String name, String value) {
        return new AjpAttributes.Builder()
                .set(AjpAttribute.SECRET, SECRET)
                .set(name, value)
                .build();
    }

    private static Answer ask(AjpServer server, AjpAttributes attributes) throws IOException {
        try (FrontEnd front = server.frontEnd()) {
            Answer answer = front.exchange(request("GET", "/inline", 0, attributes), NONE);
            assertEquals(answer.status() == 200, answer.reuse());
            if (!answer.reuse()) {
                assertEquals(0, front.untilClosed().length);
            }
            return answer;
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "javax.servlet.include.request_uri",
                "javax.servlet.include.path_info",
                "javax.servlet.include.servlet_path",
                "jakarta.servlet.include.request_uri",
                "jakarta.servlet.include.servlet_path",
                "jakarta.servlet.forward.request_uri",
                "jakarta.servlet.error.status_code"
            })
    void attribute_ofTheServletApi_is403WhateverThePattern_cve2020_1938(String name)
            throws Exception {
        AjpConfig open =
                AjpConfig.withoutSecret().withAllowedRequestAttributes(Pattern.compile(".*"));
        for (AjpConfig config : new AjpConfig[] {AjpConfig.withSecret(SECRET), open}) {
            try (AjpServer server =
                    new AjpServer("nio", Repertoire::handle, config, HttpLimits.defaults())) {
                assertEquals(403, ask(server, with(name, "/WEB-INF/web.xml")).status());
            }
        }
    }

    @Test
    void attribute_unknown_is403UnlessAllowed() throws Exception {
        try (AjpServer server = new AjpServer("nio", Repertoire::handle)) {
            assertEquals(403, ask(server, with("my.attribute", "x")).status());
            assertEquals(200, ask(server, with("JK_LB_ACTIVATION", "ACT")).status());
            assertEquals(200, ask(server, with("CERT_ISSUER", "x")).status());
        }
        AjpConfig config =
                AjpConfig.withSecret(SECRET)
                        .withAllowedRequestAttributes(Pattern.compile("my\\..*"));
        try (AjpServer server =
                new AjpServer("nio", Repertoire::handle, config, HttpLimits.defaults())) {
            assertEquals(200, ask(server, with("my.attribute", "x")).status());
            assertEquals(403, ask(server, with("your.my.attribute", "x")).status());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s3cre", "s3crets", "S3cret", "s3creT", "x"})
    void secret_wrong_is403(String wrong) throws Exception {
        AtomicInteger handled = new AtomicInteger();
        try (AjpServer server =
                new AjpServer(
                        "nio",
                        exchange -> {
                            handled.incrementAndGet();
                            Repertoire.handle(exchange);
                        })) {
            assertEquals(403, ask(server, secret(wrong)).status());
            assertEquals(403, ask(server, AjpAttributes.EMPTY).status());
            assertEquals(0, handled.get());
            assertEquals(200, ask(server, secret(SECRET)).status());
        }
    }

    @Test
    void secret_missingInConfiguration_isRefused() {
        AjpConfig sound = AjpConfig.withSecret(SECRET);
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        new AjpConfig(
                                null, true, null, sound.limits(), sound.idleTimeout(), true, true));
        assertThrows(IllegalArgumentException.class, () -> AjpConfig.withSecret(""));
        assertFalse(sound.toString().contains(SECRET));
    }

    /// The verdict on a secret must not come before a verdict that tells whether it was right.
    @Test
    void secret_wrongInMalformedRequest_is403AndNot400() throws Exception {
        try (AjpServer server = new AjpServer("nio", Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            front.send(request("GET", "http://absolute/", 0, secret("wrong")));
            assertEquals(403, front.answer(false, NONE, 0).status());
        }
        try (AjpServer server = new AjpServer("nio", Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            front.send(request("GET", "http://absolute/", 0, secret(SECRET)));
            Answer answer = front.answer(false, NONE, 0);
            assertEquals(400, answer.status());
            assertFalse(answer.reuse());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "474554202f20485454502f312e310d0a",
                "4142000109",
                "1234ffff02",
                "123400050202ffff00",
                "1234000163",
                "1234000108",
                "12340000",
                "12340004000201ff"
            })
    void bytes_thatAreNotAjp_areClosedWithoutAnswer_cve2026_34059(String hex) throws Exception {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        for (String transport : new String[] {"nio", "blocking", "native"}) {
            try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                    FrontEnd front = server.frontEnd()) {
                front.send(bytes);
                assertEquals(0, front.untilClosed().length, transport);
            }
        }
    }

    @Test
    void shutdown_isIgnored() throws Exception {
        try (AjpServer server = new AjpServer("nio", Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            front.send(new byte[] {0x12, 0x34, 0, 1, 7});
            assertEquals("inline", front.get("/inline", SECRET).text());
        }
    }

    /// Many pings at once, answers unread for a while: each gets its answer, in bounded memory.
    @Test
    void pings_inAFlood_areAnsweredInTurn() throws Exception {
        int count = 20_000;
        byte[] pings = new byte[5 * count];
        for (int i = 0; i < count; i++) {
            pings[5 * i] = 0x12;
            pings[5 * i + 1] = 0x34;
            pings[5 * i + 3] = 1;
            pings[5 * i + 4] = 10;
        }
        for (String transport : new String[] {"nio", "blocking", "native"}) {
            try (AjpServer server = new AjpServer(transport, Repertoire::handle);
                    FrontEnd front = server.frontEnd()) {
                Thread sender =
                        Thread.startVirtualThread(() -> {
                            try {
                                front.send(pings);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        });
                for (int i = 0; i < count; i++) {
                    front.pong();
                }
                sender.join();
                assertEquals("inline", front.get("/inline", SECRET).text(), transport);
            }
        }
    }

    @Test
    void response_shorterThanDeclared_isAborted() throws Exception {
        try (AjpServer server = new AjpServer("nio", Repertoire::handle);
                FrontEnd front = server.frontEnd()) {
            assertThrows(IOException.class, () -> front.get("/short", SECRET));
        }
    }

    /// A front end that leaves in the middle of anything costs nobody else anything.
    @ParameterizedTest
    @ValueSource(strings = {"nio", "blocking", "native"})
    void frontEnd_thatLeaves_isForgotten(String transport) throws Exception {
        try (AjpServer server = new AjpServer(transport, Repertoire::handle)) {
            for (int i = 0; i < 20; i++) {
                try (FrontEnd front = server.frontEnd()) {
                    front.send(request("POST", "/echo", 100_000, secret(SECRET)));
                    front.sendData(new byte[5000], 0, 5000);
                }
                try (FrontEnd front = server.frontEnd()) {
                    front.send(request("GET", "/pieces/3000000", 0, secret(SECRET)));
                }
                try (FrontEnd front = server.frontEnd()) {
                    front.send(request("GET", "/file/3000000", 0, secret(SECRET)));
                }
                try (FrontEnd front = server.frontEnd()) {
                    front.send(request("POST", "/poll", -1, secret(SECRET)));
                }
            }
            io.margay.testkit.Eventually.holds(
                    "all are gone",
                    () -> {
                        var stats = server.listener().stats().read();
                        return stats.connectionsOpen() == 0 && stats.requestsActive() == 0;
                    });
            try (FrontEnd front = server.frontEnd()) {
                assertEquals("inline", front.get("/inline", SECRET).text());
            }
            assertTrue(server.listener().stats().read().connections() > 80);
        }
    }
}
