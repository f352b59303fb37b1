package io.margay.gateway.listing;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.PercentEncoding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Which of several files a client gets for a name without endings, and what it is told of the
/// choice: as httpd's own algorithm chooses (mod_negotiation). Immutable.
///
/// @param best null where the client takes none of them
/// @param fields of the response
public record VariantChoice(@Nullable Variant best, Map<String, String> fields) {
    /// How much a client likes a language of which it names another kind, such as `de` for `de-AT`.
    private static final float ALIKE = 0.001f;

    /// The same of a variant in no language, and of one that is sent for want of a better.
    private static final float POOR = 0.0001f;

    /// A file among which is chosen.
    ///
    /// @param name of the file
    /// @param type its media type, without parameters
    /// @param charset null = none is said
    /// @param language null = none is said
    /// @param encoding null = it is not encoded
    /// @param length in bytes
    public record Variant(
            String name,
            String type,
            @Nullable String charset,
            @Nullable String language,
            @Nullable String encoding,
            long length) {}

    /// A part of a field such as `Accept`.
    private record Item(String name, float quality, boolean said) {
        static List<Item> all(Fields fields, String field) {
            List<Item> items = new ArrayList<>();
            for (String part : String.join(",", fields.all(field)).split(",")) {
                String[] words = part.split(";");
                String name = words[0].strip().toLowerCase(Locale.ROOT);
                if (name.isEmpty()) {
                    continue;
                }
                float quality = 1;
                boolean said = false;
                for (int i = 1; i < words.length; i++) {
                    String word = words[i].strip();
                    if (word.regionMatches(true, 0, "q=", 0, 2)) {
                        quality = quality(word.substring(2).strip());
                        said = true;
                    }
                }
                items.add(new Item(name, quality, said));
            }
            return items;
        }

        /// What is no number below 1 is 1, as in httpd.
        private static float quality(String text) {
            return text.matches("0?\\.[0-9]{1,3}[0-9]{0,20}|0\\.?")
                    ? Float.parseFloat(text.equals("0.") ? "0" : text)
                    : 1;
        }
    }

    /// How much a client likes a variant.
    ///
    /// @param priority the place of its language in the order of the server; -1 = none
    private record Rated(
            Variant variant,
            float type,
            float language,
            int priority,
            float charset,
            float encoding,
            String encodingName) {
        boolean isTaken() {
            return type > 0 && language > 0 && charset > 0 && encoding > 0;
        }

        /// Whether it comes before another that is taken, too.
        boolean isBetterThan(Rated other) {
            if (type != other.type) {
                return type > other.type;
            }
            if (language != other.language) {
                return language > other.language;
            }
            if (priority != other.priority) {
                return priority >= 0 && (other.priority < 0 || priority < other.priority);
            }
            if (charset != other.charset) {
                return charset > other.charset;
            }
            if (isLatin(variant.charset) != isLatin(other.variant.charset)) {
                return isLatin(other.variant.charset);
            }
            return encoding != other.encoding
                    ? encoding > other.encoding
                    : variant.length < other.variant.length;
        }

        private static boolean isLatin(@Nullable String charset) {
            return charset == null || charset.equalsIgnoreCase("iso-8859-1");
        }
    }

    /// Chooses.
    ///
    /// @param variants by their names, at least one
    /// @param asked fields of the request
    /// @param isTold whether the client is told of the others, as with `GET`
    public static VariantChoice of(
            List<Variant> variants, Fields asked, boolean isTold, VariantSettings settings) {
        boolean languages = variants.stream().anyMatch(one -> one.language != null);
        Rated best = null;
        for (Variant variant : variants) {
            Rated rated = rated(variant, asked, languages, settings);
            if (rated.isTaken() && (best == null || rated.isBetterThan(best))) {
                best = rated;
            }
        }
        Map<String, String> fields = new LinkedHashMap<>();
        String vary = vary(variants, isTold);
        if (!vary.isEmpty()) {
            fields.put("Vary", vary);
        }
        if (isTold) {
            fields.put("TCN", best == null ? "list" : "choice");
        }
        if (best == null) {
            if (isTold) {
                fields.put("Alternates", alternates(variants));
            }
            return new VariantChoice(null, fields);
        }
        Variant variant = best.variant;
        if (isTold) {
            fields.put("Content-Location", PercentEncoding.path(variant.name));
        }
        if (variant.language != null) {
            fields.put("Content-Language", variant.language);
        }
        if (variant.encoding != null) {
            fields.put("Content-Encoding", best.encodingName);
        }
        return new VariantChoice(variant, fields);
    }

    private static Rated rated(
            Variant variant, Fields asked, boolean languages, VariantSettings settings) {
        int place =
                variant.language == null
                        ? -1
                        : settings.priority().indexOf(variant.language.toLowerCase(Locale.ROOT));
        float language = language(variant, asked, languages);
        boolean instead = language == 0 && settings.fallsBack() && place >= 0;
        Item coding = coding(variant, asked);
        return new Rated(
                variant,
                type(variant, asked),
                instead ? POOR : language,
                instead || settings.prefers() ? place : -1,
                charset(variant, asked),
                coding.quality,
                coding.name);
    }

