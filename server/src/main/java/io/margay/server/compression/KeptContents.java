package io.margay.server.compression;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Encoded forms of contents that nobody changes any more, such as files in memory, so that each is
/// encoded once. An entry goes with its content, or gives way to another one. Thread-safe, without
/// a lock.
final class KeptContents {
    private static final int SLOTS = 1024;

    /// No entry may take more than this part of all.
    private static final int LARGEST_PART = 16;

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Kept(WeakReference<byte[]> content, Coding coding, int level, byte[] encoded) {
        boolean isOf(byte[] other, Coding otherCoding, int otherLevel) {
            return content.refersTo(other) && coding == otherCoding && level == otherLevel;
        }
    }

    private final AtomicReferenceArray<@Nullable Kept> slots = new AtomicReferenceArray<>(SLOTS);
    private final AtomicLong bytes = new AtomicLong();
    private final long bytesMax;

    KeptContents(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    private static int slot(byte[] content, Coding coding, int level) {
        int hash = System.identityHashCode(content) * 31 + coding.hashCode() * 10 + level;
        return (hash ^ (hash >>> 10)) & (SLOTS - 1);
    }

    /// The encoded form of this very array, or null.
    byte @Nullable [] find(byte[] content, Coding coding, int level) {
        Kept kept = slots.get(slot(content, coding, level));
        return kept != null && kept.isOf(content, coding, level) ? kept.encoded : null;
    }

    void keep(byte[] content, Coding coding, int level, byte[] encoded) {
        if (encoded.length > bytesMax / LARGEST_PART) {
            return;
        }
        int slot = slot(content, coding, level);
        Kept kept = new Kept(new WeakReference<>(content), coding, level, encoded);
        Kept before = slots.getAndSet(slot, kept);
        long now = bytes.addAndGet(encoded.length - (before == null ? 0 : before.encoded.length));
        if (now > bytesMax) {
            makeRoom(slot);
        }
    }

    /// Entries whose content has gone, then any others.
    private void makeRoom(int except) {
        for (boolean any : new boolean[] {false, true}) {
            for (int i = 1; i < SLOTS && bytes.get() > bytesMax; i++) {
                int slot = (except + i) & (SLOTS - 1);
                Kept kept = slots.get(slot);
                if (kept != null
                        && (any || kept.content.refersTo(null))
                        && slots.compareAndSet(slot, kept, null)) {
                    bytes.addAndGet(-kept.encoded.length);
                }
            }
        }
    }

    /// Bytes of all encoded forms.
    long bytes() {
        return bytes.get();
    }
}
