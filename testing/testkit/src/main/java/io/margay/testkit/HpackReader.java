package io.margay.testkit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Reads the header blocks of one HTTP/2 connection (HPACK, RFC 7541), for test clients: bit by
/// bit, so that it shares neither code nor faults with the codec under test. Confined to one
/// thread.
public final class HpackReader {
    /// Appendix A: name and value, from index 1 on.
    private static final List<String> STATIC =
            """
            :authority:\s
            :method: GET
            :method: POST
            :path: /
            :path: /index.html
            :scheme: http
            :scheme: https
            :status: 200
            :status: 204
            :status: 206
            :status: 304
            :status: 400
            :status: 404
            :status: 500
            accept-charset:\s
            accept-encoding: gzip, deflate
            """
                    .lines()
                    .toList();

    /// The rest of it, without values.
    private static final List<String> STATIC_NAMES =
            List.of(
                    ("accept-language accept-ranges accept access-control-allow-origin age allow"
                                    + " authorization cache-control content-disposition"
                                    + " content-encoding content-language content-length"
                                    + " content-location content-range content-type cookie date"
                                    + " etag expect expires from host if-match if-modified-since"
                                    + " if-none-match if-range if-unmodified-since last-modified"
                                    + " link location max-forwards proxy-authenticate"
                                    + " proxy-authorization range referer refresh retry-after"
                                    + " server set-cookie strict-transport-security"
                                    + " transfer-encoding user-agent vary via www-authenticate")
                            .split(" "));

    private static final int STATIC_SIZE = STATIC.size() + STATIC_NAMES.size();

    /// Appendix B: the octets whose codes have 5 bits, 6 bits and so on, in hex. Codes of one
    /// length follow each other in the order of their octets, shorter codes come first.
    private static final String[] OCTETS = {
        "303132616365696f7374",
        "20252d2e2f333435363738393d415f62646667686c6d6e707275",
        "3a42434445464748494a4b4c4d4e4f5051525354555657596a6b71767778797a",
        "262a2c3b585a",
        "",
        "212228293f",
        "272b7c",
        "233e",
        "0024405b5d7e",
        "5e7d",
        "3c607b",
        "",
        "",
        "",
        "5cc3d0",
        "808283a2b8c2e0e2",
        "99a1a7acb0b1b3d1d8d9e3e5e6",
        "8184858688929a9ca0a3a4a9aaadb2b5b9babbbdbec4c6e4e8e9",
        "0187898a8b8c8d8f93959697989b9d9ea5a6a8aeafb4b6b7bcbfc5e7ef",
        "098e9091949fabced7e1eced",
        "c7cfeaeb",
        "c0c1c8c9cacdd2d5dadbeef0f2f3ff",
        "cbccd3d4d6dddedff1f4f5f6f7f8fafbfcfdfe",
        "020304050607080b0c0e0f1011121314151718191a1b1c1d1e1f7fdcf9",
        "",
        "0a0d16",
    };

    private static final int BITS_LEAST = 5;
    private static final int PADDING_BITS_MAX = 7;
    private static final int ENTRY_BYTES = 32;

    private record Field(String name, String value) {
        private int bytes() {
            return name.length() + value.length() + ENTRY_BYTES;
        }
    }

    /// The latest entry first.
    private final List<Field> table = new ArrayList<>();

    private final int tableBytesMax;
    private int tableBytes;
    private byte[] block = {};
    private int at;

    /// @param tableBytesMax the size of the table that was announced to the peer
    public HpackReader(int tableBytesMax) {
        this.tableBytesMax = tableBytesMax;
        tableBytes = tableBytesMax;
    }

    /// The fields of a block as `name: value`, octets as ISO 8859-1.
    ///
    /// @throws IOException if it is malformed
    public List<String> read(byte[] newBlock) throws IOException {
        block = newBlock;
        at = 0;
        List<String> fields = new ArrayList<>();
        while (at < block.length) {
            int first = block[at] & 0xff;
            if (first >= 0x80) {
                add(fields, entry(integer(7)));
            } else if (first >= 0x40) {
                Field field = literal(6);
                table.addFirst(field);
                evict();
                add(fields, field);
            } else if (first >= 0x20) {
                tableBytes = integer(5);
                require(tableBytes <= tableBytesMax && fields.isEmpty(), "a size update");
                evict();
            } else {
                add(fields, literal(4));
            }
        }
        return fields;
    }

    private static void add(List<String> fields, Field field) {
        fields.add(field.name + ": " + field.value);
    }

    private static void require(boolean well, String what) throws IOException {
        if (!well) {
            throw new IOException("malformed header block: " + what);
        }
    }

    private void evict() {
        while (table.stream().mapToInt(Field::bytes).sum() > tableBytes) {
            table.removeLast();
        }
    }

    private Field entry(int index) throws IOException {
        require(index > 0 && index <= STATIC_SIZE + table.size(), "index " + index);
        if (index > STATIC_SIZE) {
            return table.get(index - STATIC_SIZE - 1);
        }
        if (index > STATIC.size()) {
            return new Field(STATIC_NAMES.get(index - STATIC.size() - 1), "");
        }
        String[] parts = STATIC.get(index - 1).split(": ", 2);
        return new Field(parts[0], parts[1]);
    }

    private Field literal(int prefixBits) throws IOException {
        int name = integer(prefixBits);
        return new Field(name == 0 ? string() : entry(name).name, string());
    }

    private int octet() throws IOException {
        if (at == block.length) {
            throw new EOFException("malformed header block: it is cut off");
        }
        return block[at++] & 0xff;
    }

    private int integer(int prefixBits) throws IOException {
        int most = (1 << prefixBits) - 1;
        long value = octet() & most;
        if (value == most) {
            int shift = 0;
            int next;
            do {
                next = octet();
                value += (long) (next & 0x7f) << shift;
                shift += 7;
                require(value <= Integer.MAX_VALUE && shift <= 35, "a large integer");
            } while (next >= 0x80);
        }
        return (int) value;
    }

    private String string() throws IOException {
        boolean compressed = at < block.length && block[at] < 0;
        int length = integer(7);
        require(length <= block.length - at, "a string is cut off");
        at += length;
        return compressed
                ? huffman(at - length, at)
                : new String(block, at - length, length, StandardCharsets.ISO_8859_1);
    }

    private String huffman(int from, int to) throws IOException {
        StringBuilder text = new StringBuilder();
        int code = 0;
        int bits = 0;
        int firstCode = 0;
        for (int bit = from * 8; bit < to * 8; bit++) {
            code = (code << 1) | ((block[bit / 8] >> (7 - bit % 8)) & 1);
            bits++;
            if (bits < BITS_LEAST) {
                continue;
            }
            require(bits - BITS_LEAST < OCTETS.length, "the code of EOS");
            String octets = OCTETS[bits - BITS_LEAST];
            int count = octets.length() / 2;
            int index = code - firstCode;
            if (index < count) {
                text.append((char) HexFormat.fromHexDigits(octets, 2 * index, 2 * index + 2));
                code = 0;
                bits = 0;
                firstCode = 0;
            } else {
                firstCode = (firstCode + count) << 1;
            }
        }
        require(bits <= PADDING_BITS_MAX && code == (1 << bits) - 1, "padding");
        return text.toString();
    }
}
