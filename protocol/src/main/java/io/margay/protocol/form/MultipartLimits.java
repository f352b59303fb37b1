package io.margay.protocol.form;

/// How much a multipart body may have beside its content.
///
/// @param partsMax parts; over it 413
/// @param partHeaderBytesMax bytes of the fields of one part, line ends included; over it 413
public record MultipartLimits(int partsMax, int partHeaderBytesMax) {
    public MultipartLimits {
        if (partsMax < 1 || partHeaderBytesMax < 64) {
            throw new IllegalArgumentException(
                    "parts " + partsMax + ", bytes " + partHeaderBytesMax);
        }
    }

    /// The defaults, which are Tomcat's: 50 parts with 512 bytes of fields each.
    public static MultipartLimits defaults() {
        return new MultipartLimits(50, 512);
    }
}
