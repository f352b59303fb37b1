package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.HpackStories.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Header compression against what other encoders have written, from the folder that
/// `margay.hpack.vectors` names: `make hpack-vectors`.
final class HpackVectorsSoak {
    @Test
    void stories_ofOtherEncoders_areDecoded() throws IOException {
        Path root = Path.of(System.getProperty("margay.hpack.vectors"));
        int stories = 0;
        List<String> failed = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                Story story = HpackStories.read(file);
                stories++;
                boolean raw = story.cases().stream().allMatch(one -> one.wire().isEmpty());
                if (!(raw || HpackStories.decodes(story)) || !HpackStories.comesBack(story)) {
                    failed.add(root.relativize(file).toString());
                }
            }
        }
        assertEquals(List.of(), failed);
        assertTrue(stories > 0, "no story in " + root);
    }
}
