package io.margay.gateway.cache;

import java.util.Collection;
import java.util.List;
import java.util.Locale;

/// What is to be removed from caches. Immutable.
///
/// @param what a URL, or the beginning of some, each with scheme and authority or a path of any of
///   them; or a tag of `Cache-Tag` or `Surrogate-Key`
public record CachePurge(Kind kind, String what) {
    /// By what it is found.
    public enum Kind {
        URL,
        PREFIX,
        TAG;

        /// The word of commands.
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public CachePurge {
        boolean isTarget = what.startsWith("/") || what.contains("://");
        if (what.isBlank() || (kind != Kind.TAG && !isTarget)) {
            throw new IllegalArgumentException(
                    "what is removed is a URL as in https://shop.example/page, a path, or a tag");
        }
        what = kind == Kind.TAG ? what : lowered(what);
    }

    /// A URL with scheme and authority as keys have them.
    private static String lowered(String url) {
        int authority = url.startsWith("/") ? -1 : url.indexOf("://");
        int path = authority < 0 ? 0 : url.indexOf('/', authority + 3);
        int end = path < 0 ? url.length() : path;
        return url.substring(0, end).toLowerCase(Locale.ROOT) + url.substring(end);
    }

    /// Of two words, as in `tag blue`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static CachePurge of(List<String> words) {
        for (Kind kind : Kind.values()) {
            if (words.size() == 2 && words.getFirst().equals(kind.word())) {
                return new CachePurge(kind, words.getLast());
            }
        }
        throw new IllegalArgumentException("what is removed is url URL, prefix PREFIX or tag TAG");
    }

    /// Removes it.
    ///
    /// @return how many URLs were kept
    public int from(Collection<HostCache> caches) {
        return caches.stream()
                .mapToInt(cache ->
                        switch (kind) {
                            case URL -> cache.purge(what);
                            case PREFIX -> cache.purgeBelow(what);
                            case TAG -> cache.purgeTag(what);
                        })
                .sum();
    }
}
