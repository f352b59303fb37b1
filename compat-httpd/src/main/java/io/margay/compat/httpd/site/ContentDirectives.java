package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdDirective;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.BandwidthRule;
import io.margay.gateway.rules.CompressionRule;
import io.margay.gateway.rules.ExpiryRule;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.server.compression.Coding;
import io.margay.server.compression.CompressionConfig;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads what says which responses are compressed (mod_deflate and mod_brotli, by filters) or sent
/// slowly (mod_ratelimit), and how long clients may keep them (mod_expires). Confined to one
/// reading.
final class ContentDirectives {
    /// The directives that it reads.
    static final Set<HttpdDirective> KNOWN =
            EnumSet.of(
                    HttpdDirective.SET_OUTPUT_FILTER,
                    HttpdDirective.ADD_OUTPUT_FILTER,
                    HttpdDirective.ADD_OUTPUT_FILTER_BY_TYPE,
                    HttpdDirective.REMOVE_OUTPUT_FILTER,
                    HttpdDirective.DEFLATE_COMPRESSION_LEVEL,
                    HttpdDirective.DEFLATE_ALTER_E_TAG,
                    HttpdDirective.EXPIRES_ACTIVE,
                    HttpdDirective.EXPIRES_DEFAULT,
                    HttpdDirective.EXPIRES_BY_TYPE);

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

    private final ReadingContext context;

    ContentDirectives(ReadingContext context) {
        this.context = context;
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

    /// `SetOutputFilter FILTER[;FILTER…]`, whatever the media type.
    private void setFilter(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() != 1) {
            context.wrong(node, "write SetOutputFilter FILTER");
        } else if (node.argument(0).equalsIgnoreCase("none")) {
            context.honoured(node);
            add(server, section, section.conditions(), List.of(), List.of("*"), true);
            bandwidth(server, section, FULL);
        } else {
            boolean slow = isSlow(node);
            bandwidth(server, section, slow ? BY_VARIABLES : FULL);
            List<Coding> codings = codings(node, node.argument(0), slow);
            if (!codings.isEmpty()) {
                add(server, section, section.conditions(), codings, List.of("*"), true);
            }
        }
    }

