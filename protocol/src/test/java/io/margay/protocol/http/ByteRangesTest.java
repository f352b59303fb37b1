package io.margay.protocol.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http.ByteRanges.Kind;
import io.margay.protocol.http.ByteRanges.Range;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteRangesTest {
    private static String read(String value, long total) {
        ByteRanges ranges = ByteRanges.of(value, total);
        return ranges.kind() == Kind.PARTIAL
                ? ranges.ranges().stream()
                        .map(r -> r.first() + "-" + r.last())
                        .collect(Collectors.joining(" "))
                : ranges.kind().toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bytes=0-0                    | 0-0
                    bytes=0-99                   | 0-99
                    Bytes = 5-                   | 5-99
                    bytes=-5                     | 95-99
                    bytes=-500                   | 0-99
                    bytes=90-500                 | 90-99
                    bytes=0-9223372036854775807  | 0-99
                    bytes=0-99999999999999999999 | 0-99
                    bytes=-99999999999999999999  | 0-99
                    bytes=0-1,5-6                | 0-1 5-6
                    bytes= 5-6 , 0-1 ,           | 0-1 5-6
                    bytes=0-5,3-9                | 0-9
                    bytes=0-4,5-9                | 0-9
                    bytes=0-99,1-1,2-2           | 0-99
                    bytes=200-300,1-1            | 1-1
                    bytes=100-                   | UNSATISFIABLE
                    bytes=100-200                | UNSATISFIABLE
                    bytes=-0                     | UNSATISFIABLE
                    bytes=99999999999999999999-  | UNSATISFIABLE
                    bytes=5-4                    | WHOLE
                    bytes=                       | WHOLE
                    bytes=-                      | WHOLE
                    bytes=a-b                    | WHOLE
                    bytes=1                      | WHOLE
                    bytes=1-2-3                  | WHOLE
                    bytes=+1-2                   | WHOLE
                    bytes=1 - 2                  | WHOLE
                    bytes=0x1-2                  | WHOLE
                    lines=1-2                    | WHOLE
                    1-2                          | WHOLE
                    """)
    void range_ofHundredBytes(String value, String expected) {
        assertEquals(expected, read(value, 100));
    }

    @Test
    void range_ofNothing_isUnsatisfiable() {
        assertEquals("UNSATISFIABLE", read("bytes=0-", 0));
        assertEquals("UNSATISFIABLE", read("bytes=-1", 0));
    }

    @Test
    void cve_2011_3192_manyRanges_areIgnored() {
        String ten =
                IntStream.range(0, 10)
                        .mapToObj(i -> 5 * i + "-" + 5 * i)
                        .collect(Collectors.joining(","));
        assertEquals(10, ByteRanges.of("bytes=" + ten, 100).ranges().size());
        assertEquals(Kind.WHOLE, ByteRanges.of("bytes=" + ten + ",99-99", 100).kind());
    }

    @Test
    void cve_2017_7529_suffixLargerThanTheFile_isTheWholeFile() {
        assertEquals("0-99", read("bytes=-9223372036854775807,-9223372036854775800", 100));
    }

    @Test
    void contentRange_tellsTheTotal() {
        assertEquals("bytes 5-9/100", new Range(5, 9).contentRange(100));
        assertEquals(5, new Range(5, 9).length());
    }

    @Test
    void ranges_random_areAscendingApartAndWithin() {
        long seed = System.nanoTime();
        System.out.println("ByteRangesTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 5000; i++) {
            long total = random.nextInt(50);
            StringBuilder value = new StringBuilder("bytes=");
            boolean[] wanted = new boolean[(int) total];
            int count = 1 + random.nextInt(9);
            for (int k = 0; k < count; k++) {
                int first = random.nextInt(60);
                int last = first + random.nextInt(20);
                value.append(k == 0 ? "" : ",").append(first).append('-').append(last);
                for (int b = first; b <= last && b < total; b++) {
                    wanted[b] = true;
                }
            }
            boolean[] given = new boolean[(int) total];
            long previous = -2;
            for (Range range : ByteRanges.of(value.toString(), total).ranges()) {
                assertTrue(range.first() > previous + 1, "seed " + seed + " " + value);
                previous = range.last();
                for (long b = range.first(); b <= range.last(); b++) {
                    given[(int) b] = true;
                }
            }
            org.junit.jupiter.api.Assertions.assertArrayEquals(
                    wanted, given, "seed " + seed + " " + value);
        }
    }
}
