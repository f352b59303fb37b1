package io.margay.gateway.simulation;

import java.util.PriorityQueue;

/// Virtual time in milliseconds, and what is to happen when. What is due at the same time happens
/// in the order in which it was asked for. Confined to one thread.
final class Timeline {
    private record Event(long at, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long now;
    private long number;

    long now() {
        return now;
    }

    /// What is still to happen.
    int size() {
        return events.size();
    }

    /// Has something happen so many milliseconds from now.
    void in(long millis, Runnable action) {
        events.add(new Event(now + Math.max(0, millis), number++, action));
    }

    /// Has everything happen that is due until then.
    void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at <= end) {
            Event next = events.remove();
            now = next.at;
            next.action.run();
        }
        now = end;
    }
}
