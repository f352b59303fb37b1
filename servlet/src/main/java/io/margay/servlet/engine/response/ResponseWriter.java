package io.margay.servlet.engine.response;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The writer of one response. It encodes UTF-8, ISO-8859-1 and US-ASCII straight into the
/// response's buffer, and takes no lock: a response is used by one thread at a time.
final class ResponseWriter extends PrintWriter {
    private static final String LINE_END = System.lineSeparator();

    /// How characters become bytes.
    private enum Kind {
        UTF_8,
        /// One byte per character up to the highest one that the encoding has.
        SINGLE,
        OTHER
    }

    private final ResponseOutput output;
    private final Kind kind;
    private final int highest;
    private final @Nullable CharsetEncoder encoder;
    private boolean failed;
    private char pendingHigh;

    ResponseWriter(ResponseOutput output, Charset charset) {
        super(Writer.nullWriter(), false);
        this.output = output;
        if (charset.equals(StandardCharsets.UTF_8)) {
            kind = Kind.UTF_8;
        } else if (charset.equals(StandardCharsets.ISO_8859_1)
                || charset.equals(StandardCharsets.US_ASCII)) {
            kind = Kind.SINGLE;
        } else {
            kind = Kind.OTHER;
        }
        highest = charset.equals(StandardCharsets.US_ASCII) ? 127 : 255;
        encoder =
                kind == Kind.OTHER
                        ? charset.newEncoder()
                                .onMalformedInput(CodingErrorAction.REPLACE)
                                .onUnmappableCharacter(CodingErrorAction.REPLACE)
                        : null;
    }

    // Encoding

    @Override
    public void write(String text, int offset, int length) {
        java.util.Objects.checkFromIndexSize(offset, length, text.length());
        if (failed) {
            return;
        }
        try {
            if (kind != Kind.OTHER && output.isDirect() && pendingHigh == 0) {
                direct(text, offset, offset + length);
            } else {
                encode(text, offset, offset + length);
            }
        } catch (IOException e) {
            failed = true;
        }
    }

    @Override
    public void write(char[] text, int offset, int length) {
        java.util.Objects.checkFromIndexSize(offset, length, text.length);
        if (failed) {
            return;
        }
        try {
            if (kind != Kind.OTHER && output.isDirect() && pendingHigh == 0) {
                direct(text, offset, offset + length);
            } else {
                encode(CharBuffer.wrap(text), offset, offset + length);
            }
        } catch (IOException e) {
            failed = true;
        }
    }

    private void direct(String text, int from, int to) throws IOException {
        int limit = kind == Kind.UTF_8 ? 127 : highest;
        output.open();
        int at = from;
        while (at < to) {
            byte[] buffer = output.buffer;
            int used = output.used;
            int end = Math.min(to, at + buffer.length - used);
            while (at < end) {
                char c = text.charAt(at);
                if (c > limit) {
                    break;
                }
                buffer[used++] = (byte) c;
                at++;
            }
            output.used = used;
            if (used == buffer.length) {
                output.full();
            } else if (at < to) {
                at = special(text, at, to);
            }
        }
    }

    private void direct(char[] text, int from, int to) throws IOException {
        int limit = kind == Kind.UTF_8 ? 127 : highest;
        output.open();
        int at = from;
        while (at < to) {
            byte[] buffer = output.buffer;
            int used = output.used;
            int end = Math.min(to, at + buffer.length - used);
            while (at < end) {
                char c = text[at];
                if (c > limit) {
                    break;
                }
                buffer[used++] = (byte) c;
                at++;
            }
            output.used = used;
            if (used == buffer.length) {
                output.full();
            } else if (at < to) {
                at = special(CharBuffer.wrap(text), at, to);
            }
        }
    }

    /// Writes one character that is not a byte of its own; answers the index after it.
    private int special(CharSequence text, int at, int to) throws IOException {
        char c = text.charAt(at);
        if (kind == Kind.SINGLE) {
            put('?');
            boolean pair =
                    Character.isHighSurrogate(c)
                            && at + 1 < to
                            && Character.isLowSurrogate(text.charAt(at + 1));
            return pair ? at + 2 : at + 1;
        }
        if (!Character.isHighSurrogate(c)) {
            utf8(Character.isLowSurrogate(c) ? '?' : c);
            return at + 1;
        }
        if (at + 1 == to) {
            pendingHigh = c;
            return at + 1;
        }
        char low = text.charAt(at + 1);
        if (!Character.isLowSurrogate(low)) {
            put('?');
            return at + 1;
        }
        utf8(Character.toCodePoint(c, low));
        return at + 2;
    }

