package io.margay.server.steps;

import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is done for a request on its thread, for whoever tells of that: a statement, a page, a call
/// of a store. As long as nobody is told, a step costs the reads of two fields. Thread-safe.
public final class Steps {
    /// By which an exchange notes who follows it.
    public static final ExchangeNotes.Key<Follower> FOLLOWER =
            new ExchangeNotes.Key<>(Follower.class);

    /// What nobody follows.
    public static final Step NONE = _ -> {};

    private static final ThreadLocal<@Nullable Follower> CURRENT = new ThreadLocal<>();

    /// What threads are at, while somebody watches them.
    private static final Map<Thread, Supplier<About>> ONGOING = new ConcurrentHashMap<>();

    /// How many follow requests, and how many watch threads. Guarded by the class.
    private static int following;

    private static int watching;

    /// Whether anybody does; read by every request and step.
    private static volatile boolean followed;

    private static volatile boolean watched;

    private Steps() {}

    /// What a step is.
    public enum Kind {
        /// A statement is executed by a database.
        STATEMENT,
        /// A page is compiled.
        PAGE,
        /// A page is rendered.
        RENDER,
        /// Another resource gets the request: `of` is `FORWARD`, `INCLUDE` or `ERROR`.
        DISPATCH,
        /// A store of sessions is asked.
        SESSION,
        /// The application gets a message of a WebSocket, or its opening.
        MESSAGE
    }

    /// What is known of a step when it begins.
    ///
    /// @param name what is done, such as `SELECT`, or a page or servlet: not what clients make up
    /// @param of what is asked: the name of a pool, of a store; empty = nothing
    /// @param detail such as the statement without its values, or a path; empty = none
    /// @param system by which it is done, such as `postgresql`; empty = not known
    public record About(Kind kind, String name, String of, String detail, String system) {}

    /// Who is told of the steps of one request.
    @FunctionalInterface
    public interface Follower {
        /// A step begins, on the thread that works on the request.
        ///
        /// @param about of that kind; asked only where the step is followed
        /// @return null = it is not followed
        @Nullable Followed begin(Kind kind, Supplier<About> about);
    }

    /// A step that is told of, and who is told of the steps within it.
    public interface Followed extends Follower, Step {}

    /// A step under way: to be ended once, on the thread that has begun it.
    @FunctionalInterface
    public interface Step {
        /// It is over.
        ///
        /// @param failure why it has failed; null = it has not
        void end(@Nullable Throwable failure);
    }

    /// Somebody follows requests from now on.
    public static synchronized void follow() {
        followed = ++following > 0;
    }

    /// Somebody who followed does so no more.
    public static synchronized void unfollow() {
        followed = --following > 0;
    }

    /// Somebody wants to know from now on what threads are at.
    public static synchronized void watch() {
        watched = ++watching > 0;
    }

    /// Somebody who wanted to know does so no more.
    public static synchronized void unwatch() {
        watched = --watching > 0;
    }

    /// Whether anybody is told of steps.
    public static boolean areTold() {
        return followed || watched;
    }

    /// Who follows what this thread works on; null = nobody.
    public static @Nullable Follower current() {
        return followed ? CURRENT.get() : null;
    }

    /// What a thread is at, while somebody watches; null = nothing that is known.
    public static @Nullable Supplier<About> ongoing(Thread thread) {
        return ONGOING.get(thread);
    }

    /// This thread works on an exchange.
    ///
    /// @return whether that is followed, so that [#leave] is due
    public static boolean enter(Exchange exchange) {
        if (!followed) {
            return false;
        }
        Follower follower = exchange.notes().get(FOLLOWER);
        if (follower == null) {
            return false;
        }
        CURRENT.set(follower);
        return true;
    }

    /// This thread works on it no more.
    public static void leave() {
        CURRENT.remove();
    }

    /// A step begins on this thread.
    ///
    /// @param about of that kind; asked by whoever is told, on any thread
    public static Step begin(Kind kind, Supplier<About> about) {
        boolean shows = watched;
        Follower within = current();
        Followed begun = within == null ? null : within.begin(kind, about);
        if (begun != null) {
            CURRENT.set(begun);
        }
        if (!shows) {
            return begun == null ? NONE : failure -> end(begun, within, failure);
        }
        Thread thread = Thread.currentThread();
        Supplier<About> before = ONGOING.put(thread, about);
        return failure -> {
            if (before == null) {
                ONGOING.remove(thread);
            } else {
                ONGOING.put(thread, before);
            }
            if (begun != null) {
                end(begun, within, failure);
            }
        };
    }

    private static void end(
            Followed begun, @Nullable Follower within, @Nullable Throwable failure) {
        CURRENT.set(within);
        begun.end(failure);
    }

    /// The same of what needs no object while nobody is told.
    public static Step begin(Kind kind, String name, String of) {
        return areTold() ? begin(kind, () -> new About(kind, name, of, "", "")) : NONE;
    }
}
