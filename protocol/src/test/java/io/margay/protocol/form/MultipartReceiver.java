package io.margay.protocol.form;

import io.margay.testkit.CutEverywhere;
import io.margay.testkit.Escapes;
import io.margay.testkit.Trace;
import java.nio.charset.StandardCharsets;

/// Decodes a multipart body into a trace.
final class MultipartReceiver implements CutEverywhere.Receiver {
    private final MultipartDecoder decoder;

    MultipartReceiver(String boundary) {
        this(boundary, MultipartLimits.defaults());
    }

    MultipartReceiver(String boundary, MultipartLimits limits) {
        decoder = new MultipartDecoder(boundary, limits);
    }

    @Override
    public void receive(byte[] buffer, int from, int to, Trace trace) {
        int p = from;
        while (true) {
            MultipartDecoder.Result result = decoder.decode(buffer, p, to);
            p = decoder.consumed();
            switch (result) {
                case PART -> trace.add(describe(decoder.part()));
                case DATA -> trace.data(decoder.data(), decoder.dataFrom(), decoder.dataTo());
                case PART_END -> trace.add("end of part");
                case NEED_MORE, END, ERROR -> {
                    return;
                }
            }
        }
    }

    private static String describe(MultipartDecoder.Part part) {
        return "part name="
                + utf8(part.name())
                + " filename="
                + (part.filename() == null ? "-" : utf8(part.filename()))
                + " type="
                + part.contentType();
    }

    private static String utf8(String text) {
        return Escapes.escape(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void end(Trace trace) {
        if (decoder.decode(new byte[0], 0, 0) == MultipartDecoder.Result.ERROR) {
            trace.add("error " + decoder.error().status() + " " + decoder.error().section());
        } else {
            trace.add(decoder.endOfInput() == MultipartDecoder.Result.END ? "end" : "truncated");
        }
    }
}
