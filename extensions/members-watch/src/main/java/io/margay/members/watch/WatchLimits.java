package io.margay.members.watch;

import java.time.Duration;

/// Bounds of watching an API. Immutable.
///
/// @param timeout for a connection, and for an answer to begin and to be whole; longer than an
///   election among the servers
/// @param watch how long one watch goes on before another takes its place: a connection that is
///   dead without a word is found out so, and a token that has changed is used
/// @param grace how much longer a server may take to end it; servers end watches by their own clock
/// @param patience how long a look waits for an event; members that drain end in between
/// @param pageItems items of one page of a list; a page is some megabytes
/// @param answerBytesMax bytes of an answer: a page of the largest items
/// @param lineBytesMax bytes of an event: the largest item
/// @param queueBytesMax bytes of events that wait; no more is read then; two of the largest events
/// @param pagesMax pages of a list; ten times what the largest sources have
public record WatchLimits(
        Duration timeout,
        Duration watch,
        Duration grace,
        Duration patience,
        int pageItems,
        int answerBytesMax,
        int lineBytesMax,
        int queueBytesMax,
        int pagesMax) {
    public static WatchLimits defaults() {
        return new WatchLimits(
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(15),
                Duration.ofSeconds(1),
                100,
                32 << 20,
                2 << 20,
                4 << 20,
                100);
    }
}
