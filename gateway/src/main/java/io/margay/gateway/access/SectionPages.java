package io.margay.gateway.access;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a section says of the pages that are sent where a path stands for no file. Immutable.
///
/// @param index names that are tried for a folder, in this order, as links in it: one that begins
///   with a slash is a path of the host; empty = none, null = the section says nothing
/// @param fallback what takes the place of a file that is not there, and of a folder without a
///   page, the same; empty = nothing does, null = the section says nothing
public record SectionPages(@Nullable List<String> index, @Nullable String fallback) {
    /// Of a section that says nothing.
    public static final SectionPages NONE = new SectionPages(null, null);

    public SectionPages {
        index = index == null ? null : List.copyOf(index);
    }

    /// What holds where a later section says something, too.
    public SectionPages then(SectionPages later) {
        return new SectionPages(
                later.index != null ? later.index : index,
                later.fallback != null ? later.fallback : fallback);
    }

    /// What may take the place of a page that is not there, by what is said where it would be: as
    /// in httpd before the next page is tried.
    enum Missing {
        NOTHING,

        /// What sections say, and not what holds for a whole route, where that says the pages, too:
        /// its fallback comes after all of them.
        BY_SECTIONS,
        BY_ALL
    }
}
