package io.margay.gateway.listing;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The words of `IndexOptions` that are on or off.
enum ListingOption {
    FANCY_INDEXING("FancyIndexing"),
    FOLDERS_FIRST("FoldersFirst"),
    HTML_TABLE("HTMLTable"),
    ICONS_ARE_LINKS("IconsAreLinks"),
    IGNORE_CASE("IgnoreCase"),
    IGNORE_CLIENT("IgnoreClient"),
    SCAN_HTML_TITLES("ScanHTMLTitles"),
    SHOW_FORBIDDEN("ShowForbidden"),
    SUPPRESS_COLUMN_SORTING("SuppressColumnSorting"),
    SUPPRESS_DESCRIPTION("SuppressDescription"),
    SUPPRESS_PREAMBLE("SuppressHTMLPreamble"),
    SUPPRESS_ICON("SuppressIcon"),
    SUPPRESS_LAST_MODIFIED("SuppressLastModified"),
    SUPPRESS_RULES("SuppressRules"),
    SUPPRESS_SIZE("SuppressSize"),
    TRACK_MODIFIED("TrackModified"),
    USE_OLD_DATE_FORMAT("UseOldDateFormat"),
    VERSION_SORT("VersionSort"),
    XHTML("XHTML");

    private final String word;

    ListingOption(String word) {
        this.word = word;
    }

    static @Nullable ListingOption of(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        for (ListingOption option : values()) {
            if (option.word.toLowerCase(Locale.ROOT).equals(lower)) {
                return option;
            }
        }
        return null;
    }
}
