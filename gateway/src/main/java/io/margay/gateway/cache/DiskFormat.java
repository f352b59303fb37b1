package io.margay.gateway.cache;

import io.margay.protocol.caching.Freshness;
import io.margay.protocol.caching.Vary;
import io.margay.protocol.http.FieldList;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/// How a stored response is written. Stateless.
///
/// ```
/// magic (4) | length of head (4) | length of content (4) | sum of head (8) | sum of content (8)
/// head: rule, key, by, status, fields, vary, freshness, for all
/// content
/// ```
final class DiskFormat {
    /// Bytes before the head.
    static final int PREFIX = 28;

    private static final int MAGIC = 0x4d435231; // "MCR1"
    private static final int HEAD_MAX = 1 << 20;
    private static final int COUNT_MAX = 10_000;

    private DiskFormat() {}

    /// What a file has said, without its content.
    ///
    /// @param rule by which it was kept
    /// @param offset where the content begins
    record Head(
            String rule, String key, StoredResponse response, int offset, int length, long sum) {}

    /// All of a file.
    static byte[] write(String rule, String key, StoredResponse response, byte[] content)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        text(out, rule);
        text(out, key);
        text(out, response.by());
        out.writeInt(response.status());
        FieldList fields = response.fields();
        out.writeInt(fields.size());
        for (int i = 0; i < fields.size(); i++) {
            text(out, fields.name(i));
            text(out, fields.value(i));
        }
        texts(out, response.vary().names());
        texts(out, response.vary().values());
        Freshness fresh = response.freshness();
        out.writeLong(fresh.bornSecond());
        out.writeLong(fresh.lifetime());
        out.writeLong(fresh.whileRevalidate());
        out.writeLong(fresh.ifError());
        out.writeBoolean(fresh.isValidated());
        out.writeBoolean(fresh.isBound());
        out.writeBoolean(response.isShared());
        byte[] head = bytes.toByteArray();
        ByteBuffer all = ByteBuffer.allocate(PREFIX + head.length + content.length);
        all.putInt(MAGIC).putInt(head.length).putInt(content.length);
        all.putLong(sum(head)).putLong(sum(content)).put(head).put(content);
        return all.array();
    }

    /// Reads one and checks it.
    ///
    /// @throws IOException when it is damaged
    static Head read(byte[] all) throws IOException {
        ByteBuffer prefix = ByteBuffer.wrap(all);
        if (all.length < PREFIX || prefix.getInt() != MAGIC) {
            throw new IOException("it does not begin as one");
        }
        int headLength = prefix.getInt();
        int length = prefix.getInt();
        long sumOfHead = prefix.getLong();
        long sum = prefix.getLong();
        boolean whole =
                headLength >= 0
                        && headLength <= HEAD_MAX
                        && length >= 0
                        && (long) PREFIX + headLength + length == all.length;
        if (!whole) {
            throw new IOException("it is cut off");
        }
        byte[] head = new byte[headLength];
        prefix.get(head);
        CRC32C content = new CRC32C();
        content.update(all, PREFIX + headLength, length);
        if (sum(head) != sumOfHead || content.getValue() != sum) {
            throw new IOException("its sum is another");
        }
        return head(new DataInputStream(new ByteArrayInputStream(head)), headLength, length, sum);
    }

    private static Head head(DataInputStream in, int headLength, int length, long sum)
            throws IOException {
        String rule = text(in);
        String key = text(in);
        String by = text(in);
        int status = in.readInt();
        FieldList fields = new FieldList();
        int count = count(in);
        for (int i = 0; i < count; i++) {
            fields.add(text(in), text(in));
        }
        Vary vary = new Vary(texts(in), texts(in));
        Freshness fresh =
                new Freshness(
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readBoolean(),
                        in.readBoolean());
        StoredResponse response =
                new StoredResponse(
                        by,
                        status,
                        fields,
                        new Content(null, length, null),
                        vary,
                        fresh,
                        in.readBoolean());
        return new Head(rule, key, response, PREFIX + headLength, length, sum);
    }

    private static long sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return sum.getValue();
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a text is cut off");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String one : texts) {
            text(out, one);
        }
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        int count = count(in);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text(in));
        }
        return texts;
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > COUNT_MAX) {
            throw new IOException("a number is too large");
        }
        return count;
    }
}
