package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.protocol.http2.HpackStories.Case;
import io.margay.protocol.http2.HpackStories.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What [HpackStories] makes of a story, so that [HpackVectorsSoak] can be trusted.
final class HpackStoriesTest {
    @TempDir Path folder;

    @Test
    void story_ofOurOwn_isDecoded() throws IOException {
        Files.writeString(
                folder.resolve("story_00.json"),
                """
                {"cases": [
                  {"seqno": 0, "wire": "8286844109612e6578616d706c65",
                   "headers": [{":method": "GET"}, {":scheme": "http"}, {":path": "/"},
                               {":authority": "a.example"}]},
                  {"seqno": 1, "header_table_size": 4096, "wire": "82be4003782d790322715c",
                   "headers": [{":method": "GET"}, {":authority": "a.example"},
                               {"x-y": "\\"q\\\\"}]},
                  {"seqno": 2, "wire": "20823fe11f", "headers": [{":method": "GET"}]}
                ], "description": "three blocks"}
                """);
        Story story = HpackStories.read(folder.resolve("story_00.json"));
        assertEquals(3, story.cases().size());
        assertEquals("x-y: \"q\\", story.cases().get(1).fields().get(2));
        assertFalse(HpackStories.decodes(story), "a size update at the end of a block is none");
        assertTrue(HpackStories.decodes(new Story(4096, story.cases().subList(0, 2))));
        Case other = new Case("82", List.of(":method: POST"));
        assertFalse(HpackStories.decodes(new Story(4096, List.of(other))));
    }
}
