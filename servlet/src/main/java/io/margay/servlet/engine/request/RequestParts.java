package io.margay.servlet.engine.request;

import io.margay.protocol.form.MultipartDecoder;
import io.margay.protocol.form.MultipartLimits;
import io.margay.server.files.DiskRoom;
import io.margay.server.files.NoRoomException;
import io.margay.servlet.engine.application.Application;
import io.margay.servlet.settings.ServletLimits;
import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The parts of one multipart body (Servlet 6.1 §3.2), read whole on first use. Used by one thread
/// at a time.
final class RequestParts {
    private static final int CHUNK_BYTES = 8192;

    private final List<FilePart> parts = new ArrayList<>();

    /// Bytes that the form fields may have together: they become parameters, in memory.
    private final int formBytesMax;

    private final LongConsumer hold;
    private long formBytes;

    /// What is in memory, or will be when it is asked for.
    private long heldBytes;

    private RequestParts(int formBytesMax, LongConsumer hold) {
        this.formBytesMax = formBytesMax;
        this.hold = hold;
    }

    /// Reads the body.
    ///
    /// @param hold told how much of it is in memory; throws when that is too much
    /// @throws ServletException when the content is no multipart form
    /// @throws BadRequestException when a limit is exceeded
    static RequestParts read(
            @Nullable String contentType,
            InputStream body,
            MultipartConfigElement config,
            Application app,
            LongConsumer hold)
            throws IOException, ServletException {
        String boundary = contentType == null ? null : MultipartDecoder.boundary(contentType);
        if (boundary == null) {
            throw new ServletException("the request is not multipart/form-data");
        }
        ServletLimits limits = app.settings().limits();
        MultipartLimits multipart =
                new MultipartLimits(limits.partsMax(), limits.partHeaderBytesMax());
        RequestParts read = new RequestParts(limits.formBytesMax(), hold);
        try {
            read.decode(
                    new MultipartDecoder(boundary, multipart), body, config, folder(config, app));
        } catch (IOException | RuntimeException e) {
            read.discard(app);
            if (DiskRoom.isCauseOf(e)) {
                throw new NoRoomException(507, "there is no room on the disk for the upload");
            }
            throw e;
        }
        return read;
    }

    private static Path folder(MultipartConfigElement config, Application app) throws IOException {
        Object temporary = app.context().getAttribute(ServletContext.TEMPDIR);
        Path base =
                temporary instanceof File file
                        ? file.toPath()
                        : Path.of(System.getProperty("java.io.tmpdir"));
        String location = config.getLocation();
        if (location == null || location.isEmpty()) {
            return base;
        }
        Path folder = base.resolve(location);
        if (!Files.isDirectory(folder)) {
            throw new IOException("the multipart location " + folder + " is not a folder");
        }
        return folder;
    }

    private void decode(
            MultipartDecoder decoder, InputStream body, MultipartConfigElement config, Path folder)
            throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        long total = 0;
        FilePart open = null;
        int from = 0;
        int to = 0;
        while (true) {
            switch (decoder.decode(chunk, from, to)) {
                case NEED_MORE -> {
                    to = body.read(chunk, 0, chunk.length);
                    if (to < 0 && total == 0) {
                        return; // no content has no parts
                    }
                    if (to < 0) {
                        throw new BadRequestException(
                                400, "the multipart body has no end", new IOException("truncated"));
                    }
                    total = checkTotal(total + to, config);
                    from = 0;
                    continue;
                }
                case PART -> {
                    open = new FilePart(decoder.part(), folder, config.getFileSizeThreshold());
                    parts.add(open);
                }
                case DATA -> {
                    FilePart part = java.util.Objects.requireNonNull(open);
                    checkField(part, decoder.dataTo() - decoder.dataFrom());
                    heldBytes -= part.bytesInMemory();
                    part.append(decoder.data(), decoder.dataFrom(), decoder.dataTo());
                    heldBytes += part.bytesInMemory();
                    hold.accept(heldBytes);
                    checkPart(part, config);
                }
                case PART_END -> java.util.Objects.requireNonNull(open).close();
                case END -> {
                    drain(body, chunk, total, config);
                    return;
                }
                case ERROR -> throw new BadRequestException(decoder.error());
            }
            from = decoder.consumed();
        }
    }

    private static void drain(
            InputStream body, byte[] chunk, long already, MultipartConfigElement config)
            throws IOException {
        long total = already;
        for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
            total = checkTotal(total + read, config);
        }
    }

    private static long checkTotal(long total, MultipartConfigElement config) {
        if (config.getMaxRequestSize() >= 0 && total > config.getMaxRequestSize()) {
            throw tooLarge("the multipart request is larger than it may be");
        }
        return total;
    }

    private void checkField(FilePart part, int more) {
        if (part.isFormField()) {
            formBytes += more;
            if (formBytes > formBytesMax) {
                throw tooLarge("the fields of the form are larger than they may be");
            }
        }
    }

    private static void checkPart(FilePart part, MultipartConfigElement config) {
        if (config.getMaxFileSize() >= 0 && part.getSize() > config.getMaxFileSize()) {
            throw tooLarge("a part is larger than it may be");
        }
    }

    private static BadRequestException tooLarge(String text) {
        return new BadRequestException(413, text, new IOException(text));
    }

    Collection<Part> all() {
        return Collections.unmodifiableList(parts);
    }

    @Nullable Part named(String name) {
        for (FilePart part : parts) {
            if (part.getName().equals(name)) {
                return part;
            }
        }
        return null;
    }

    /// Adds the form fields to the parameters.
    ///
    /// @param firstOnly whether more than `parametersMax` are left out, rather than refused
    void addTo(RequestParameters parameters, Charset charset, int parametersMax, boolean firstOnly)
            throws IOException {
        for (FilePart part : parts) {
            if (part.isFormField()) {
                if (parameters.count() >= parametersMax) {
                    if (firstOnly) {
                        return;
                    }
                    throw tooLarge("there are too many parameters");
                }
                parameters.append(part.getName(), part.text(charset));
            }
        }
    }

    /// Removes temporary files.
    void discard(Application app) {
        for (FilePart part : parts) {
            try {
                part.discard();
            } catch (IOException e) {
                app.logger().log(Level.WARNING, "a temporary file cannot be removed", e);
            }
        }
    }
}