    /// Where nothing is said of quality, wildcards count little, as those that browsers add.
    private static float type(Variant variant, Fields asked) {
        if (!asked.contains("Accept")) {
            return 1;
        }
        List<Item> items = Item.all(asked, "Accept");
        boolean said = items.stream().anyMatch(Item::said);
        String type = variant.type.toLowerCase(Locale.ROOT);
        String all = type.substring(0, type.indexOf('/') + 1) + "*";
        int exact = 0;
        float quality = 0;
        for (Item item : items) {
            int how =
                    item.name.equals(type)
                            ? 3
                            : item.name.equals(all)
                                    ? 2
                                    : item.name.equals("*/*") || item.name.equals("*") ? 1 : 0;
            if (how > 0 && how >= exact) {
                exact = how;
                quality = said || how == 3 ? item.quality : how == 2 ? 0.02f : 0.01f;
            }
        }
        return quality;
    }

    private static float language(Variant variant, Fields asked, boolean languages) {
        if (variant.language == null) {
            return languages ? POOR : 1;
        }
        if (!asked.contains("Accept-Language")) {
            return 1;
        }
        String language = variant.language.toLowerCase(Locale.ROOT);
        Item best = null;
        Item star = null;
        float like = 0;
        for (Item item : Item.all(asked, "Accept-Language")) {
            String name = item.name;
            if (name.equals("*")) {
                star = star == null ? item : star;
            } else if (language.equals(name) || language.startsWith(name + "-")) {
                best = best == null || name.length() > best.name.length() ? item : best;
            } else if (best == null && name.indexOf('-') > 0) {
                boolean same = language.startsWith(name.substring(0, name.indexOf('-')));
                like = same ? ALIKE : like;
            }
        }
        return best != null ? best.quality : star != null ? star.quality : like;
    }

    private static float charset(Variant variant, Fields asked) {
        boolean text = variant.type.startsWith("text/");
        String charset = variant.charset == null && text ? "iso-8859-1" : variant.charset;
        if (charset == null || !asked.contains("Accept-Charset")) {
            return 1;
        }
        Item found = named(Item.all(asked, "Accept-Charset"), charset, Function.identity());
        return found != null ? found.quality : charset.equalsIgnoreCase("iso-8859-1") ? 1 : 0;
    }

    /// How much its coding is liked, by the name that the client has for it.
    private static Item coding(Variant variant, Fields asked) {
        String coding = Objects.requireNonNullElse(variant.encoding, "identity");
        boolean none = variant.encoding == null;
        if (!asked.contains("Accept-Encoding")) {
            return new Item(coding, none ? 1 : 0.5f, false);
        }
        Item found =
                named(
                        Item.all(asked, "Accept-Encoding"),
                        coding,
                        name -> name.replaceFirst("^x-", ""));
        return found == null
                ? new Item(coding, none ? 0.0001f : 0, false)
                : found.name.equals("*") ? new Item(coding, found.quality, false) : found;
    }

    /// The item of a name, else that of all; null where there is neither.
    private static @Nullable Item named(
            List<Item> items, String name, Function<String, String> plain) {
        String wanted = plain.apply(name.toLowerCase(Locale.ROOT));
        Item star = null;
        for (Item item : items) {
            if (plain.apply(item.name).equals(wanted)) {
                return item;
            }
            star = star == null && item.name.equals("*") ? item : star;
        }
        return star;
    }

    /// By which fields the choice may differ.
    private static String vary(List<Variant> variants, boolean isTold) {
        StringJoiner vary = new StringJoiner(",");
        if (isTold) {
            vary.add("negotiate");
        }
        add(vary, "accept", variants, Variant::type);
        add(vary, "accept-language", variants, Variant::language);
        add(vary, "accept-charset", variants, Variant::charset);
        add(vary, "accept-encoding", variants, Variant::encoding);
        return vary.toString();
    }

    private static void add(
            StringJoiner to,
            String field,
            List<Variant> variants,
            Function<Variant, @Nullable String> of) {
        if (variants.stream().map(of).map(String::valueOf).distinct().count() > 1) {
            to.add(field);
        }
    }

    private static String alternates(List<Variant> variants) {
        StringJoiner all = new StringJoiner(", ");
        for (Variant one : variants) {
            StringBuilder text = new StringBuilder("{\"");
            text.append(PercentEncoding.path(one.name)).append("\" 1 {type ").append(one.type);
            text.append('}');
            for (Map.Entry<String, @Nullable String> said :
                    List.of(
                            entry("charset", one.charset),
                            entry("language", one.language),
                            entry("encoding", one.encoding))) {
                if (said.getValue() != null) {
                    text.append(" {").append(said.getKey()).append(' ');
                    text.append(said.getValue()).append('}');
                }
            }
            all.add(text.append(" {length ").append(one.length).append("}}"));
        }
        return all.toString();
    }

    private static Map.Entry<String, @Nullable String> entry(String name, @Nullable String value) {
        return new java.util.AbstractMap.SimpleImmutableEntry<>(name, value);
    }
}
