package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.access.handler.FileHandler;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.SubstitutionRule;
import io.margay.gateway.rules.SubstitutionRule.Responses;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads what says which responses are compressed (mod_deflate and mod_brotli, by filters) or sent
/// slowly (mod_ratelimit), and how long clients may keep them (mod_expires). Confined to one
/// reading.
final class ContentDirectives {
    /// The filter that replaces text (mod_substitute).
    private static final String SUBSTITUTE = "SUBSTITUTE";

    /// The filters that compress.
    private static final Map<String, Coding> FILTERS =
            Map.of("deflate", Coding.GZIP, "brotli_compress", Coding.BROTLI);

    /// The filter that sends slowly (mod_ratelimit), and its variables, in KiB.
    private static final String RATE_LIMIT = "RATE_LIMIT";

    private static final BandwidthRule.Named BY_VARIABLES =
            new BandwidthRule.Named("rate-limit", "rate-initial-burst");
    private static final BandwidthRule.Speed FULL = new BandwidthRule.Fixed(0, 0);

    // What takes the place of what: httpd has a chain of filters of each, and puts them together.
    private static final String WHOLE = "";
    private static final String BY_TYPE = "by-type";
    private static final String BY_EXTENSION = "extension-";

    private static final String HTML = "text/html";
    private static final List<String> ANY_TYPE = List.of("*");

    /// The filter that runs what pages say (mod_include).
    private static final String INCLUDES = "INCLUDES";

    private final HttpdConfig config;
    private final ReadingContext context;

    ContentDirectives(HttpdConfig config) {
        this.config = config;
        context = config.context;
    }

    void read(HttpdDirective directive, HttpdNode node, HttpdServer server, HttpdSection section) {
        switch (directive) {
            case SET_OUTPUT_FILTER -> setFilter(node, server, section);
            case ADD_OUTPUT_FILTER -> addFilter(node, server, section);
            case ADD_OUTPUT_FILTER_BY_TYPE -> filterByType(node, server, section);
            case REMOVE_OUTPUT_FILTER -> removeFilter(node, server, section);
            case DEFLATE_COMPRESSION_LEVEL -> level(node, server);
            case DEFLATE_ALTER_E_TAG ->
                    context.changed(
                            node,
                            "the ETag of a compressed response becomes weak, and is recognised when"
                                    + " it comes back");
            case EXPIRES_ACTIVE -> active(node, server, section);
            case EXPIRES_DEFAULT -> expires(node, server, section, "", node.arguments());
            case EXPIRES_BY_TYPE -> {
                List<String> words = node.arguments();
                if (words.size() < 2) {
                    context.wrong(node, "write ExpiresByType TYPE TIME");
                } else {
                    String type = words.getFirst().toLowerCase(Locale.ROOT);
                    expires(node, server, section, type, words.subList(1, words.size()));
                }
            }
            default -> throw new IllegalStateException(directive.word());
        }
    }

    // Filters

    /// Which of two chains has its filters before those of the other.
    static int order(String chain) {
        return chain.startsWith(BY_EXTENSION) ? 0 : chain.equals(WHOLE) ? 1 : 2;
    }

