package io.margay.transport.epoll;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.margay.transport.libc.IoUring;
import io.margay.transport.libc.Libc;
import io.margay.transport.loop.BatchSender;
import io.margay.transport.loop.LoopSocket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/// An io_uring that sends to many sockets by one system call. Confined to its loop, whichever
/// thread that is.
///
/// Every send says that it must not wait, so that the kernel does it within the call: when the call
/// returns, nothing is under way, and the memory is free again. Should a completion be missing all
/// the same, it is waited for; should it not come, or the kernel do anything else that is not
/// expected, the ring is not used any more.
final class SendRing implements BatchSender {
    /// Sends in one call.
    static final int SENDS_MAX = 128;

    /// What they may be together: as much as the gateway leaves for the end of a round.
    static final int BYTES_MAX = 64 * 1024 + 8192;

    /// Waits for completions that may be interrupted before the ring is given up.
    private static final int WAITS_MAX = 16;

    private static final System.Logger LOG = System.getLogger("io.margay.transport");

    private static final int EIO = 5;
    private static final int EINVAL = 22;
    private static final long OFFSET_RINGS = 0;
    private static final long OFFSET_ENTRIES = 0x10000000L;

    /// `struct io_uring_params`: entries, flags and features, then where the words of the two rings
    /// are.
    private static final long PARAMETERS_BYTES = 120;

    private static final long SUBMISSIONS = 0;
    private static final long COMPLETIONS = 4;
    private static final long FLAGS = 8;
    private static final long FEATURES = 20;
    private static final long SUBMISSION_OFFSETS = 40;
    private static final long COMPLETION_OFFSETS = 80;
    private static final long HEAD = 0;
    private static final long TAIL = 4;
    private static final long MASK = 8;
    private static final long INDICES = 24;
    private static final long EVENTS = 20;

    /// `struct io_uring_sqe`.
    private static final long ENTRY_BYTES = 64;

    private static final long ENTRY_FD = 4;
    private static final long ENTRY_ADDRESS = 16;
    private static final long ENTRY_LENGTH = 24;
    private static final long ENTRY_MSG_FLAGS = 28;
    private static final long ENTRY_DATA = 32;

    /// `struct io_uring_cqe`.
    private static final long EVENT_BYTES = 16;

    private static final long EVENT_RESULT = 8;

    private static final VarHandle WORD = JAVA_INT.varHandle();

    private final IoUring calls;
    private final int ring;
    private final Arena arena;
    private final MemorySegment errno;
    private final MemorySegment bytes;
    private final long ringsAddress;
    private final long ringsBytes;
    private final long entriesAddress;
    private final long entriesBytes;
    private final MemorySegment rings;
    private final MemorySegment entries;
    private final long submissionHead;
    private final long submissionTail;
    private final int submissionMask;
    private final long submissionIndices;
    private final long completionHead;
    private final long completionTail;
    private final int completionMask;
    private final long events;

    private final int[] results = new int[SENDS_MAX];
    private int count;
    private int used;
    private boolean usable = true;
    private boolean closed;

    /// The kernel may still read the memory, which is then never freed.
    private boolean pinned;

    /// Makes a ring.
    ///
    /// @throws IOException when the kernel, or whoever guards it, does not allow it
    static SendRing open(IoUring calls) throws IOException {
        try (Arena temporary = Arena.ofConfined()) {
            MemorySegment parameters = temporary.allocate(PARAMETERS_BYTES, 8);
            parameters.set(JAVA_INT, FLAGS, IoUring.SETUP_SUBMIT_ALL);
            int ring = calls.setup(SENDS_MAX, parameters);
            Arena arena = Arena.ofShared();
            try {
                if ((parameters.get(JAVA_INT, FEATURES) & IoUring.FEATURE_SINGLE_MAP) == 0) {
                    throw new IOException("this kernel maps the two rings apart");
                }
                return new SendRing(calls, ring, parameters, arena);
            } catch (IOException | RuntimeException e) {
                arena.close();
                calls.close(ring);
                throw e;
            }
        }
    }

    @SuppressWarnings("restricted")
    private SendRing(IoUring calls, int ring, MemorySegment parameters, Arena arena)
            throws IOException {
        this.calls = calls;
        this.ring = ring;
        this.arena = arena;
        errno = arena.allocate(JAVA_INT);
        bytes = arena.allocate(BYTES_MAX);
        long indices = parameters.get(JAVA_INT, SUBMISSION_OFFSETS + INDICES);
        events = parameters.get(JAVA_INT, COMPLETION_OFFSETS + EVENTS);
        int submissions = parameters.get(JAVA_INT, SUBMISSIONS);
        int completions = parameters.get(JAVA_INT, COMPLETIONS);
        if (submissions < SENDS_MAX || completions < submissions) {
            throw new IOException("the rings are smaller than asked for");
        }
        ringsBytes = Math.max(indices + 4L * submissions, events + EVENT_BYTES * completions);
        entriesBytes = ENTRY_BYTES * submissions;
        ringsAddress = calls.map(ring, ringsBytes, OFFSET_RINGS);
        try {
            entriesAddress = calls.map(ring, entriesBytes, OFFSET_ENTRIES);
        } catch (IOException e) {
            calls.unmap(ringsAddress, ringsBytes);
            throw e;
        }
        rings = MemorySegment.ofAddress(ringsAddress).reinterpret(ringsBytes, arena, null);
        entries = MemorySegment.ofAddress(entriesAddress).reinterpret(entriesBytes, arena, null);
        submissionIndices = indices;
        submissionHead = parameters.get(JAVA_INT, SUBMISSION_OFFSETS + HEAD);
        submissionTail = parameters.get(JAVA_INT, SUBMISSION_OFFSETS + TAIL);
        submissionMask = rings.get(JAVA_INT, parameters.get(JAVA_INT, SUBMISSION_OFFSETS + MASK));
        completionHead = parameters.get(JAVA_INT, COMPLETION_OFFSETS + HEAD);
        completionTail = parameters.get(JAVA_INT, COMPLETION_OFFSETS + TAIL);
        completionMask = rings.get(JAVA_INT, parameters.get(JAVA_INT, COMPLETION_OFFSETS + MASK));
    }

