package io.margay.protocol.caching;

/// What a cache says of a request in `Cache-Status` (RFC 9211). Immutable.
public final class CacheStatus {
    /// The name of the field.
    public static final String FIELD = "Cache-Status";

    /// How the cache calls itself.
    private static final String NAME = "margay";

    private CacheStatus() {}

    /// What became of a request in one word, as nginx calls it.
    public enum Use {
        HIT,
        STALE,
        UPDATING,
        REVALIDATED,
        EXPIRED,
        MISS,
        BYPASS
    }

    /// Why a request went on to what is behind the cache (RFC 9211 §2.2).
    public enum Forward {
        BYPASS,
        METHOD,
        URI_MISS,
        VARY_MISS,
        REQUEST,
        STALE;

        private String word() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    /// It was answered from what is stored.
    ///
    /// @param secondsLeft for how long it is fresh yet; negative = it is stale
    /// @param detail a word, or empty
    public static String hit(long secondsLeft, String detail) {
        return NAME + "; hit; ttl=" + secondsLeft + (detail.isEmpty() ? "" : "; detail=" + detail);
    }

    /// It was answered by what is behind the cache.
    ///
    /// @param status of that answer; 0 = it is the one that the client gets
    public static String forwarded(Forward why, int status, boolean stored, boolean collapsed) {
        return NAME
                + "; fwd="
                + why.word()
                + (status == 0 ? "" : "; fwd-status=" + status)
                + (stored ? "; stored" : "")
                + (collapsed ? "; collapsed" : "");
    }

    /// Nothing was asked, and nothing is stored.
    public static String none(String detail) {
        return NAME + "; detail=" + detail;
    }
}
