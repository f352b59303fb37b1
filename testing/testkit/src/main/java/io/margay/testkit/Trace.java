package io.margay.testkit;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/// What a decoder told, one line per event. Neighbouring content is one event, so that the trace
/// does not depend on how the bytes arrived.
public final class Trace {
    private final List<String> events = new ArrayList<>();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    /// An empty trace.
    public Trace() {}

    /// Adds an event.
    public void add(String event) {
        flush();
        events.add(event);
    }

    /// Adds content.
    public void data(byte[] bytes, int from, int to) {
        content.write(bytes, from, to - from);
    }

    /// All events so far.
    public List<String> events() {
        flush();
        return List.copyOf(events);
    }

    private void flush() {
        if (content.size() > 0) {
            events.add("data " + Escapes.escape(content.toByteArray()));
            content.reset();
        }
    }

    @Override
    public String toString() {
        return String.join("\n", events());
    }
}
