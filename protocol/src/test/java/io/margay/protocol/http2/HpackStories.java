package io.margay.protocol.http2;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Stories of header blocks as github.com/http2jp/hpack-test-case has them, and what becomes of
/// them here.
final class HpackStories {
    private static final Pattern TOKEN =
            Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"\\s*(:?)|(-?\\d+)|[\\[\\]{}]");

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))");

    /// A header block and the fields in it.
    record Case(String wire, List<String> fields) {}

    /// Blocks of one connection, and the largest table that its decoder has announced.
    record Story(int tableBytes, List<Case> cases) {}

    private HpackStories() {}

    static boolean decodes(Story story) {
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
    static boolean comesBack(Story story) {
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
    static Story read(Path file) throws IOException {
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
