package io.margay.protocol.trace;

import io.margay.protocol.http.Fields;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// What of a request may be kept: no cookies, no credentials, no content, and of the query the
/// names alone unless its values are asked for. Stateless.
public final class TraceScrub {
    /// What stands in place of a value.
    static final String GONE = "x";

    /// Names of parameters whose values are never kept.
    private static final Pattern SECRET =
            Pattern.compile(
                    "(?i)csrf|xsrf|token|nonce|secret|passw|pwd|sess|auth|api[-_]?key|signature|otp"
                            + "|^code$|^state$|mail|^key$|^sig$|jwt|ticket|saml|assertion"
                            + "|credential|hmac|phone|^sid$|^pin$"
                            // Letters that are encoded hide a name; brackets do not.
                            + "|%(?!5[bd])[4-7][0-9a-f]");

    private static final Pattern SESSION_IN_PATH = Pattern.compile(";(?i:jsessionid)=[^?#;/]*+");

    /// Fields by which servers choose what they answer.
    private static final Set<String> KEPT =
            Set.of("accept", "accept-encoding", "accept-language", "host", "range", "user-agent");

    private TraceScrub() {}

    /// A path with its query, without what nobody may keep.
    ///
    /// @param values whether values of the query are kept, but for those with names of secrets
    public static String target(String target, boolean values) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String kept = SESSION_IN_PATH.matcher(path).replaceAll("");
        return question < 0 ? kept : kept + "?" + query(target.substring(question + 1), values);
    }

    private static String query(String query, boolean values) {
        StringBuilder made = new StringBuilder();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? "" : pair.substring(0, equals);
            made.append(made.isEmpty() ? "" : "&");
            // To some servers a semicolon begins the next parameter.
            if (values && pair.indexOf(';') < 0 && !SECRET.matcher(name).find()) {
                made.append(pair);
            } else {
                made.append(equals < 0 ? GONE : name + "=" + GONE);
            }
        }
        return made.toString();
    }

    /// The fields that are kept.
    public static Fields fields(Fields received) {
        Fields.Builder made = new Fields.Builder();
        for (int i = 0; i < received.size(); i++) {
            if (KEPT.contains(received.name(i).toLowerCase(Locale.ROOT))) {
                made.add(received.name(i), received.value(i));
            }
        }
        return made.build();
    }
}
