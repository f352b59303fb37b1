package io.margay.protocol.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Trace;
import io.margay.testkit.Vectors.Vector;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Random messages come back as they were sent; damaged ones are told apart without a failure. Each
/// test prints its seed when it fails.
class AjpRandomTest {
    private static final AjpLimits LIMITS = AjpLimits.defaults();
    private static final int ROUNDS = 2_000;
    private static final String TOKEN = "abcXYZ019-_.~!";
    private static final String VALUE = "abc XYZ,;=\"'()[]{}/\u00e4\u00ff";
    private static final List<String> METHODS =
            List.of("GET", "POST", "DELETE", "OPTIONS", "PATCH", "MKACTIVITY", "QUERY");

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private String text(String alphabet, int most) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(most + 1);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString().strip();
    }

    private AjpForwardRequest request() {
        String path = "/" + text(TOKEN, 20);
        String query = random.nextBoolean() ? text(TOKEN, 20) : null;
        String raw = query == null ? path : path + "?" + query;
        boolean secure = random.nextBoolean();
        RequestTarget target =
                new RequestTarget(
                        RequestTarget.Form.ORIGIN,
                        raw,
                        path,
                        query,
                        secure ? "https" : "http",
                        "www.example");
        long length = random.nextInt(3) == 0 ? -1 : random.nextInt(100_000);
        String framing = length < 0 ? "Transfer-Encoding: chunked" : "Content-Length: " + length;
        int colon = framing.indexOf(':');
        Fields.Builder fields =
                new Fields.Builder()
                        .add(framing.substring(0, colon), framing.substring(colon + 2))
                        .add("Host", "www.example");
        for (int i = random.nextInt(10); i > 0; i--) {
            fields.add(i % 2 == 0 ? "Cookie" : "x" + text(TOKEN, 10), text(VALUE, 30));
        }
        RequestHead head =
                new RequestHead(
                        METHODS.get(random.nextInt(METHODS.size())),
                        target,
                        HttpVersion.HTTP_1_1,
                        fields.build(),
                        length,
                        false,
                        true);
        AjpAttributes.Builder attributes = new AjpAttributes.Builder();
        for (int i = random.nextInt(4); i > 0; i--) {
            attributes.set("n" + i, text(VALUE, 10));
        }
        if (random.nextBoolean()) {
            attributes.set(AjpAttribute.SECRET, text(VALUE, 10)).keyBits(random.nextInt(65536));
        }
        return new AjpForwardRequest(
                head,
                "10.0.0." + random.nextInt(256),
                random.nextBoolean() ? null : "client",
                "server",
                random.nextInt(65536),
                secure,
                attributes.build());
    }

    private static List<String> told(byte[] packet) {
        return CutEverywhere.run(new ContainerReceiver(LIMITS), packet, packet.length);
    }

    @Test
    void request_random_isEncodedAgainAsItWasDecoded() {
        byte[] first = new byte[8192];
        byte[] second = new byte[8192];
        AjpRequestDecoder decoder = new AjpRequestDecoder(LIMITS);
        for (int i = 0; i < ROUNDS; i++) {
            AjpForwardRequest request = request();
            int end = AjpRequestEncoder.encodeRequest(first, 0, LIMITS, request);
            assertEquals(
                    AjpRequestDecoder.Result.REQUEST,
                    decoder.decode(first, 0, end),
                    () -> "seed " + seed);
            AjpForwardRequest decoded = decoder.request();
            assertEquals(request.head().method(), decoded.head().method(), () -> "seed " + seed);
            assertEquals(request.head().target(), decoded.head().target(), () -> "seed " + seed);
            assertEquals(
                    request.head().fields().toString(),
                    decoded.head().fields().toString(),
                    () -> "seed " + seed);
            int again = AjpRequestEncoder.encodeRequest(second, 0, LIMITS, decoded);
            assertTrue(Arrays.equals(first, 0, end, second, 0, again), () -> "seed " + seed);
        }
    }

    @Test
    void response_random_isDecodedAsItWasEncoded() {
        byte[] packet = new byte[8192];
        AjpResponseDecoder decoder = new AjpResponseDecoder(LIMITS);
        for (int i = 0; i < ROUNDS; i++) {
            FieldList fields = new FieldList();
            for (int k = random.nextInt(10); k > 0; k--) {
                fields.add(k % 2 == 0 ? "Set-Cookie" : "x" + text(TOKEN, 10), text(VALUE, 30));
            }
            int status = 200 + random.nextInt(400);
            int end = AjpResponseEncoder.encodeHead(packet, 0, LIMITS, status, fields, -1);
            decoder.reset(false);
            assertEquals(
                    AjpResponseDecoder.Result.HEAD,
                    decoder.decode(packet, 0, end),
                    () -> "seed " + seed);
            assertEquals(status, decoder.head().status());
            assertEquals(
                    fields.toString(), decoder.head().fields().toString(), () -> "seed " + seed);
        }
    }

    /// One octet changed, or a piece lost: whatever it is taken for, no field is read beyond its
    /// packet and nothing is thrown.
    @Test
    void packet_damaged_isJudgedWithoutFailure() {
        List<byte[]> good =
                Stream.of("request-good", "response-good")
                        .flatMap(AjpVectorsTest::load)
                        .map(Vector::input)
                        .map(PacketText::assemble)
                        .toList();
        for (int i = 0; i < ROUNDS * 10; i++) {
            byte[] packet = good.get(random.nextInt(good.size())).clone();
            for (int k = 1 + random.nextInt(3); k > 0; k--) {
                packet[random.nextInt(packet.length)] = (byte) random.nextInt(256);
            }
            byte[] cut = Arrays.copyOf(packet, 1 + random.nextInt(packet.length));
            assertTrue(told(cut) != null, () -> "seed " + seed);
            List<String> trace =
                    CutEverywhere.run(new FrontEndReceiver(LIMITS, false), cut, cut.length);
            assertTrue(trace != null, () -> "seed " + seed);
        }
    }

    @Test
    void noise_afterAMagic_isJudgedWithoutFailure() {
        for (int i = 0; i < ROUNDS; i++) {
            byte[] noise = new byte[64];
            random.nextBytes(noise);
            noise[0] = 0x12;
            noise[1] = 0x34;
            noise[2] = 0;
            noise[3] = 60;
            noise[4] = 2;
            Trace trace = new Trace();
            new ContainerReceiver(LIMITS).receive(noise, 0, noise.length, trace);
            String text = trace.toString();
            assertTrue(
                    text.startsWith("error") || text.startsWith("refused"),
                    () -> "seed " + seed + ": " + text);
        }
    }
}
