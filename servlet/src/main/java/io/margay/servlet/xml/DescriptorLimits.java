package io.margay.servlet.xml;

/// Bounds of one descriptor file.
///
/// @param bytesMax size of the file; 16 MiB, far above what generators write
/// @param elementsMax number of elements; 200 000, so that a tree stays below some 50 MB
/// @param depthMax nesting; 32, the schema needs 6
public record DescriptorLimits(int bytesMax, int elementsMax, int depthMax) {
    public DescriptorLimits {
        if (bytesMax <= 0 || elementsMax <= 0 || depthMax <= 0) {
            throw new IllegalArgumentException("descriptor limits must be positive");
        }
    }

    public static DescriptorLimits defaults() {
        return new DescriptorLimits(16 << 20, 200_000, 32);
    }
}
