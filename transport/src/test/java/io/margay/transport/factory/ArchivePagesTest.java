package io.margay.transport.factory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.transport.factory.ArchivePages.Range;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Which mappings are given back.
final class ArchivePagesTest {
    private static String mapping(String first, int anonymousKib) {
        return """
        %s
        Size:              36452 kB
        Rss:               33252 kB
        Anonymous:         %5d kB
        AnonHugePages:         0 kB
        VmFlags: rd mr mw me ac
        """
                .formatted(first, anonymousKib);
    }

    private static List<Range> of(String... mappings) {
        return ArchivePages.of(String.join("", mappings).lines().toList());
    }

    @Test
    void archives_thatAreReadAlone_areGivenBack() {
        String at = "34f634896000-34f636c2f000 r--p 01896000 fe:00 5349759      ";
        assertEquals(
                List.of(new Range(0x34f634896000L, 0x2399000L)),
                of(
                        mapping("e0000000-e1800000 rw-p 00000000 00:00 0 ", 0),
                        mapping(at + "/var/cache/my servers/margay-339.aot", 0),
                        mapping("7f0000000000-7f0000001000 r--p 00000000 fe:00 7 /lib/x.so", 0)));
        assertEquals(1, of(mapping(at + "/srv/app.jsa", 0)).size());
    }

    @Test
    void whatWasWritten_orIsNoArchive_stays() {
        String range = "34f634896000-34f636c2f000";
        assertEquals(List.of(), of(mapping(range + " r--p 0 fe:00 5 /c/margay.aot", 4)));
        assertEquals(List.of(), of(mapping(range + " rw-p 0 fe:00 5 /c/margay.aot", 0)));
        assertEquals(List.of(), of(mapping(range + " r--s 0 fe:00 5 /c/margay.aot", 0)));
        assertEquals(List.of(), of(mapping(range + " r--p 0 fe:00 5 /c/margay.so", 0)));
        assertEquals(List.of(), of(mapping(range + " r--p 0 fe:00 5 /c/margay.aot (deleted)", 0)));
    }
}
