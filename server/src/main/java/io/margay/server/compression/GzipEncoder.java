package io.margay.server.compression;

import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// The coding `gzip` (RFC 1952), by the JDK's zlib. Used by one thread at a time.
final class GzipEncoder implements Encoder {
    /// No name, no time, and no word on the system it was made on.
    private static final byte[] HEADER = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private static final int TRAILER_BYTES = 8;

    private final Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    private final CRC32 checksum = new CRC32();
    private boolean begun;
    private boolean more;

    @Override
    public void begin(int level) {
        deflater.reset();
        deflater.setLevel(level);
        checksum.reset();
        begun = false;
        more = false;
    }

    @Override
    public void input(byte[] source, int offset, int length) {
        checksum.update(source, offset, length);
        deflater.setInput(source, offset, length);
    }

    @Override
    public int output(byte[] target, int offset, int length, Flush flush) {
        int at = offset;
        if (!begun) {
            begun = true;
            System.arraycopy(HEADER, 0, target, at, HEADER.length);
            at += HEADER.length;
        }
        if (flush == Flush.END) {
            deflater.finish();
        }
        int mode = flush == Flush.CONTENT ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH;
        int end = offset + length - TRAILER_BYTES;
        do { // A change of the level takes a call, in which no input is taken.
            at += deflater.deflate(target, at, end - at, mode);
        } while (at < end && !deflater.needsInput());
        more = flush == Flush.END ? !deflater.finished() : at == end;
        if (flush == Flush.END && !more) {
            at = little(target, at, (int) checksum.getValue());
            at = little(target, at, (int) deflater.getBytesRead());
        }
        return at - offset;
    }

    @Override
    public boolean hasMore() {
        return more;
    }

    private static int little(byte[] target, int at, int value) {
        for (int i = 0; i < 4; i++) {
            target[at + i] = (byte) (value >>> (8 * i));
        }
        return at + 4;
    }

    @Override
    public void close() {
        deflater.end();
    }
}