    /// `SetOutputFilter FILTER[;FILTER…]`, whatever the media type.
    private void setFilter(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() != 1) {
            context.wrong(node, "write SetOutputFilter FILTER");
            return;
        }
        boolean none = node.argument(0).equalsIgnoreCase("none");
        if (includes(node)) {
            config.access(section, server).programs(node);
            return;
        }
        boolean slow = !none && isSlow(node);
        List<Coding> codings = none ? List.of() : codings(node, node.argument(0), slow);
        if (none) {
            context.honoured(node);
        }
        Place place = new Place(server, section, section.mapped(), WHOLE);
        bandwidth(place, slow ? BY_VARIABLES : FULL, List.of(), false);
        substitution(place, has(node, SUBSTITUTE) ? ANY_TYPE : List.of());
        compression(place, codings);
    }

    /// `AddOutputFilter FILTER[;FILTER…] EXTENSION…`.
    private void addFilter(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() < 2) {
            context.wrong(node, "write AddOutputFilter FILTER EXTENSION");
            return;
        }
        if (includes(node)) {
            config.access(section, server).endings(extensions(node, 1), () -> FileHandler.PROGRAM);
            context.changed(node, "pages with server-side includes get 404");
            return;
        }
        boolean slow = isSlow(node);
        List<Coding> codings = codings(node, node.argument(0), slow);
        for (String extension : extensions(node, 1)) {
            Place place = having(server, section, extension);
            if (!place.isRemoved()) {
                bandwidth(place, slow ? BY_VARIABLES : FULL, List.of(), false);
                substitution(place, has(node, SUBSTITUTE) ? ANY_TYPE : List.of());
                compression(place, codings);
            }
        }
    }

    /// `RemoveOutputFilter EXTENSION…`, whatever stands beside it in its section.
    private void removeFilter(HttpdNode node, HttpdServer server, HttpdSection section) {
        context.honoured(node);
        for (String extension : extensions(node, 0)) {
            Place place = having(server, section, extension);
            bandwidth(place, FULL, List.of(), true);
            substitution(place, List.of());
            compression(place, List.of());
        }
    }

    private static List<String> extensions(HttpdNode node, int from) {
        return node.arguments().stream()
                .skip(from)
                .map(word -> word.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT))
                .toList();
    }

    /// Where filters are said for files with an extension, which need not be the last.
    private static Place having(HttpdServer server, HttpdSection section, String extension) {
        List<Condition> when = new ArrayList<>(section.mapped());
        String regex = "\\." + Pattern.quote(extension) + "(\\.[^/]*)?$";
        // What is for no file goes by its path.
        when.add(new Condition("%{MAPPED_NAME}", regex, true, false, true));
        when.add(new Condition("%{REQUEST_URI}", regex, true, false, false));
        when.add(new Condition("%{MAPPED_NAME}", regex, true, false, true));
        when.add(new Condition("%{MAPPED_FILE}", ".", false, true, false));
        return new Place(server, section, when, BY_EXTENSION + extension);
    }

    private static boolean includes(HttpdNode node) {
        return has(node, INCLUDES);
    }

    private static boolean has(HttpdNode node, String filter) {
        return Arrays.stream(node.argument(0).split(";", -1)).anyMatch(filter::equalsIgnoreCase);
    }

    /// Whether it has responses sent slowly.
    private boolean isSlow(HttpdNode node) {
        boolean slow = has(node, RATE_LIMIT);
        if (slow) {
            keepSpeeds(context);
        }
        return slow;
    }

    /// Has the variables kept that say how slowly.
    static void keepSpeeds(ReadingContext context) {
        String _ = context.variables().reference(BY_VARIABLES.rate());
        String _ = context.variables().reference(BY_VARIABLES.after());
    }

    /// What one chain of filters is about.
    ///
    /// @param when what must hold of requests
    /// @param group the chain
    private record Place(
            HttpdServer server, HttpdSection section, List<Condition> when, String group) {
        /// The same with another chain.
        Place in(String other) {
            return new Place(server, section, when, other);
        }

        /// What the section has said of the chain.
        <T extends HttpdContent.OfChain> Stream<T> said(List<T> all) {
            return all.stream()
                    .filter(one -> one.section().equals(section) && one.chain().equals(group));
        }

        /// Whether the section has said that there are no filters.
        boolean isRemoved() {
            return said(server.content.bandwidths).anyMatch(HttpdContent.Bandwidth::removes);
        }
    }

    private static void bandwidth(
            Place place, BandwidthRule.Speed speed, List<String> types, boolean removes) {
        BandwidthRule rule =
                new BandwidthRule(place.section.paths(), place.when, speed, types, place.group);
        place.server.content.bandwidths.add(
                new HttpdContent.Bandwidth(place.section, rule, removes));
    }

    /// For responses of some types, in the place of what the sections before say of types.
    private static void bandwidth(Place place, List<String> types) {
        if (place.said(place.server.content.bandwidths).findAny().isEmpty()) {
            bandwidth(place, FULL, List.of(), false);
        }
        bandwidth(place, BY_VARIABLES, types, false);
    }

    /// `AddOutputFilterByType FILTER[;FILTER…] TYPE…`.
    private void filterByType(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() < 2) {
            context.wrong(node, "write AddOutputFilterByType FILTER TYPE");
            return;
        }
        if (includes(node)) {
            context.wrong(node, "pages with server-side includes are not run, nor sent as files");
            return;
        }
        boolean slow = isSlow(node);
        List<Coding> codings = codings(node, node.argument(0), slow);
        boolean replaces = has(node, SUBSTITUTE);
        if (codings.isEmpty() && !slow && !replaces) {
            return;
        }
        List<String> types = new ArrayList<>();
        for (String type : node.arguments().subList(1, node.size())) {
            // httpd knows no patterns here, and no type is spelled so.
            if (type.matches("[!#$&^_.+A-Za-z0-9-]+/[!#$&^_.+A-Za-z0-9-]+")) {
                types.add(type.toLowerCase(Locale.ROOT));
            } else {
                context.changed(node, "\"" + type + "\" is not a media type, and is ignored");
            }
        }
        if (types.isEmpty()) {
            return;
        }
        Place place = new Place(server, section, section.mapped(), BY_TYPE);
        if (slow) {
            bandwidth(place, types);
        }
        if (replaces) {
            if (isCompressedBefore(node, server, types)) {
                context.changed(
                        node,
                        "text is replaced before DEFLATE compresses it, which httpd does in this"
                                + " order for no client that takes gzip");
            }
            substitution(place, types);
        }
        for (Coding coding : codings) {
            compression(place.in(BY_TYPE + "-" + coding.token()), coding, types);
        }
    }

    /// Whether httpd compresses responses of one of the types before it replaces text in them.
    private boolean isCompressedBefore(HttpdNode node, HttpdServer server, List<String> types) {
        List<String> filters = List.of(node.argument(0).toUpperCase(Locale.ROOT).split(";", -1));
        boolean here =
                filters.subList(0, filters.indexOf(SUBSTITUTE)).stream()
                        .anyMatch(filter -> FILTERS.containsKey(filter.toLowerCase(Locale.ROOT)));
        return here
                || Stream.of(config.main, server)
                        .flatMap(one -> one.content.compressions.stream())
                        .filter(one -> one.chain().startsWith(BY_TYPE) && !one.stops())
                        .flatMap(one -> one.rule().what().types().stream())
                        .anyMatch(types::contains);
    }

    /// In which responses of a place text is replaced.
    private static void substitution(Place place, List<String> types) {
        boolean first = place.said(place.server.content.substitutions).findAny().isEmpty();
        if (first && place.group.equals(BY_TYPE)) {
            add(place, List.of());
        }
        add(place, types);
    }

    private static void add(Place place, List<String> types) {
        SubstitutionRule rule =
                new SubstitutionRule(
                        place.section.paths(), place.when, new Responses(types, place.group));
        place.server.content.substitutions.add(new HttpdContent.Substitution(place.section, rule));
    }

    /// What of the filters compresses; the account says what does not.
    ///
    /// @param slow whether the one that sends slowly is followed
    private List<Coding> codings(HttpdNode node, String filters, boolean slow) {
        List<Coding> codings = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (String filter : filters.split(";", -1)) {
            Coding coding = FILTERS.get(filter.toLowerCase(Locale.ROOT));
            if (coding != null) {
                codings.add(coding);
            } else if (!filter.equalsIgnoreCase(SUBSTITUTE)
                    && (!slow || !filter.equalsIgnoreCase(RATE_LIMIT))) {
                others.add(filter);
            }
        }
        if (others.isEmpty()) {
            context.honoured(node);
        } else {
            context.changed(node, String.join(", ", others) + " is not supported as a filter");
        }
        return codings;
    }

    /// In the place of what was said before, a rule for each coding, the last that is asked first.
    private void compression(Place place, List<Coding> codings) {
        add(place, place.when, List.of(), ANY_TYPE);
        for (Coding coding : codings.reversed()) {
            add(place, coding, ANY_TYPE);
        }
    }

    /// For responses of some types, in the place of what the sections before say of types.
    private void compression(Place place, Coding coding, List<String> types) {
        if (place.said(place.server.content.compressions).findAny().isEmpty()) {
            add(place, place.when, List.of(), ANY_TYPE);
        }
        add(place, coding, types);
    }

    /// As the modules look at their variables: with `no-gzip` no gzip, with `gzip-only-text/html`
    /// none of another type, with `no-brotli` no br.
    private void add(Place place, Coding coding, List<String> types) {
        List<Coding> one = List.of(coding);
        List<Condition> allowed = new ArrayList<>(place.when);
        boolean gzip = coding == Coding.GZIP;
        allowed.add(not(context.variables().isSet(gzip ? "no-gzip" : "no-brotli")));
        if (!gzip) {
            add(place, allowed, one, types);
            return;
        }
        List<String> others = types.stream().filter(type -> !type.equals(HTML)).toList();
        if (types.contains(HTML) || types.equals(ANY_TYPE)) {
            add(place, allowed, one, List.of(HTML));
        }
        if (!others.isEmpty()) {
            List<Condition> modern = new ArrayList<>(allowed);
            modern.add(not(context.variables().isSet("gzip-only-text/html")));
            add(place, modern, one, others);
        }
    }

    private static void add(
            Place place, List<Condition> when, List<Coding> codings, List<String> types) {
        CompressionConfig what =
                CompressionConfig.defaults().withCodings(codings).withMinBytes(0).withTypes(types);
        CompressionRule rule = new CompressionRule(place.section.paths(), when, what, place.group);
        place.server.content.compressions.add(new HttpdContent.Compression(place.section, rule));
    }

    private static Condition not(Condition one) {
        return new Condition(one.value(), one.regex(), one.anyCase(), true, false);
    }

    private void level(HttpdNode node, HttpdServer server) {
        if (!node.argument(0).matches("[1-9]")) {
            context.wrong(node, "write DeflateCompressionLevel and a number from 1 to 9");
            return;
        }
        context.honoured(node);
        server.content.level = Integer.parseInt(node.argument(0));
    }

    // Expiry

    private void active(HttpdNode node, HttpdServer server, HttpdSection section) {
        boolean on = node.argument(0).equalsIgnoreCase("on");
        if (!on && !node.argument(0).equalsIgnoreCase("off")) {
            context.wrong(node, "write ExpiresActive On or Off");
            return;
        }
        context.honoured(node);
        server.content.expiries.add(
                new HttpdContent.Expiry(
                        section, ExpiryRule.of(section.paths(), section.mapped(), on)));
    }

    private void expires(
            HttpdNode node,
            HttpdServer server,
            HttpdSection section,
            String type,
            List<String> words) {
        List<String> all =
                words.stream().flatMap(word -> Arrays.stream(word.strip().split("\\s+"))).toList();
        ExpiryRule.Base base = base(all.getFirst());
        OptionalLong seconds = base == null ? OptionalLong.empty() : seconds(all);
        if (base == null || seconds.isEmpty()) {
            context.wrong(
                    node, "\"" + String.join(" ", words) + "\" is not a time as access plus 1 day");
            return;
        }
        context.honoured(node);
        server.content.expiries.add(
                new HttpdContent.Expiry(
                        section,
                        new ExpiryRule(
                                section.paths(),
                                section.mapped(),
                                type,
                                base,
                                seconds.getAsLong())));
    }

    private static ExpiryRule.@Nullable Base base(String word) {
        String lower = word.toLowerCase(Locale.ROOT);
        return switch (lower) {
            case "access", "now" -> ExpiryRule.Base.ACCESS;
            case "modification" -> ExpiryRule.Base.MODIFIED;
            default ->
                    lower.matches("a[0-9]{1,10}")
                            ? ExpiryRule.Base.ACCESS
                            : lower.matches("m[0-9]{1,10}") ? ExpiryRule.Base.MODIFIED : null;
        };
    }

    /// `A3600`, or `access [plus] NUMBER UNIT …`.
    private static OptionalLong seconds(List<String> words) {
        if (words.getFirst().matches("[AMam][0-9]+")) {
            return words.size() == 1
                    ? OptionalLong.of(Long.parseLong(words.getFirst().substring(1)))
                    : OptionalLong.empty();
        }
        int from = words.size() > 1 && words.get(1).equalsIgnoreCase("plus") ? 2 : 1;
        if ((words.size() - from) % 2 != 0) {
            return OptionalLong.empty();
        }
        long sum = 0;
        for (int i = from; i < words.size(); i += 2) {
            long unit = unit(words.get(i + 1).toLowerCase(Locale.ROOT));
            if (unit == 0 || !words.get(i).matches("[0-9]{1,6}")) {
                return OptionalLong.empty();
            }
            sum += Long.parseLong(words.get(i)) * unit;
        }
        return OptionalLong.of(sum);
    }

    private static long unit(String word) {
        String one = word.endsWith("s") ? word.substring(0, word.length() - 1) : word;
        return switch (one) {
            case "year" -> 365 * 86_400L;
            case "month" -> 30 * 86_400L;
            case "week" -> 7 * 86_400L;
            case "day" -> 86_400L;
            case "hour" -> 3600;
            case "minute", "min" -> 60;
            case "second", "sec" -> 1;
            default -> 0;
        };
    }
}
