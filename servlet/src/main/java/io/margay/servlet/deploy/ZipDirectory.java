package io.margay.servlet.deploy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// The table of contents of a ZIP file (APPNOTE 6.3 §4.3.12), read for what `java.util.zip` does
/// not tell: symbolic links, encryption, and every entry as it is written, duplicates included.
/// Immutable.
///
/// @param digest SHA-256 of the table of contents, which holds name, size and CRC of each entry,
///   and of the file's length: the identity of the archive's content
record ZipDirectory(List<Entry> entries, String digest) {
    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END64_LOCATOR_SIGNATURE = 0x07064b50;
    private static final int END64_SIGNATURE = 0x06064b50;
    private static final int ENTRY_SIGNATURE = 0x02014b50;
    private static final int END_BYTES = 22;
    private static final int LOCATOR_BYTES = 20;
    private static final int END64_BYTES = 56;
    private static final int ENTRY_BYTES = 46;
    private static final int COMMENT_BYTES_MAX = 65_535;
    private static final int UNIX = 3;
    private static final int MACOS = 19;
    private static final int TYPE_MASK = 0xf000;
    private static final int SYMLINK = 0xa000;
    private static final int REGULAR = 0x8000;
    private static final int FOLDER = 0x4000;

    /// @param compressedBytes 0xffffffff when a ZIP64 field holds it
    record Entry(
            String name, boolean encrypted, boolean link, boolean special, long compressedBytes) {
        boolean isFolder() {
            return name.endsWith("/");
        }
    }

    private record Place(long offset, long size, long count) {}

    /// @throws IOException when the file is no ZIP file, is damaged, or is beyond a limit
    static ZipDirectory read(Path file, WarLimits limits) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            Place place = place(channel);
            if (place.count() > limits.entriesMax()) {
                throw new IOException(
                        "it has "
                                + place.count()
                                + " entries, more than "
                                + limits.entriesMax()
                                + " (entriesMax)");
            }
            if (place.size() > limits.directoryBytesMax()) {
                throw new IOException(
                        "its table of contents has "
                                + place.size()
                                + " bytes, more than "
                                + limits.directoryBytesMax()
                                + " (directoryBytesMax)");
            }
            ByteBuffer table = bytes(channel, place.offset(), (int) place.size());
            String digest = digest(table, channel.size());
            List<Entry> entries = new ArrayList<>();
            while (table.remaining() >= ENTRY_BYTES
                    && table.getInt(table.position()) == ENTRY_SIGNATURE) {
                entries.add(entry(table));
                if (entries.size() > limits.entriesMax()) {
                    throw new IOException("it has more than " + limits.entriesMax() + " entries");
                }
            }
            if (entries.size() != place.count()) {
                throw new IOException(
                        "it announces " + place.count() + " entries and has " + entries.size());
            }
            return new ZipDirectory(List.copyOf(entries), digest);
        }
    }

    private static Place place(FileChannel channel) throws IOException {
        long size = channel.size();
        int tailBytes = (int) Math.min(size, END_BYTES + COMMENT_BYTES_MAX);
        ByteBuffer tail = bytes(channel, size - tailBytes, tailBytes);
        for (int at = tailBytes - END_BYTES; at >= 0; at--) {
            boolean end =
                    tail.getInt(at) == END_SIGNATURE
                            && at + END_BYTES + (tail.getShort(at + 20) & 0xffff) == tailBytes;
            if (end) {
                return place(channel, tail, at, size - tailBytes + at);
            }
        }
        throw new IOException("it is not a ZIP file, or was cut off: its end mark is missing");
    }

    private static Place place(FileChannel channel, ByteBuffer tail, int at, long endOffset)
            throws IOException {
        long count = tail.getShort(at + 10) & 0xffff;
        long size = tail.getInt(at + 12) & 0xffff_ffffL;
        long offset = tail.getInt(at + 16) & 0xffff_ffffL;
        boolean large = count == 0xffff || size == 0xffff_ffffL || offset == 0xffff_ffffL;
        long locatorOffset = endOffset - LOCATOR_BYTES;
        if (large && locatorOffset >= 0) {
            ByteBuffer locator = bytes(channel, locatorOffset, LOCATOR_BYTES);
            if (locator.getInt(0) == END64_LOCATOR_SIGNATURE) {
                long end64 = locator.getLong(8);
                if (end64 < 0 || end64 > channel.size() - END64_BYTES) {
                    throw new IOException("its ZIP64 end record lies outside the file");
                }
                ByteBuffer end = bytes(channel, end64, END64_BYTES);
                if (end.getInt(0) != END64_SIGNATURE) {
                    throw new IOException("its ZIP64 end record is damaged");
                }
                count = end.getLong(32);
                size = end.getLong(40);
                offset = end.getLong(48);
            }
        }
        if (size < 0 || offset < 0 || count < 0 || offset > endOffset - size) {
            throw new IOException("its table of contents lies outside the file");
        }
        return new Place(offset, size, count);
    }

    private static Entry entry(ByteBuffer table) throws IOException {
        int at = table.position();
        int madeBy = (table.getShort(at + 4) & 0xffff) >>> 8;
        int flags = table.getShort(at + 8) & 0xffff;
        long compressed = table.getInt(at + 20) & 0xffff_ffffL;
        int nameBytes = table.getShort(at + 28) & 0xffff;
        int extraBytes = table.getShort(at + 30) & 0xffff;
        int commentBytes = table.getShort(at + 32) & 0xffff;
        int type = (table.getInt(at + 38) >>> 16) & TYPE_MASK;
        int end = at + ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
        if (end > table.limit()) {
            throw new IOException("its table of contents is cut off");
        }
        ByteBuffer name = table.slice(at + ENTRY_BYTES, nameBytes);
        table.position(end);
        boolean unix = madeBy == UNIX || madeBy == MACOS;
        boolean unknown = type == 0 || type == TYPE_MASK; // Old builds write -1 for it.
        boolean special = !unknown && type != REGULAR && type != FOLDER && type != SYMLINK;
        return new Entry(
                text(name), (flags & 1) != 0, unix && type == SYMLINK, unix && special, compressed);
    }

    private static String text(ByteBuffer name) throws IOException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(name)
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IOException("the name of an entry is not UTF-8", e);
        }
    }

    private static ByteBuffer bytes(FileChannel channel, long offset, int length)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("it ends too early");
            }
        }
        return buffer.flip();
    }

    private static String digest(ByteBuffer table, long fileBytes) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(table.duplicate());
            sha.update(Long.toString(fileBytes).getBytes(StandardCharsets.US_ASCII));
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
