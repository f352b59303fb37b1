package io.margay.transport.loop;

import static io.margay.transport.Connection.NEVER;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A wheel of 512 slots of 50 ms that looks after many deadlines at little cost.
///
/// Confined to one thread or guarded by its user's lock, but for [Entry#move], which any thread may
/// call. Moving a deadline later, the common case, is a field write: the wheel looks at the entry
/// when its slot comes and puts it into a later one. Only a deadline that is earlier than the next
/// look needs [#schedule]. An action runs up to one slot after its deadline.
public final class DeadlineWheel {
    /// Width of a slot.
    static final long TICK_NANOS = 50_000_000;

    /// Actions in one go; the others wait until the loop has seen to its events. Clients that have
    /// come together are late together.
    static final int ACTIONS_MAX = 64;

    private static final int SLOTS = 512;
    private static final int MASK = SLOTS - 1;

    /// One deadline and what to do when it passes.
    public static final class Entry {
        private static final VarHandle DEADLINE;

        static {
            try {
                DEADLINE =
                        MethodHandles.lookup().findVarHandle(Entry.class, "deadline", long.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private final Runnable action;
        private volatile long deadline = NEVER;

        /// When the wheel looks at this entry next; [io.margay.transport.Connection#NEVER] = it is
        /// in no slot.
        private volatile long lookAt = NEVER;

        private int slot = -1;
        private @Nullable Entry previous;
        private @Nullable Entry next;

        public Entry(Runnable action) {
            this.action = action;
        }

        /// Sets the deadline.
        ///
        /// @return whether the caller must have [DeadlineWheel#schedule] called, because the wheel
        ///   would look too late
        public boolean move(long nanoTime) {
            deadline = nanoTime;
            return isLate(nanoTime, lookAt);
        }

        private static boolean isLate(long deadline, long lookAt) {
            return deadline != NEVER && (lookAt == NEVER || lookAt - deadline >= TICK_NANOS);
        }
    }

    private final @Nullable Entry[] slots = new @Nullable Entry[SLOTS];
    private final long[] occupied = new long[SLOTS / 64];
    private final long originNanos;
    private long tick;
    private int size;
    private int actionsLeft;

    /// Whether a slot is being emptied: the tick stays meanwhile, even if that was the last entry,
    /// or the slot that is 511 ahead of a later tick would be the same one.
    private boolean looking;

    public DeadlineWheel(long nowNanos) {
        originNanos = nowNanos;
    }

    /// Puts an entry where its deadline belongs, or takes it out when it has none. One that has
    /// passed belongs into the next slot.
    public void schedule(Entry entry, long nowNanos) {
        long deadline;
        do {
            unlink(entry);
            deadline = entry.deadline;
            if (deadline == NEVER) {
                entry.lookAt = NEVER;
            } else {
                link(entry, deadline, nowNanos);
            }
            // Once more only if it was moved meanwhile: the next slot is late for what has passed.
        } while (entry.deadline != deadline && Entry.isLate(entry.deadline, entry.lookAt));
    }

    /// Takes an entry out for good.
    public void cancel(Entry entry) {
        entry.deadline = NEVER;
        unlink(entry);
        entry.lookAt = NEVER;
    }

    /// Runs the actions of deadlines that have passed, [#ACTIONS_MAX] at most; [#delayNanos] tells
    /// when to come again.
    public void expire(long nowNanos) {
        long nowTick = (nowNanos - originNanos) / TICK_NANOS;
        if (nowTick - tick > SLOTS) {
            tick = nowTick - SLOTS;
        }
        actionsLeft = ACTIONS_MAX;
        while (tick < nowTick && size > 0) {
            tick++;
            int slot = (int) tick & MASK;
            look(slot, nowNanos);
            if (slots[slot] != null) {
                tick--; // It is looked at again.
                return;
            }
        }
        tick = Math.max(tick, nowTick);
    }

    /// How long until a slot with entries comes; -1 when there is none.
    public long delayNanos(long nowNanos) {
        if (size == 0) {
            return -1;
        }
        int from = (int) (tick + 1) & MASK;
        int at = nextOccupied(from);
        long ahead = ((at - from) & MASK) + 1L;
        return Math.max(1, originNanos + (tick + ahead) * TICK_NANOS - nowNanos);
    }

    /// Empties the slot, as far as actions may run. Nothing is put into it meanwhile: new slots lie
    /// 1 to 511 ahead.
    private void look(int slot, long nowNanos) {
        looking = true;
        try {
            for (Entry entry = slots[slot]; entry != null && actionsLeft > 0; entry = slots[slot]) {
                unlink(entry);
                examine(entry, nowNanos);
            }
        } finally {
            looking = false;
        }
    }

    private void examine(Entry entry, long nowNanos) {
        long deadline = entry.deadline;
        if (deadline != NEVER
                && deadline - nowNanos <= 0
                && Entry.DEADLINE.compareAndSet(entry, deadline, NEVER)) {
            entry.lookAt = NEVER;
            actionsLeft--;
            // One that was set by another thread before lookAt was written is seen here.
            schedule(entry, nowNanos);
            entry.action.run();
        } else {
            schedule(entry, nowNanos);
        }
    }

    private void link(Entry entry, long deadline, long nowNanos) {
        if (size == 0 && !looking) {
            tick = Math.max(tick, (nowNanos - originNanos) / TICK_NANOS);
        }
        long ahead = deadline - originNanos + TICK_NANOS - 1;
        long at = ahead < 0 ? tick + 1 : ahead / TICK_NANOS;
        at = Math.clamp(at, tick + 1, tick + SLOTS - 1);
        int slot = (int) at & MASK;
        Entry head = slots[slot];
        entry.slot = slot;
        entry.previous = null;
        entry.next = head;
        if (head != null) {
            head.previous = entry;
        }
        slots[slot] = entry;
        occupied[slot >> 6] |= 1L << slot;
        size++;
        entry.lookAt = originNanos + at * TICK_NANOS;
    }

    private void unlink(Entry entry) {
        int slot = entry.slot;
        if (slot < 0) {
            return;
        }
        Entry previous = entry.previous;
        Entry next = entry.next;
        if (previous == null) {
            slots[slot] = next;
        } else {
            previous.next = next;
        }
        if (next != null) {
            next.previous = previous;
        }
        if (slots[slot] == null) {
            occupied[slot >> 6] &= ~(1L << slot);
        }
        entry.slot = -1;
        entry.previous = null;
        entry.next = null;
        size--;
    }

    private int nextOccupied(int from) {
        int word = from >> 6;
        long bits = occupied[word] & (-1L << from);
        for (int i = 0; bits == 0 && i < occupied.length; i++) {
            word = (word + 1) % occupied.length;
            bits = occupied[word];
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
    }
}
