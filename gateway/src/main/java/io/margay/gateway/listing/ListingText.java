package io.margay.gateway.listing;

/// Cuts the texts about files, which may have tags and entities. Stateless.
final class ListingText {
    private ListingText() {}

    /// As many characters as there is room for; tags take none, an entity takes one.
    static String cut(String text, int width) {
        int left = width;
        int i = 0;
        while (i < text.length() && (left > 0 || text.charAt(i) == '<')) {
            char c = text.charAt(i);
            int end = c == '<' ? text.indexOf('>', i) : c == '&' ? text.indexOf(';', i) : i;
            if (end < 0) {
                return text;
            }
            left -= c == '<' ? 0 : 1;
            i = end + 1;
        }
        return left > 0 || i >= text.length() ? text : text.substring(0, i - 1) + ">";
    }
}
