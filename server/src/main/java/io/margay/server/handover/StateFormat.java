package io.margay.server.handover;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/// Several states in one file. Stateless.
///
/// ```
/// "MGYSTAT1" | milliseconds since 1970 (8) | number (4) | name (UTF) | length (4) | section | …
/// | CRC-32C of all before (8)
/// ```
public final class StateFormat {
    private static final byte[] MAGIC = "MGYSTAT1".getBytes(StandardCharsets.US_ASCII);

    private StateFormat() {}

    /// What a file holds.
    ///
    /// @param millis since 1970, when it was written
    public record Content(long millis, Map<String, byte[]> sections) {}

    /// Writes sections by name.
    public static void write(OutputStream to, Content content) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(to, new CRC32C());
        DataOutputStream out = new DataOutputStream(checked);
        out.write(MAGIC);
        out.writeLong(content.millis());
        out.writeInt(content.sections().size());
        for (Map.Entry<String, byte[]> each : content.sections().entrySet()) {
            out.writeUTF(each.getKey());
            out.writeInt(each.getValue().length);
            out.write(each.getValue());
        }
        out.flush();
        out.writeLong(checked.getChecksum().getValue());
        out.flush();
    }

    /// Reads them.
    ///
    /// @throws IOException when it is no such file, or a damaged one
    public static Content read(InputStream from, StateLimits limits) throws IOException {
        CheckedInputStream checked = new CheckedInputStream(from, new CRC32C());
        DataInputStream in = new DataInputStream(checked);
        if (!Arrays.equals(in.readNBytes(MAGIC.length), MAGIC)) {
            throw new IOException("it has another format");
        }
        long millis = in.readLong();
        int count = in.readInt();
        if (count < 0 || count > limits.sectionsMax()) {
            throw new IOException("it has " + count + " sections");
        }
        Map<String, byte[]> sections = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = in.readUTF();
            int length = in.readInt();
            if (length < 0 || length > limits.sectionBytesMax()) {
                throw new IOException("a section has " + length + " bytes");
            }
            byte[] section = in.readNBytes(length);
            if (section.length < length) {
                throw new IOException("it is cut off");
            }
            sections.put(name, section);
        }
        long sum = checked.getChecksum().getValue();
        if (in.readLong() != sum) {
            throw new IOException("its checksum is wrong");
        }
        return new Content(millis, sections);
    }
}
