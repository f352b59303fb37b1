package io.margay.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.margay.server.compression.Coding;
import io.margay.server.compression.Compression;
import io.margay.server.compression.CompressionConfig;
import io.margay.server.compression.CompressionLimits;
import io.margay.server.compression.Compressor;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.MemoryBudget;
import io.margay.testkit.RawHttpClient;
import io.margay.testkit.RawHttpClient.Response;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which responses are compressed (RFC 9110 §8.4, §12.5.3), and what is said of that.
@Timeout(60)
class CompressionChoiceTest {
    private final byte[] content = new byte[10_000];
    private TestServer server;

    @BeforeEach
    void start() throws IOException {
        Compressor compressor =
                new Compressor(MemoryBudget.UNBOUNDED, CompressionLimits.defaults());
        Compression all =
                Compression.of(CompressionConfig.defaults().withCodings(List.of(Coding.GZIP)));
        server =
                new TestServer(
                        new Wire("nio", false),
                        exchange -> answer(compressor.compress((DialingExchange) exchange, all)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /// Answers as the fields of the request say: `X-Status`, `X-Length`, and `X-Field: NAME=VALUE`.
    private void answer(Exchange exchange) throws IOException {
        String status = exchange.request().field("x-status");
        exchange.status(status == null ? 200 : Integer.parseInt(status));
        exchange.fields().add("Content-Type", "text/plain");
        for (String line : exchange.request().fields().all("x-field")) {
            String[] parts = line.split("=", 2);
            exchange.fields().set(parts[0], parts[1]);
        }
        String length = exchange.request().field("x-length");
        boolean none = exchange.status() == 204 || exchange.status() == 304;
        exchange.end(content, 0, none ? 0 : length == null ? 10_000 : Integer.parseInt(length));
    }

    private Response get(String accepted, String... fields) throws IOException {
        List<String> lines = new ArrayList<>(List.of("GET / HTTP/1.1", "Host: x"));
        if (!accepted.isEmpty()) {
            lines.add("Accept-Encoding: " + accepted);
        }
        lines.addAll(List.of(fields));
        try (RawHttpClient client = server.client()) {
            return client.send(String.join("\r\n", lines) + "\r\n\r\n").response();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "'' | -",
                "gzip | gzip",
                "GZIP | gzip",
                "'gzip, deflate, br, zstd' | gzip",
                "gzip;q=0.5 | gzip",
                "'gzip;q=0.5, identity' | -",
                "'gzip;q=0.5, identity;q=0.5' | gzip",
                "'gzip;q=0.5, identity;q=0' | gzip",
                "gzip;q=0 | -",
                "'*' | gzip",
                "'*;q=0.1' | gzip",
                "'gzip;q=0, *' | -",
                "'*;q=0' | -",
                "'gzip;q=x' | -",
                "deflate | -",
                "identity | -",
            })
    void coding_isWhatTheClientAccepts(String accepted, String coding) throws IOException {
        Response response = get(accepted);
        assertEquals(coding, response.field("Content-Encoding"));
        assertEquals("Accept-Encoding", response.field("Vary"));
    }

    @ParameterizedTest
    @CsvSource({
        "X-Length: 1023",
        "X-Length: 0",
        "X-Status: 204",
        "X-Status: 206",
        "X-Field: Content-Type=image/png",
        "X-Field: Content-Type=text",
        "X-Field: Content-Encoding=br",
        "X-Field: Content-Range=bytes 0-9999/20000",
        "X-Field: Content-Digest=sha-256=:eA==:",
    })
    void otherResponses_areLeftAlone(String field) throws IOException {
        Response response = get("gzip", field);
        assertNull(response.field("Vary"));
        String sent = response.field("Content-Encoding");
        assertEquals(field.contains("=br") ? "br" : null, sent);
    }

    @ParameterizedTest
    @CsvSource({
        "X-Length: 1024",
        "X-Status: 404",
        "X-Status: 500",
        "X-Field: Content-Type=Application/Problem+JSON; charset=utf-8",
        "X-Field: Content-Type=image/svg+xml",
        "X-Field: Content-Encoding=identity",
        "X-Field: Cache-Control=max-age=3",
    })
    void textOfAnyStatus_isCompressed(String field) throws IOException {
        assertEquals("gzip", get("gzip", field).field("Content-Encoding"));
    }

    @Test
    void noTransform_leavesTheContentAlone() throws IOException {
        Response response = get("gzip", "X-Field: Cache-Control=public, No-Transform");
        assertNull(response.field("Content-Encoding"));
        assertEquals(10_000, response.body().length);
    }

    @Test
    void refusedIdentity_compressesSmallContentToo() throws IOException {
        Response response = get("gzip, identity;q=0", "X-Length: 10");
        assertEquals("gzip", response.field("Content-Encoding"));
    }

    @Test
    void vary_isNotSaidTwice() throws IOException {
        assertEquals(
                List.of("Origin, accept-encoding"),
                get("gzip", "X-Field: Vary=Origin, accept-encoding").all("Vary"));
        assertEquals(List.of("*"), get("gzip", "X-Field: Vary=*").all("Vary"));
        assertEquals(
                List.of("Origin", "Accept-Encoding"),
                get("gzip", "X-Field: Vary=Origin").all("Vary"));
    }

    @Test
    void http10_isNotCompressed() throws IOException {
        try (RawHttpClient client = server.client()) {
            client.send("GET / HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
            assertNull(client.response().field("Content-Encoding"));
        }
    }

    @Test
    void notModified_hasTheTagThatTheClientHas() throws IOException {
        String tag = "X-Field: ETag=\"a\"";
        Response weak = get("gzip", "X-Status: 304", tag, "If-None-Match: \"b\", W/\"a\"");
        assertEquals("W/\"a\"", weak.field("ETag"));
        assertEquals("Accept-Encoding", weak.field("Vary"));
        Response strong = get("gzip", "X-Status: 304", tag, "If-None-Match: \"a\"");
        assertEquals("\"a\"", strong.field("ETag"));
        assertEquals("Accept-Encoding", strong.field("Vary"));
    }
}
