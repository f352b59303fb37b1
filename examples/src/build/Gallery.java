import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/// Draws the 66 images of the `pages` example and the page that shows them.
///
/// Run by the build as a single-file program: `java Gallery.java FOLDER`. The images are PNG files
/// of 1 to 20 KiB. The seed is fixed and the pixels are stored uncompressed, so that every build on
/// every machine makes the same bytes.
final class Gallery {
    private static final int IMAGES = 66;
    private static final int BYTES_MIN = 1024;
    private static final int BYTES_MAX = 20 * 1024;
    private static final int COLOURS = 64;
    private static final long SEED = 66;

    /// Room for everything but the pixels: signature, header, palette, chunk frames, zlib framing.
    private static final int OVERHEAD_BYTES = 8 + 25 + (12 + 3 * COLOURS) + 12 + 11 + 12;

    private Gallery() {}

    public static void main(String[] args) throws IOException {
        Path folder = Path.of(args[0]);
        Path images = Files.createDirectories(folder.resolve("images"));
        var page = new StringBuilder(PAGE_START);
        var random = new SplittableRandom(SEED);
        for (int i = 0; i < IMAGES; i++) {
            int target = BYTES_MIN + (BYTES_MAX - BYTES_MIN) * i / (IMAGES - 1);
            int pixels = target - OVERHEAD_BYTES;
            int height = Math.max(1, (int) Math.sqrt(pixels * 3 / 4.0));
            // One filter byte per line; rounded up, so that the smallest is not below its bound.
            int width = i == 0 ? pixels / height : pixels / height - 1;
            byte[] png = png(width, height, random);
            if (png.length < BYTES_MIN || png.length > BYTES_MAX) {
                throw new IllegalStateException("image " + i + " has " + png.length + " bytes");
            }
            String name = "image-%02d.png".formatted(i + 1);
            write(images.resolve(name), png);
            page.append(
                    "<img src=\"images/%s\" width=\"%d\" height=\"%d\" alt=\"\">\n"
                            .formatted(name, width, height));
        }
        page.append(PAGE_END);
        write(folder.resolve("gallery.html"), page.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Leaves a file that is right already untouched, and with it its date.
    private static void write(Path file, byte[] bytes) throws IOException {
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), bytes)) {
            Files.write(file, bytes);
        }
    }

    private static byte[] png(int width, int height, SplittableRandom random) throws IOException {
        var header = new ByteArrayOutputStream();
        var out = new DataOutputStream(header);
        out.writeInt(width);
        out.writeInt(height);
        out.write(
                new byte[] {8, 3, 0, 0, 0}); // 8 bits, palette, deflate, no filter, not interlaced
        var png = new ByteArrayOutputStream();
        png.writeBytes(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'});
        chunk(png, "IHDR", header.toByteArray());
        chunk(png, "PLTE", palette(random));
        chunk(png, "IDAT", stored(waves(width, height, random)));
        chunk(png, "IEND", new byte[0]);
        return png.toByteArray();
    }

    /// A ramp between two random colours.
    private static byte[] palette(SplittableRandom random) {
        int[] from = {random.nextInt(256), random.nextInt(256), random.nextInt(256)};
        int[] to = {random.nextInt(256), random.nextInt(256), random.nextInt(256)};
        byte[] palette = new byte[3 * COLOURS];
        for (int i = 0; i < palette.length; i++) {
            int step = i / 3;
            palette[i] = (byte) (from[i % 3] + (to[i % 3] - from[i % 3]) * step / (COLOURS - 1));
        }
        return palette;
    }

    /// Lines of palette indexes, each after a filter byte of 0: three overlaid waves.
    private static byte[] waves(int width, int height, SplittableRandom random) {
        double[] phases = {random.nextDouble(6.3), random.nextDouble(6.3), random.nextDouble(6.3)};
        double pitch = 0.05 + random.nextDouble(0.15);
        byte[] lines = new byte[height * (width + 1)];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double wave =
                        StrictMath.sin(x * pitch + phases[0])
                                + StrictMath.sin(y * pitch + phases[1])
                                + StrictMath.sin((x + y) * pitch / 2 + phases[2]);
                lines[y * (width + 1) + 1 + x] = (byte) ((wave + 3) / 6.001 * COLOURS);
            }
        }
        return lines;
    }

    private static byte[] stored(byte[] data) {
        var deflater = new Deflater(Deflater.NO_COMPRESSION);
        deflater.setInput(data);
        deflater.finish();
        byte[] out = new byte[data.length + 64];
        int length = deflater.deflate(out);
        deflater.end();
        return Arrays.copyOf(out, length);
    }

    private static void chunk(ByteArrayOutputStream png, String type, byte[] data)
            throws IOException {
        byte[] name = type.getBytes(StandardCharsets.US_ASCII);
        var crc = new CRC32();
        crc.update(name);
        crc.update(data);
        var out = new DataOutputStream(png);
        out.writeInt(data.length);
        out.write(name);
        out.write(data);
        out.writeInt((int) crc.getValue());
    }

    private static final String PAGE_START =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>Gallery</title>
            <style>
            body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem }
            </style>
            </head>
            <body>
            <h1>66 images of 1 to 20 KB</h1>
            <p>
            """;

    private static final String PAGE_END =
            """
            </p>
            </body>
            </html>
            """;
}
