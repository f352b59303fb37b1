package io.margay.server.compression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeptContentsTest {
    private static final int LEVEL = 5;
    private static final int BYTES_MAX = 16_000;

    private final KeptContents contents = new KeptContents(BYTES_MAX);

    private byte[] keep(byte[] content, Coding coding, int level) {
        byte[] encoded = new byte[100];
        contents.keep(content, coding, level, encoded);
        return encoded;
    }

    @Test
    void encodedForm_isThatOfTheArrayTheCodingAndTheLevel() {
        byte[] content = new byte[10];
        byte[] gzip = keep(content, Coding.GZIP, LEVEL);
        assertSame(gzip, contents.find(content, Coding.GZIP, LEVEL));
        assertNull(contents.find(content, Coding.BROTLI, LEVEL));
        assertNull(contents.find(content, Coding.GZIP, LEVEL + 1));
        assertNull(contents.find(new byte[10], Coding.GZIP, LEVEL), "an equal array");
    }

    @Test
    void bytes_remainBelowTheLimit_andTheLatestIsThere() {
        List<byte[]> alive = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            byte[] content = new byte[1];
            alive.add(content);
            byte[] encoded = keep(content, Coding.GZIP, LEVEL);
            assertTrue(contents.bytes() <= BYTES_MAX, contents.bytes() + " bytes");
            assertSame(encoded, contents.find(content, Coding.GZIP, LEVEL));
        }
        long held =
                alive.stream()
                        .filter(each -> contents.find(each, Coding.GZIP, LEVEL) != null)
                        .count();
        assertEquals(contents.bytes(), held * 100);
    }

    @Test
    void encodedForm_thatIsMuchOfAll_isNotKept() {
        byte[] content = new byte[1];
        contents.keep(content, Coding.GZIP, LEVEL, new byte[BYTES_MAX / 16 + 1]);
        assertNull(contents.find(content, Coding.GZIP, LEVEL));
        assertEquals(0, contents.bytes());
    }
}
