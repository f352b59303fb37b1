package io.margay.app.config.file.login;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.gateway.login.AuthService;
import io.margay.protocol.http.FieldNames;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The key `auth-request` of `login`: an authorization service. Stateless.
final class ServiceKeys {
    /// What no service can say of a request, beside fields of one connection: the message's own.
    private static final Set<String> OF_MESSAGES =
            Set.of("content-length", "expect", "host", "via");

    /// The name of a field that somebody else may say.
    static final Form<String> FIELD = matching("the name of a field", ServiceKeys::isFree);

    private static final Form<List<String>> FIELDS = list("names of fields", FIELD, 1);

    static final Keys<AuthService> SERVICE =
            Binding.of(
                            "an authorization service",
                            new AuthService(
                                    "-",
                                    "/",
                                    List.of(),
                                    null,
                                    null,
                                    List.of(),
                                    AuthService.TIMEOUT_DEFAULT))
                    .form("upstream", UpstreamKeys.NAMED)
                    .form(
                            "path",
                            matching(
                                    "a path, with a query if it needs one",
                                    text ->
                                            text.startsWith("/")
                                                    && text.chars()
                                                            .allMatch(c -> c > ' ' && c < 0x7f)))
                    .form("fields", FIELDS)
                    .form("user", FIELD)
                    .form("groups", FIELD)
                    .form("response-fields", FIELDS)
                    .keys(
                            """
                            upstream [required]: The upstream of the service.
                            path (target): Path requested there, by GET.
                            fields: Fields of its answer copied to the request, replacing the
                              client's.
                            user [users have no names]: Field of its answer that is the user's name.
                            groups: Field of its answer that lists the user's groups and roles, with
                              commas.
                            response-fields: Fields of its answer copied to the response, such as
                              Set-Cookie.
                            timeout: Timeout for the whole answer; beyond it 504.
                            """);

    private ServiceKeys() {}

    private static boolean isFree(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return plain.matches("[a-z0-9-]+")
                && !FieldNames.OF_CONNECTION.contains(plain)
                && !OF_MESSAGES.contains(plain);
    }
}
