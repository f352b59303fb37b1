package io.margay.login.oidc;

import com.nimbusds.jose.util.JSONObjectUtils;
import io.margay.gateway.login.OpenIdClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What a provider says of a user. Immutable.
///
/// @param all the claims, of which those that the provider has signed come first
record TokenClaims(Map<String, Object> all) {
    /// What binds a token to an answer, and says nothing of a user.
    private static final Set<String> OF_TOKENS = Set.of("nonce", "at_hash", "c_hash", "s_hash");

    /// What cannot stand in the name of a field.
    private static final Pattern NO_TOKEN = Pattern.compile("[^A-Za-z0-9!#$%&'*+.^_`|~-]");

    /// Those of an ID token, and those that were asked for besides.
    static TokenClaims of(Map<String, Object> signed, Map<String, Object> asked) {
        Map<String, Object> both = new LinkedHashMap<>(asked);
        both.putAll(signed);
        return new TokenClaims(both);
    }

    /// The values of a claim, as texts.
    ///
    /// @param name of the claim, or of objects with the claim in the last one, with points between
    List<String> values(String name) {
        Object found = all.containsKey(name) ? all.get(name) : inner(name);
        return switch (found) {
            case null -> List.of();
            case List<?> list -> {
                List<String> values = new ArrayList<>();
                for (Object one : list) {
                    if (!(one instanceof Map<?, ?>) && one != null) {
                        values.add(one.toString());
                    }
                }
                yield values;
            }
            case Map<?, ?> _ -> List.of();
            default -> List.of(found.toString());
        };
    }

    private @Nullable Object inner(String name) {
        Object at = all;
        for (String part : name.split("\\.", -1)) {
            at = at instanceof Map<?, ?> object ? object.get(part) : null;
        }
        return at;
    }

    /// The user's name; null where it is none. A claim with `@` at its end has the provider's name
    /// behind it, as with mod_auth_openidc.
    @Nullable String user(OpenIdClient.Claims asked) {
        String claim = asked.user();
        boolean whole = claim.endsWith("@");
        List<String> names = values(whole ? claim.substring(0, claim.length() - 1) : claim);
        if (names.size() != 1 || names.getFirst().isBlank()) {
            return null;
        }
        String issuer = String.join("", values("iss")).replaceFirst("^https://", "");
        String name = names.getFirst() + (whole ? "@" + issuer : "");
        return name.chars().noneMatch(TokenClaims::isControl) ? name : null;
    }

    /// Whether it speaks of one of these, be it to say that there are no values.
    boolean has(List<String> names) {
        return names.stream()
                .anyMatch(
                        name -> all.containsKey(name) || all.containsKey(name.split("\\.", 2)[0]));
    }

    List<String> roles(OpenIdClient.Claims asked) {
        Set<String> roles = new LinkedHashSet<>();
        asked.roles().forEach(name -> roles.addAll(values(name)));
        return List.copyOf(roles);
    }

    /// Those that fields and requirements want.
    Map<String, List<String>> kept(OpenIdClient.Claims asked) {
        Map<String, List<String>> kept = new LinkedHashMap<>();
        asked.kept().forEach(name -> kept.put(name, values(name)));
        asked.fields().values().forEach(name -> kept.put(name, values(name)));
        OpenIdClient.Passed passed = asked.passed();
        if (passed != null) {
            all.keySet().stream()
                    .filter(name -> passed.has(name) && !OF_TOKENS.contains(name))
                    .forEach(name -> pass(name, passed, kept));
        }
        return kept;
    }

    /// As a field: yes and no as 1 and 0, objects as JSON.
    private void pass(String name, OpenIdClient.Passed passed, Map<String, List<String>> kept) {
        String field = passed.prefix() + NO_TOKEN.matcher(name).replaceAll("-");
        String text =
                switch (all.get(name)) {
                    case Map<?, ?> object -> JSONObjectUtils.toJSONString(texts(object));
                    case List<?> list ->
                            list.stream()
                                    .filter(one -> one != null && !(one instanceof Map<?, ?>))
                                    .map(TokenClaims::text)
                                    .collect(Collectors.joining(passed.delimiter()));
                    case null -> "";
                    case Object one -> text(one);
                };
        kept.putIfAbsent(field, List.of(text));
    }

    private static String text(Object value) {
        return value instanceof Boolean flag ? flag ? "1" : "0" : value.toString();
    }

    private static Map<String, Object> texts(Map<?, ?> object) {
        Map<String, Object> named = new LinkedHashMap<>();
        object.forEach((name, value) -> named.put(String.valueOf(name), value));
        return named;
    }

    /// The fields of a request with claims that are passed.
    static void passed(
            OpenIdClient.Claims asked,
            Map<String, List<String>> kept,
            BiConsumer<String, String> to) {
        OpenIdClient.Passed passed = asked.passed();
        if (passed != null) {
            kept.forEach((name, values) -> {
                if (name.startsWith(passed.prefix()) && values.size() == 1) {
                    to.accept(name, values.getFirst());
                }
            });
        }
    }

    /// Whether it would be taken for an end in a log or a field.
    static boolean isControl(int c) {
        return c < ' ' || c == 0x7f;
    }
}
