package io.margay.shadow;

import io.margay.gateway.mirror.SeenAnswer;
import io.margay.gateway.mirror.SeenContent;
import io.margay.protocol.http.FieldList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.zip.CRC32C;
import java.util.zip.GZIPOutputStream;

/// An answer as tests write it. Immutable.
record Answers(int status, String fields, byte[] content, boolean whole, Duration took) {
    static final int KEPT_MAX = 1 << 18;

    /// @param fields lines `Name: value`
    static Answers of(int status, String fields, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        return new Answers(status, fields, bytes, true, Duration.ofMillis(5));
    }

    static Answers html(String content) {
        return of(200, "Content-Type: text/html;charset=UTF-8", content);
    }

    static Answers json(String content) {
        return of(200, "Content-Type: application/json", content);
    }

    Answers withStatus(int other) {
        return new Answers(other, fields, content, whole, took);
    }

    Answers withField(String line) {
        return new Answers(status, fields + "\n" + line, content, whole, took);
    }

    Answers withFields(UnaryOperator<String> change) {
        return new Answers(status, change.apply(fields), content, whole, took);
    }

    Answers withBytes(byte[] bytes) {
        return new Answers(status, fields, bytes, whole, took);
    }

    Answers withText(UnaryOperator<String> change) {
        String text = new String(content, StandardCharsets.UTF_8);
        return withBytes(change.apply(text).getBytes(StandardCharsets.UTF_8));
    }

    Answers written(Charset charset) {
        return withBytes(new String(content, StandardCharsets.UTF_8).getBytes(charset));
    }

    Answers cut(int length) {
        return withBytes(Arrays.copyOf(content, length));
    }

    Answers brokenOff() {
        return new Answers(status, fields, content, false, took);
    }

    Answers taking(Duration time) {
        return new Answers(status, fields, content, whole, time);
    }

    Answers compressed() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return withBytes(bytes.toByteArray()).withField("Content-Encoding: gzip");
    }

    /// As the gateway has seen it.
    SeenAnswer seen() {
        if (status == 0) {
            return SeenAnswer.none(took.toNanos());
        }
        FieldList list = new FieldList();
        fields.lines()
                .filter(line -> !line.isEmpty())
                .forEach(line -> {
                    int colon = line.indexOf(':');
                    list.add(line.substring(0, colon), line.substring(colon + 1).strip());
                });
        CRC32C sum = new CRC32C();
        sum.update(content);
        byte[] kept = Arrays.copyOf(content, Math.min(content.length, KEPT_MAX));
        return new SeenAnswer(
                status,
                list,
                new SeenContent(kept, content.length, (int) sum.getValue(), whole),
                took.toNanos());
    }
}
