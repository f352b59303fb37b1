package io.margay.servlet.engine.request;

import io.margay.protocol.form.MultipartDecoder;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// One part of a multipart body: in memory while it is small, else in a temporary file that goes
/// with the request. Used by one thread at a time.
final class FilePart implements Part {
    private final MultipartDecoder.Part head;
    private final Path folder;
    private final int memoryBytesMax;
    private @Nullable ByteArrayOutputStream memory = new ByteArrayOutputStream();
    private @Nullable Path file;
    private @Nullable OutputStream fileOutput;
    private long size;

    /// Whether the file is the application's: it asked for it by name.
    private boolean kept;

    FilePart(MultipartDecoder.Part head, Path folder, int memoryBytesMax) {
        this.head = head;
        this.folder = folder;
        this.memoryBytesMax = memoryBytesMax;
    }

    void append(byte[] bytes, int from, int to) throws IOException {
        size += to - from;
        ByteArrayOutputStream inMemory = memory;
        if (inMemory != null && size <= memoryBytesMax) {
            inMemory.write(bytes, from, to - from);
            return;
        }
        OutputStream output = fileOutput;
        if (output == null) {
            Path created = Files.createTempFile(folder, "part-", ".tmp");
            file = created;
            output = Files.newOutputStream(created);
            fileOutput = output;
            if (inMemory != null) {
                inMemory.writeTo(output);
                memory = null;
            }
        }
        output.write(bytes, from, to - from);
    }

    /// All content is there.
    void close() throws IOException {
        if (fileOutput != null) {
            fileOutput.close();
            fileOutput = null;
        }
    }

    boolean isFormField() {
        return head.filename() == null;
    }

    /// What it takes of the heap: a form field is taken there when it is asked for.
    long bytesInMemory() {
        return isFormField() || memory != null ? size : 0;
    }

    /// The content of a form field as text.
    String text(Charset charset) throws IOException {
        try (InputStream in = getInputStream()) {
            return new String(in.readAllBytes(), charset);
        }
    }

    @Override
    public InputStream getInputStream() throws IOException {
        Path stored = file;
        if (stored != null) {
            return Files.newInputStream(stored);
        }
        ByteArrayOutputStream inMemory = memory;
        return new ByteArrayInputStream(inMemory == null ? new byte[0] : inMemory.toByteArray());
    }

    @Override
    public @Nullable String getContentType() {
        return head.contentType();
    }

    @Override
    public String getName() {
        return head.name();
    }

    @Override
    public @Nullable String getSubmittedFileName() {
        return head.filename();
    }

    @Override
    public long getSize() {
        return size;
    }

    @Override
    public void write(String fileName) throws IOException {
        Path target = folder.resolve(fileName).normalize();
        if (!Path.of(fileName).isAbsolute() && !target.startsWith(folder.normalize())) {
            throw new IOException("the file name leads out of the multipart location");
        }
        Path stored = file;
        if (stored != null) {
            Files.move(stored, target, StandardCopyOption.REPLACE_EXISTING);
            file = target;
            kept = true;
            return;
        }
        try (InputStream in = getInputStream()) {
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void delete() throws IOException {
        close();
        Path stored = file;
        if (stored != null) {
            Files.deleteIfExists(stored);
            file = null;
        }
        memory = null;
    }

    /// Removes what the container stored itself, at the end of the request.
    void discard() throws IOException {
        close();
        Path stored = file;
        if (stored != null && !kept) {
            Files.deleteIfExists(stored);
        }
    }

    @Override
    public @Nullable String getHeader(String name) {
        String value = head.fields().get(name);
        return value == null ? null : utf8(value);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return head.fields().all(name).stream().map(FilePart::utf8).toList();
    }

    @Override
    public Collection<String> getHeaderNames() {
        return head.fields().names();
    }

    private static String utf8(String octets) {
        return new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
