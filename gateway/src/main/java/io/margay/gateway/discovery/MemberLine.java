package io.margay.gateway.discovery;

import io.margay.gateway.config.Activation;
import io.margay.gateway.config.MemberSource;
import io.margay.gateway.config.PeerConfig;
import io.margay.gateway.config.PeerConfigShareBuilder;
import io.margay.gateway.config.PeerUrl;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A member as one line says it: its URL, then options as `margay.yaml` calls them, as in
/// `http://10.0.0.5:8080 route=a weight=2`. Immutable.
public record MemberLine(PeerUrl url, Map<String, String> options) {
    private static final Set<String> OPTIONS =
            Set.of(
                    "name",
                    "route",
                    "weight",
                    "distance",
                    "domain",
                    "redirect",
                    "activation",
                    "standby",
                    "spare",
                    "busy-max",
                    "zone",
                    "ignore-errors");

    /// @throws IllegalArgumentException when an option is none, or no word
    public MemberLine {
        options = Map.copyOf(options);
        options.forEach((key, value) -> {
            if (!OPTIONS.contains(key) || value.chars().anyMatch(MemberLine::isBlank)) {
                throw new IllegalArgumentException(
                        "\"" + key + "=" + value + "\" is not an option of a member");
            }
        });
    }

    private static boolean isBlank(int character) {
        return Character.isWhitespace(character) || Character.isISOControl(character);
    }

    /// Reads a line.
    ///
    /// @param most characters that it may have
    /// @throws IllegalArgumentException saying what is wrong with it
    public static MemberLine parse(String line, int most) {
        if (line.length() > most) {
            throw new IllegalArgumentException("more than " + most + " characters");
        }
        String[] words = line.split("\\s+");
        Map<String, String> options = new HashMap<>();
        for (int i = 1; i < words.length; i++) {
            int equals = words[i].indexOf('=');
            String key = equals < 0 ? words[i] : words[i].substring(0, equals);
            if (equals < 0 || !OPTIONS.contains(key)) {
                throw new IllegalArgumentException(
                        "\"" + words[i] + "\" is not an option of a member");
            }
            if (options.put(key, words[i].substring(equals + 1)) != null) {
                throw new IllegalArgumentException("\"" + key + "\" is given twice");
            }
        }
        return new MemberLine(PeerUrl.parse(words[0]), options);
    }

    /// The member, called by its name, or else by its URL.
    ///
    /// @param byRoute whether it is called by its route where it has no name
    /// @throws IllegalArgumentException when an option makes no sense
    public PeerConfig member(MemberSource source, boolean byRoute) {
        PeerConfig.Share share = share(source.pattern().share());
        String own = options.get("name");
        String name = own == null && byRoute && !share.route().isEmpty() ? share.route() : own;
        return source.member(
                name == null ? url.address().toString() : name, url.address(), url.path(), share);
    }

    /// As it is parsed.
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(url.toString());
        new TreeMap<>(options)
                .forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
        return line.toString();
    }

    private PeerConfig.Share share(PeerConfig.Share byDefault) {
        return PeerConfigShareBuilder.builder()
                .route(options.getOrDefault("route", options.getOrDefault("name", "")))
                .domain(options.getOrDefault("domain", byDefault.domain()))
                .redirect(options.getOrDefault("redirect", byDefault.redirect()))
                .weight(weight(byDefault.weight()))
                .distance(whole("distance", byDefault.distance(), 1_000))
                .activation(activation(byDefault.activation()))
                .roles(
                        new PeerConfig.Share.Roles(
                                flag("standby", byDefault.standby()),
                                flag("spare", byDefault.spare()),
                                flag("ignore-errors", byDefault.ignoreErrors())))
                .zone(options.getOrDefault("zone", byDefault.zone()))
                .busyMax(whole("busy-max", byDefault.busyMax(), 1_000_000))
                .build();
    }

    private double weight(double byDefault) {
        String text = options.get("weight");
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,7}([.][0-9]{1,6})?") || text.matches("[0.]+")) {
            throw new IllegalArgumentException("weight must be a number above 0, not " + text);
        }
        return Double.parseDouble(text);
    }

    private int whole(String key, int byDefault, int most) {
        String text = options.get(key);
        if (text == null) {
            return byDefault;
        }
        if (!text.matches("[0-9]{1,7}") || Integer.parseInt(text) > most) {
            throw new IllegalArgumentException(
                    key + " must be a whole number from 0 to " + most + ", not " + text);
        }
        return Integer.parseInt(text);
    }

    private Activation activation(Activation byDefault) {
        String text = options.get("activation");
        if (text == null) {
            return byDefault;
        }
        for (Activation each : Activation.values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "activation must be active, disabled or stopped, not " + text);
    }

    private boolean flag(String key, boolean byDefault) {
        String text = options.get(key);
        if (text == null) {
            return byDefault;
        }
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException(key + " must be true or false, not " + text);
        }
        return text.equals("true");
    }
}
