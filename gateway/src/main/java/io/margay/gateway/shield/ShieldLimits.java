package io.margay.gateway.shield;

import java.time.Duration;

/// What the shield of a host may hold. Immutable.
///
/// @param addressesMax addresses of verified bots that are remembered, and as many others; beyond
///   it the one that was not asked for longest is forgotten
/// @param lookupsMax addresses that wait to be looked up; what claims to be a bot beyond it is
///   treated as any client
/// @param lookersMax threads that look up at the same time
/// @param namesMax names of one address that are looked at
/// @param verified how long it is remembered that an address is a bot's
/// @param refuted how long that it is not
/// @param failed how long that the name service did not know
/// @param keysMax clients whose costs are remembered; a power of two. Beyond it the one of eight
///   that has cost least is forgotten
/// @param pathsMax paths whose costs are remembered; a power of two
/// @param tarpitMax responses that are sent byte by byte at the same time; further ones are refused
/// @param question how long a challenge may be answered
/// @param answersMax answers of one address in a minute; further ones get 429
/// @param networkBudgets budgets that all passes of one network share: a pass costs little, so that
///   somebody may have many
public record ShieldLimits(
        int addressesMax,
        int lookupsMax,
        int lookersMax,
        int namesMax,
        Duration verified,
        Duration refuted,
        Duration failed,
        int keysMax,
        int pathsMax,
        int tarpitMax,
        Duration question,
        int answersMax,
        int networkBudgets) {
    public ShieldLimits {
        if (addressesMax < 1 || lookupsMax < 1 || lookersMax < 1 || namesMax < 1) {
            throw new IllegalArgumentException("lookups must be possible");
        }
        if (answersMax < 1 || networkBudgets < 1) {
            throw new IllegalArgumentException("one client must be able to pass");
        }
        if (Integer.bitCount(keysMax) != 1 || keysMax < 8 || Integer.bitCount(pathsMax) != 1) {
            throw new IllegalArgumentException("keysMax and pathsMax must be powers of two");
        }
    }

    /// 10 000 addresses, 100 lookups of which 4 at the same time, 4 names; a day, ten minutes, one
    /// minute; 65 536 clients, 4 096 paths; 100 in the tarpit; ten minutes; 60 answers, 16 budgets.
    public static ShieldLimits defaults() {
        return new ShieldLimits(
                10_000,
                100,
                4,
                4,
                Duration.ofDays(1),
                Duration.ofMinutes(10),
                Duration.ofMinutes(1),
                65_536,
                4_096,
                100,
                Duration.ofMinutes(10),
                60,
                16);
    }
}
