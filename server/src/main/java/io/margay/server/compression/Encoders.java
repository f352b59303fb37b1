package io.margay.server.compression;

/// What encodes in which coding, as far as this machine has the libraries.
public final class Encoders {
    private Encoders() {}

    /// Whether this machine has what a coding needs.
    public static boolean isAvailable(Coding coding) {
        return switch (coding) {
            case BROTLI -> BrotliCodec.isThere();
            case ZSTD -> ZstdCodec.isThere();
            case GZIP -> true;
        };
    }

    /// An encoder of a coding, which is begun before its first use.
    static Encoder of(Coding coding) {
        return switch (coding) {
            case BROTLI -> new NativeEncoder(new BrotliCodec());
            case ZSTD -> new NativeEncoder(new ZstdCodec());
            case GZIP -> new GzipEncoder();
        };
    }
}
