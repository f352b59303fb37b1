package io.margay.lab.load;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/// The latencies of one or several rounds, as [LoadResult#latency] holds them. Immutable.
public final class Latency {
    private final Histogram histogram;

    private Latency(Histogram histogram) {
        this.histogram = histogram;
    }

    /// The sum of encoded histograms.
    ///
    /// @throws IllegalArgumentException if one is damaged
    public static Latency of(List<String> encoded) {
        Histogram sum = new Histogram(3);
        for (String text : encoded) {
            if (text.isEmpty()) {
                continue;
            }
            try {
                sum.add(
                        Histogram.decodeFromCompressedByteBuffer(
                                ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0));
            } catch (DataFormatException | RuntimeException e) {
                throw new IllegalArgumentException("a damaged histogram: " + e.getMessage(), e);
            }
        }
        return new Latency(sum);
    }

    public double percentileMillis(double percentile) {
        return histogram.getTotalCount() == 0
                ? 0
                : histogram.getValueAtPercentile(percentile) / 1e6;
    }

    public double meanMillis() {
        return histogram.getTotalCount() == 0 ? 0 : histogram.getMean() / 1e6;
    }

    /// The same as text again, with so many significant digits; nothing for no latency at all.
    public String encoded(int digits) {
        if (histogram.getTotalCount() == 0) {
            return "";
        }
        Histogram coarse = new Histogram(histogram.getMaxValue() * 2 + 2, digits);
        coarse.add(histogram);
        return encoded(coarse);
    }

    public static String encoded(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
