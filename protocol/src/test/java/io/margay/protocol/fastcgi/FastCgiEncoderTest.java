package io.margay.protocol.fastcgi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FastCgiEncoderTest {
    private static final FastCgiLimits LIMITS = new FastCgiLimits(32_768, 100, 1 << 20, 1000);

    private final byte[] target = new byte[300_000];

    @Test
    void request_isTheSpecifiedRecords() {
        FastCgiParameters parameters =
                new FastCgiParameters.Builder().add("A", "bc").add("D", "").build();
        int end = FastCgiRequestEncoder.encodeRequest(target, 0, true, parameters);
        assertEquals(FastCgiRequestEncoder.requestBytes(parameters), end);
        assertArrayEquals(
                RecordText.assemble("1( 0001 01 00 00000000 ) 4( 01 02 'Abc' 01 00 'D' ) 4( )"),
                Arrays.copyOf(target, end));
    }

    @Test
    void smallRecords_areTheSpecifiedOnes() {
        int end = FastCgiRequestEncoder.encodeDataPrefix(target, 0, 258);
        assertArrayEquals(new byte[] {1, 5, 0, 1, 1, 2, 0, 0}, Arrays.copyOf(target, end));
        end = FastCgiRequestEncoder.encodeDataEnd(target, 0);
        assertArrayEquals(RecordText.assemble("5( )"), Arrays.copyOf(target, end));
        end = FastCgiResponseEncoder.encodeOutputPrefix(target, 0, 0);
        end = FastCgiResponseEncoder.encodeLogPrefix(target, end, 0);
        end = FastCgiResponseEncoder.encodeEnd(target, end, 7, true);
        assertArrayEquals(
                RecordText.assemble("6( ) 7( ) 3( 00000007 02 000000 )"),
                Arrays.copyOf(target, end));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void recordLength_outOfRange_isRefused(int length) {
        assertThrows(
                IllegalArgumentException.class,
                () -> FastCgiRequestEncoder.encodeDataPrefix(target, 0, length));
        assertThrows(
                IllegalArgumentException.class,
                () -> FastCgiResponseEncoder.encodeOutputPrefix(target, 0, length));
    }

    @Test
    void records_withoutRoom_areFull() {
        byte[] none = new byte[7];
        FastCgiParameters parameters = new FastCgiParameters.Builder().build();
        assertEquals(-1, FastCgiRequestEncoder.encodeRequest(none, 0, true, parameters));
        assertEquals(-1, FastCgiRequestEncoder.encodeDataEnd(none, 0));
        assertEquals(-1, FastCgiResponseEncoder.encodeEnd(none, 0, 0, false));
        assertEquals(-1, FastCgiResponseEncoder.encodeLogPrefix(none, 0, 1));
    }

    @Test
    void parameters_ofEveryLength_areTakenByTheOtherSide() {
        FastCgiParameters.Builder builder = new FastCgiParameters.Builder();
        for (int length : new int[] {0, 1, 127, 128, 255, 256, 65_535, 65_536, 70_000}) {
            builder.add("N" + length, "v".repeat(length));
        }
        builder.add("n".repeat(200), "\u00e9");
        FastCgiParameters parameters = builder.build();
        int end = FastCgiRequestEncoder.encodeRequest(target, 0, false, parameters);
        FastCgiRequestDecoder decoder = new FastCgiRequestDecoder(LIMITS);
        assertEquals(FastCgiRequestDecoder.Result.REQUEST, decoder.decode(target, 0, end));
        assertEquals(end, decoder.consumed());
        assertFalse(decoder.keep());
        assertEquals(parameters.toMap(), decoder.parameters());
        assertEquals(70_000, decoder.parameters().get("N70000").length());
    }

    @Test
    void responses_atRandom_areTakenByTheOtherSide() {
        long seed = 20_261_121;
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            byte[] content = new byte[random.nextInt(5000)];
            random.nextBytes(content);
            int end = response(content, random);
            FastCgiResponseDecoder decoder = new FastCgiResponseDecoder(LIMITS);
            decoder.reset(false);
            byte[] got = received(decoder, end, random);
            assertArrayEquals(content, got, "seed " + seed + " round " + round);
        }
    }

    private int response(byte[] content, Random random) {
        byte[] head =
                "Content-Type: x/y\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        byte[] output = Arrays.copyOf(head, head.length + content.length);
        System.arraycopy(content, 0, output, head.length, content.length);
        int end = 0;
        int done = 0;
        while (done < output.length) {
            int count = Math.min(output.length - done, 1 + random.nextInt(2000));
            end = FastCgiResponseEncoder.encodeOutputPrefix(target, end, count);
            System.arraycopy(output, done, target, end, count);
            end += count;
            done += count;
        }
        end = FastCgiResponseEncoder.encodeOutputPrefix(target, end, 0);
        return FastCgiResponseEncoder.encodeEnd(target, end, 0, false);
    }

    private byte[] received(FastCgiResponseDecoder decoder, int end, Random random) {
        var content = new java.io.ByteArrayOutputStream();
        int from = 0;
        int to = 0;
        while (true) {
            switch (decoder.decode(target, from, to)) {
                case NEED_MORE -> {
                    assertTrue(to < end, "the response is whole");
                    to = Math.min(end, to + 1 + random.nextInt(3000));
                }
                case DATA ->
                        content.write(
                                target, decoder.dataFrom(), decoder.dataTo() - decoder.dataFrom());
                case END -> {
                    return content.toByteArray();
                }
                case HEAD -> assertEquals(200, decoder.head().status());
                default -> throw new AssertionError("unexpected");
            }
            from = decoder.consumed();
        }
    }

    @Test
    void toString_namesParametersWithoutTheirValues() {
        String text =
                new FastCgiParameters.Builder()
                        .add("HTTP_AUTHORIZATION", "Basic x")
                        .build()
                        .toString();
        assertTrue(text.contains("HTTP_AUTHORIZATION") && !text.contains("Basic"));
        assertEquals(Map.of(), new FastCgiParameters.Builder().build().toMap());
    }
}
