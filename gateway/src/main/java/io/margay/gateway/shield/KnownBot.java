package io.margay.gateway.shield;

import io.margay.gateway.rules.RuleLimits;
import io.margay.gateway.rules.regex.BoundedRegex;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A bot that says who it is, and how that is verified. Immutable.
///
/// @param agent a regular expression, found in the `User-Agent` of its requests whatever the case
/// @param domains in which the names of its addresses are, without a dot at either end
/// @param networks where the list of its networks is; null = there is none
public record KnownBot(String name, String agent, List<String> domains, @Nullable URI networks) {
    private static final Pattern DOMAIN =
            Pattern.compile("(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)++[a-z0-9-]{2,63}");

    public KnownBot {
        Object _ = pattern(agent);
        domains = domains.stream().map(domain -> domain.toLowerCase(Locale.ROOT)).toList();
        if (domains.isEmpty() && networks == null) {
            throw new IllegalArgumentException("the bot " + name + " needs domains or networks");
        }
        if (networks != null && (networks.getHost() == null || !isSafe(networks))) {
            throw new IllegalArgumentException("networks are at https://HOST/PATH");
        }
        for (String domain : domains) {
            if (!DOMAIN.matcher(domain).matches()) {
                throw new IllegalArgumentException("\"" + domain + "\" is not a domain");
            }
        }
    }

    /// A bot whose addresses have names.
    public KnownBot(String name, String agent, List<String> domains) {
        this(name, agent, domains, null);
    }

    private static boolean isSafe(URI list) {
        return "https".equals(list.getScheme())
                || ("http".equals(list.getScheme()) && list.getHost().matches("127[.][0-9.]+"));
    }

    /// A bot by a part of what it says.
    public static KnownBot of(String name, String agent, String... domains) {
        return new KnownBot(name, agent, List.of(domains));
    }

    /// Search engines that say how they are verified by name.
    public static final List<KnownBot> SEARCH_ENGINES =
            List.of(
                    of(
                            "googlebot",
                            "Googlebot|Google-InspectionTool",
                            "googlebot.com",
                            "google.com"),
                    of("bingbot", "bingbot|msnbot|adidxbot", "search.msn.com"),
                    of("applebot", "Applebot", "applebot.apple.com"),
                    of(
                            "yandex",
                            "Yandex\\w*Bot|YandexBot",
                            "yandex.ru",
                            "yandex.net",
                            "yandex.com"),
                    of("baiduspider", "Baiduspider", "baidu.com", "baidu.jp"),
                    of("seznambot", "SeznamBot", "seznam.cz"),
                    of("petalbot", "PetalBot", "petalsearch.com", "aspiegel.com"));

    /// What is found in the `User-Agent` of its requests.
    BoundedRegex pattern() {
        return pattern(agent);
    }

    private static BoundedRegex pattern(String agent) {
        return BoundedRegex.of(agent, true, RuleLimits.defaults());
    }

    /// Whether a name of an address is one of its own.
    boolean owns(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String bare = lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
        return domains.stream().anyMatch(domain -> bare.endsWith("." + domain));
    }
}
