package io.margay.compat.tomcat.javax;

/// Bounds of the conversion of javax applications.
///
/// @param fileBytesMax a class, page or descriptor that is converted in memory; larger ones are
///   left as they are; 64 MiB (the largest classes reach 1 MiB, generated texts 10)
/// @param libraryBytesMax all entries of one library, unpacked; beyond it the application is
///   refused; 2 GiB, so that a hostile archive fills neither disk nor time
/// @param storeBytesMax converted libraries that are kept although no application uses them; the
///   oldest are deleted beyond it; 1 GiB
public record ConversionLimits(long fileBytesMax, long libraryBytesMax, long storeBytesMax) {
    public ConversionLimits {
        if (fileBytesMax <= 0
                || fileBytesMax > Integer.MAX_VALUE - 16
                || libraryBytesMax <= 0
                || storeBytesMax < 0) {
            throw new IllegalArgumentException("limits of a conversion must be positive");
        }
    }

    public static ConversionLimits defaults() {
        return new ConversionLimits(64L << 20, 2L << 30, 1L << 30);
    }
}
