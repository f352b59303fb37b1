package io.margay.protocol.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Header compression against what other encoders have written: stories of header blocks as
/// github.com/http2jp/hpack-test-case has them, from a folder that `margay.hpack.vectors` names.
final class HpackVectorsTest {
    private static final Pattern TOKEN =
            Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"\\s*(:?)|(-?\\d+)|[\\[\\]{}]");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))");

    /// A header block and the fields in it.
    private record Case(String wire, List<String> fields) {}

    /// Blocks of one connection, and the largest table that its decoder has announced.
    private record Story(int tableBytes, List<Case> cases) {}

    @TempDir Path folder;

    /// What the reader of stories makes of one, so that the real ones can be trusted.
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
        Story story = read(folder.resolve("story_00.json"));
        assertEquals(3, story.cases().size());
        assertEquals("x-y: \"q\\", story.cases().get(1).fields().get(2));
        assertFalse(decodes(story), "a size update at the end of a block is none");
        assertTrue(decodes(new Story(4096, story.cases().subList(0, 2))));
        Case other = new Case("82", List.of(":method: POST"));
        assertFalse(decodes(new Story(4096, List.of(other))));
    }

    @Test
    @EnabledIfSystemProperty(named = "margay.hpack.vectors", matches = ".+")
    void stories_ofOtherEncoders_areDecoded() throws IOException {
        Path root = Path.of(System.getProperty("margay.hpack.vectors"));
        int stories = 0;
        List<String> failed = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
                Story story = read(file);
                stories++;
                boolean raw = story.cases().stream().allMatch(one -> one.wire().isEmpty());
                if (!(raw || decodes(story)) || !comesBack(story)) {
                    failed.add(root.relativize(file).toString());
                }
            }
        }
        assertEquals(List.of(), failed);
        assertTrue(stories > 0, "no story in " + root);
    }

    private static boolean decodes(Story story) {
        HpackDecoder decoder = new HpackDecoder(story.tableBytes());
        for (Case one : story.cases()) {
            byte[] block = HexFormat.of().parseHex(one.wire());
            List<String> seen = new ArrayList<>();
            if (!decoder.decode(block, 0, block.length, into(seen)) || !seen.equals(one.fields())) {
                return false;
            }
        }
        return true;
    }

    /// Whether our encoder's blocks of the same fields give the same.
    private static boolean comesBack(Story story) {
        HpackEncoder encoder = new HpackEncoder();
        HpackDecoder decoder = new HpackDecoder(4096);
        for (Case one : story.cases()) {
            Http2Buffer out = new Http2Buffer();
            encoder.begin(out);
            for (String field : one.fields()) {
                int colon = field.indexOf(": ", 1);
                encoder.field(out, field.substring(0, colon), field.substring(colon + 2));
            }
            List<String> seen = new ArrayList<>();
            if (!decoder.decode(out.array(), 0, out.size(), into(seen))
                    || !seen.equals(one.fields())) {
                return false;
            }
        }
        return true;
    }

    private static HpackDecoder.Sink into(List<String> seen) {
        return (name, nf, nt, value, vf, vt) ->
                seen.add(
                        new String(name, nf, nt - nf, StandardCharsets.ISO_8859_1)
                                + ": "
                                + new String(value, vf, vt - vf, StandardCharsets.ISO_8859_1));
    }

    private static String plain(String escaped) {
        return ESCAPE.matcher(escaped)
                .replaceAll(found ->
                        Matcher.quoteReplacement(
                                found.group(1) == null
                                        ? found.group(2)
                                        : Character.toString(
                                                Integer.parseInt(found.group(1), 16))));
    }

    /// Reads as much of JSON as stories have.
    private static Story read(Path file) throws IOException {
        List<Case> cases = new ArrayList<>();
        int tableBytes = 4096;
        String wire = "";
        String key = "";
        List<String> fields = new ArrayList<>();
        int depth = 0;
        Matcher tokens = TOKEN.matcher(Files.readString(file));
        while (tokens.find()) {
            String token = tokens.group();
            switch (token) {
                case "{", "[" -> depth++;
                case "}", "]" -> {
                    // The file, its cases, one of them.
                    if (depth-- == 3) {
                        cases.add(new Case(wire, fields));
                        wire = "";
                        fields = new ArrayList<>();
                    }
                }
                default -> {
                    String text = tokens.group(1);
                    if (text == null) {
                        boolean size = key.equals("header_table_size");
                        tableBytes =
                                size ? Math.max(tableBytes, Integer.parseInt(token)) : tableBytes;
                    } else if (!tokens.group(2).isEmpty()) {
                        key = text;
                    } else if (depth == 5) {
                        fields.add(key + ": " + plain(text));
                    } else if (key.equals("wire")) {
                        wire = text;
                    }
                }
            }
        }
        return new Story(tableBytes, cases);
    }
}