    /// Whether it can still be used.
    boolean isUsable() {
        return usable;
    }

    @Override
    public int sendsMax() {
        return SENDS_MAX;
    }

    @Override
    public boolean put(LoopSocket socket, byte[] source, int offset, int length) {
        if (!usable
                || count == SENDS_MAX
                || length > BYTES_MAX - used
                || !(socket instanceof EpollSocket plain)) {
            return false;
        }
        MemorySegment.copy(source, offset, bytes, JAVA_BYTE, used, length);
        // The other fields are 0, as they were when the ring was made: the kernel only reads them.
        int at = (rings.get(JAVA_INT, submissionTail) + count) & submissionMask;
        long entry = at * ENTRY_BYTES;
        entries.set(JAVA_INT, entry, IoUring.OPERATION_SEND);
        entries.set(JAVA_INT, entry + ENTRY_FD, plain.descriptor());
        entries.set(JAVA_LONG, entry + ENTRY_ADDRESS, bytes.address() + used);
        entries.set(JAVA_INT, entry + ENTRY_LENGTH, length);
        entries.set(JAVA_INT, entry + ENTRY_MSG_FLAGS, Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL);
        entries.set(JAVA_LONG, entry + ENTRY_DATA, count);
        rings.set(JAVA_INT, submissionIndices + 4L * at, at);
        count++;
        used += length;
        return true;
    }

    /// A send of which nothing is known counts as failed: it must not be made again.
    @Override
    public void send() {
        int sends = count;
        count = 0;
        used = 0;
        if (sends == 0) {
            return;
        }
        Arrays.fill(results, 0, sends, -EIO);
        int tail = rings.get(JAVA_INT, submissionTail);
        WORD.setRelease(rings, submissionTail, tail + sends);
        int entered = calls.enter(errno, ring, sends, 0, 0);
        int taken = (int) WORD.getAcquire(rings, submissionHead) - tail;
        if (taken < 0 || taken > sends) {
            pinned = true;
            giveUp("the ring is in disorder");
            return;
        }
        Arrays.fill(results, taken, sends, NOT_TRIED);
        WORD.setRelease(rings, submissionTail, tail + taken);
        int missing = taken - complete(sends);
        for (int i = 0; missing > 0 && i < WAITS_MAX; i++) {
            int _ = calls.enter(errno, ring, 0, missing, IoUring.ENTER_GET_EVENTS);
            missing -= complete(sends);
        }
        if (missing != 0) {
            pinned = true;
            giveUp(missing + " sends are not complete");
        } else if (entered != sends) {
            giveUp("io_uring_enter gives " + entered + " for " + sends + " sends");
        }
    }

    /// Takes the results that have come.
    ///
    /// @return how many
    private int complete(int sends) {
        int head = rings.get(JAVA_INT, completionHead);
        int tail = (int) WORD.getAcquire(rings, completionTail);
        int came = tail - head;
        for (; head != tail; head++) {
            long event = events + (head & completionMask) * EVENT_BYTES;
            int place = (int) rings.get(JAVA_LONG, event);
            int result = rings.get(JAVA_INT, event + EVENT_RESULT);
            if (place >= 0 && place < sends) {
                results[place] = meaning(result);
            }
        }
        WORD.setRelease(rings, completionHead, tail);
        return came;
    }

    /// A send that fails has taken nothing. What a connection's end does not explain, a send of the
    /// usual kind is to tell.
    private int meaning(int result) {
        if (result >= 0) {
            return result;
        }
        return switch (-result) {
            case Libc.EAGAIN -> 0;
            case Libc.EPIPE,
                    Libc.ECONNRESET,
                    Libc.ECONNREFUSED,
                    Libc.ETIMEDOUT,
                    Libc.EHOSTUNREACH,
                    Libc.ENETUNREACH ->
                    result;
            case EINVAL -> {
                giveUp("the kernel does not send by a ring");
                yield NOT_TRIED;
            }
            default -> NOT_TRIED;
        };
    }

    @Override
    public int result(int place) {
        return results[place];
    }

    @Override
    public IOException failure(int result) {
        return Libc.failure("send", -result);
    }

    private void giveUp(String why) {
        if (usable) {
            usable = false;
            LOG.log(Level.DEBUG, () -> "sends of a round go one by one: " + why);
        }
    }

    /// Frees the ring, on the loop. Whoever uses it afterwards fails, and touches no memory.
    void close() {
        usable = false;
        if (closed) {
            return;
        }
        closed = true;
        try {
            calls.close(ring);
            if (!pinned) {
                arena.close();
                calls.unmap(ringsAddress, ringsBytes);
                calls.unmap(entriesAddress, entriesBytes);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "closing a ring failed", e);
        }
    }
}