    private void utf8(int code) throws IOException {
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xc0 | (code >> 6));
            put(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            put(0xe0 | (code >> 12));
            put(0x80 | ((code >> 6) & 0x3f));
            put(0x80 | (code & 0x3f));
        } else {
            put(0xf0 | (code >> 18));
            put(0x80 | ((code >> 12) & 0x3f));
            put(0x80 | ((code >> 6) & 0x3f));
            put(0x80 | (code & 0x3f));
        }
    }

    private void put(int octet) throws IOException {
        output.buffer[output.used++] = (byte) octet;
        if (output.used == output.buffer.length) {
            output.full();
        }
    }

    /// The slow way: through an array of bytes, for other encodings and for lengths promised.
    private void encode(CharSequence text, int from, int to) throws IOException {
        CharSequence part = text.subSequence(from, to);
        String whole = pendingHigh == 0 ? part.toString() : pendingHigh + part.toString();
        pendingHigh = 0;
        if (!whole.isEmpty() && Character.isHighSurrogate(whole.charAt(whole.length() - 1))) {
            pendingHigh = whole.charAt(whole.length() - 1);
            whole = whole.substring(0, whole.length() - 1);
        }
        if (whole.isEmpty()) {
            return;
        }
        if (encoder == null) {
            Charset charset =
                    kind == Kind.UTF_8
                            ? StandardCharsets.UTF_8
                            : highest == 127
                                    ? StandardCharsets.US_ASCII
                                    : StandardCharsets.ISO_8859_1;
            output.write(whole.getBytes(charset));
            return;
        }
        CharBuffer in = CharBuffer.wrap(whole);
        ByteBuffer out = ByteBuffer.allocate(1024);
        boolean more = true;
        while (more) {
            more = encoder.encode(in, out, false).isOverflow();
            output.write(out.array(), 0, out.position());
            out.clear();
        }
    }

    /// Sends what the encoder still holds, such as a shift back to ASCII.
    private void drain() throws IOException {
        if (pendingHigh != 0) {
            pendingHigh = 0;
            output.write('?');
        }
        if (encoder != null) {
            ByteBuffer out = ByteBuffer.allocate(64);
            encoder.encode(CharBuffer.allocate(0), out, true);
            encoder.flush(out);
            output.write(out.array(), 0, out.position());
            encoder.reset();
        }
    }

    /// Completes the characters before the response ends.
    void finish() {
        if (!failed && !output.isShut()) {
            try {
                drain();
            } catch (IOException e) {
                failed = true;
            }
        }
    }

    // PrintWriter, without its locks

    @Override
    public void write(int c) {
        if (c < 128 && kind != Kind.OTHER && output.isDirect() && pendingHigh == 0 && !failed) {
            output.open();
            try {
                put(c);
            } catch (IOException e) {
                failed = true;
            }
            return;
        }
        write(new char[] {(char) c}, 0, 1);
    }

    @Override
    public void write(String text) {
        write(text, 0, text.length());
    }

    @Override
    public void write(char[] text) {
        write(text, 0, text.length);
    }

    @Override
    public void print(@Nullable String text) {
        write(String.valueOf(text));
    }

    @Override
    public void print(@Nullable Object object) {
        write(String.valueOf(object));
    }

    @Override
    public void print(boolean value) {
        write(value ? "true" : "false");
    }

    @Override
    public void print(char value) {
        write(value);
    }

    @Override
    public void print(int value) {
        write(Integer.toString(value));
    }

    @Override
    public void print(long value) {
        write(Long.toString(value));
    }

    @Override
    public void print(float value) {
        write(Float.toString(value));
    }

    @Override
    public void print(double value) {
        write(Double.toString(value));
    }

    @Override
    public void print(char[] text) {
        write(text);
    }

    @Override
    public void println() {
        write(LINE_END);
    }

    @Override
    public void println(boolean value) {
        print(value);
        println();
    }

    @Override
    public void println(char value) {
        write(value);
        println();
    }

    @Override
    public void println(int value) {
        print(value);
        println();
    }

    @Override
    public void println(long value) {
        print(value);
        println();
    }

    @Override
    public void println(float value) {
        print(value);
        println();
    }

    @Override
    public void println(double value) {
        print(value);
        println();
    }

    @Override
    public void println(char[] text) {
        write(text);
        println();
    }

    @Override
    public void println(@Nullable String text) {
        print(text);
        println();
    }

    @Override
    public void println(@Nullable Object object) {
        print(object);
        println();
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod")
    public PrintWriter printf(String format, @Nullable Object... arguments) {
        return format(format, arguments);
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod")
    public PrintWriter printf(Locale locale, String format, @Nullable Object... arguments) {
        return format(locale, format, arguments);
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod")
    public PrintWriter format(String format, @Nullable Object... arguments) {
        write(String.format(format, arguments));
        return this;
    }

    @Override
    @SuppressWarnings("AnnotateFormatMethod")
    public PrintWriter format(Locale locale, String format, @Nullable Object... arguments) {
        write(String.format(locale, format, arguments));
        return this;
    }

    @Override
    public PrintWriter append(@Nullable CharSequence text) {
        write(String.valueOf(text));
        return this;
    }

    @Override
    public PrintWriter append(@Nullable CharSequence text, int start, int end) {
        write(String.valueOf(text), start, end - start);
        return this;
    }

    @Override
    public PrintWriter append(char c) {
        write(c);
        return this;
    }

    @Override
    public void flush() {
        if (failed || output.isShut()) {
            return;
        }
        try {
            output.flush();
        } catch (IOException e) {
            failed = true;
        }
    }

    @Override
    public void close() {
        finish();
        try {
            output.close();
        } catch (IOException e) {
            failed = true;
        }
    }

    @Override
    public boolean checkError() {
        flush();
        return failed;
    }

    @Override
    protected void setError() {
        failed = true;
    }

    @Override
    protected void clearError() {
        failed = false;
    }
}