    /// `AddOutputFilter FILTER[;FILTER…] EXTENSION…`.
    private void addFilter(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() < 2) {
            context.wrong(node, "write AddOutputFilter FILTER EXTENSION");
            return;
        }
        boolean slow = isSlow(node);
        List<Coding> codings = codings(node, node.argument(0), slow);
        for (String extension : extensions(node, 1)) {
            bandwidth(server, section, extension, false, slow ? BY_VARIABLES : FULL);
        }
        if (!codings.isEmpty()) {
            String any =
                    String.join("|", extensions(node, 1).stream().map(Pattern::quote).toList());
            List<Condition> when = having(section, "(" + any + ")");
            add(server, section, when, codings, List.of("*"), false);
        }
    }

    /// `RemoveOutputFilter EXTENSION…`, whatever stands beside it in its section.
    private void removeFilter(HttpdNode node, HttpdServer server, HttpdSection section) {
        context.changed(
                node,
                "takes back RATE_LIMIT alone, and what compresses stays: write SetOutputFilter"
                        + " none");
        extensions(node, 0).forEach(extension -> bandwidth(server, section, extension, true, FULL));
    }

    private static List<String> extensions(HttpdNode node, int from) {
        return node.arguments().stream()
                .skip(from)
                .map(word -> word.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT))
                .toList();
    }

    /// About files with an extension, which need not be the last.
    private static List<Condition> having(HttpdSection section, String extension) {
        List<Condition> when = new ArrayList<>(section.conditions());
        String regex = "\\." + extension + "(\\.[^/]*)?$";
        when.add(new Condition("%{REQUEST_URI}", regex, true, false, false));
        return when;
    }

    /// Whether it has responses sent slowly.
    private boolean isSlow(HttpdNode node) {
        boolean slow =
                Arrays.stream(node.argument(0).split(";", -1))
                        .anyMatch(RATE_LIMIT::equalsIgnoreCase);
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

    /// For all that a section is about.
    private static void bandwidth(
            HttpdServer server, HttpdSection section, BandwidthRule.Speed speed) {
        rule(server, section, section.conditions(), speed, List.of(), WHOLE);
    }

    /// For files with an extension.
    ///
    /// @param removes whether it counts whatever else the section says, before and after it
    private static void bandwidth(
            HttpdServer server,
            HttpdSection section,
            String extension,
            boolean removes,
            BandwidthRule.Speed speed) {
        String group = BY_EXTENSION + extension;
        List<HttpdContent.Bandwidth> all = server.content.bandwidths;
        boolean removed =
                all.stream()
                        .anyMatch(one ->
                                one.section().equals(section)
                                        && one.rule().group().equals(group)
                                        && one.removes());
        if (!removed) {
            List<Condition> when = having(section, Pattern.quote(extension));
            all.add(
                    new HttpdContent.Bandwidth(
                            section,
                            new BandwidthRule(section.match(), when, speed, List.of(), group),
                            removes));
        }
    }

    private static void rule(
            HttpdServer server,
            HttpdSection section,
            List<Condition> when,
            BandwidthRule.Speed speed,
            List<String> types,
            String group) {
        server.content.bandwidths.add(
                new HttpdContent.Bandwidth(
                        section,
                        new BandwidthRule(section.match(), when, speed, types, group),
                        false));
    }

    /// For responses of some types, in the place of what the sections before say of types.
    private static void bandwidth(HttpdServer server, HttpdSection section, List<String> types) {
        boolean first =
                server.content.bandwidths.stream()
                        .noneMatch(one ->
                                one.section().equals(section)
                                        && one.rule().group().equals(BY_TYPE));
        if (first) {
            rule(server, section, section.conditions(), FULL, List.of(), BY_TYPE);
        }
        rule(server, section, section.conditions(), BY_VARIABLES, types, BY_TYPE);
    }

    /// `AddOutputFilterByType FILTER[;FILTER…] TYPE…`.
    private void filterByType(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (node.size() < 2) {
            context.wrong(node, "write AddOutputFilterByType FILTER TYPE");
            return;
        }
        boolean slow = isSlow(node);
        List<Coding> codings = codings(node, node.argument(0), slow);
        if (codings.isEmpty() && !slow) {
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
        if (slow) {
            bandwidth(server, section, types);
        }
        if (!codings.isEmpty()) {
            add(server, section, section.conditions(), codings, types, false);
        }
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
            } else if (!slow || !filter.equalsIgnoreCase(RATE_LIMIT)) {
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

    /// A rule for each coding, the last that is asked first; as the modules look at their
    /// variables: with `no-gzip` no gzip, with `gzip-only-text/html` none of another type, with
    /// `no-brotli` no br.
    private void add(
            HttpdServer server,
            HttpdSection section,
            List<Condition> when,
            List<Coding> codings,
            List<String> types,
            boolean whole) {
        if (codings.isEmpty()) {
            rule(server, section, when, codings, types, whole);
        }
        for (Coding coding : codings.reversed()) {
            List<Coding> one = List.of(coding);
            List<Condition> allowed = new ArrayList<>(when);
            boolean gzip = coding == Coding.GZIP;
            allowed.add(not(context.variables().isSet(gzip ? "no-gzip" : "no-brotli")));
            if (!gzip) {
                rule(server, section, allowed, one, types, whole);
                continue;
            }
            List<String> others = types.stream().filter(type -> !type.equals(HTML)).toList();
            if (types.contains(HTML) || types.contains("*")) {
                rule(server, section, allowed, one, List.of(HTML), whole);
            }
            if (!others.isEmpty()) {
                List<Condition> modern = new ArrayList<>(allowed);
                modern.add(not(context.variables().isSet("gzip-only-text/html")));
                rule(server, section, modern, one, others, whole);
            }
        }
    }

    private static void rule(
            HttpdServer server,
            HttpdSection section,
            List<Condition> when,
            List<Coding> codings,
            List<String> types,
            boolean whole) {
        CompressionConfig what =
                CompressionConfig.defaults().withCodings(codings).withMinBytes(0).withTypes(types);
        server.content.compressions.add(
                new HttpdContent.Compression(
                        section, new CompressionRule(section.match(), when, what), whole));
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
        if (on) {
            server.content.active.add(section);
        } else {
            server.content.expiries.add(
                    new HttpdContent.Expiry(
                            section,
                            new ExpiryRule(
                                    section.match(),
                                    section.conditions(),
                                    "",
                                    ExpiryRule.Base.NEVER,
                                    0)));
        }
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
                                section.match(),
                                section.conditions(),
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
        if (from == words.size() || (words.size() - from) % 2 != 0) {
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
