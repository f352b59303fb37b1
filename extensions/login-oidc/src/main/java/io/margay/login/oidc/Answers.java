package io.margay.login.oidc;

import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginResult;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.PercentEncoding;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// What browsers and providers get in place of what they have asked for. Stateless.
final class Answers {
    private Answers() {}

    /// A redirection.
    ///
    /// @param cookies that are set, each as a `Set-Cookie` field
    static LoginResult redirect(String location, List<String> cookies) {
        Fields.Builder fields = fields(cookies);
        fields.add("Location", PercentEncoding.target(location));
        return new LoginResult.Answered(new LoginAnswer(302, fields.build(), new byte[0]));
    }

    /// A sentence.
    static LoginResult text(int status, String text, List<String> cookies) {
        Fields.Builder fields = fields(cookies);
        fields.add("Content-Type", "text/plain; charset=utf-8");
        fields.add("X-Content-Type-Options", "nosniff");
        byte[] content = (text + "\n").getBytes(StandardCharsets.UTF_8);
        return new LoginResult.Answered(new LoginAnswer(status, fields.build(), content));
    }

    /// For who is not a browser that opens a page.
    static LoginResult unauthorized() {
        Fields.Builder fields = fields(List.of());
        fields.add("WWW-Authenticate", "OpenIDConnect");
        return new LoginResult.Answered(new LoginAnswer(401, fields.build(), new byte[0]));
    }

    /// As long as the provider does not answer.
    static LoginResult unavailable(OidcLimits limits, List<String> cookies) {
        Fields.Builder fields = fields(cookies);
        fields.add("Content-Type", "text/plain; charset=utf-8");
        fields.add("Retry-After", Long.toString(limits.downFor().toSeconds()));
        byte[] content =
                "Nobody can log in for now. Try again in a moment.\n"
                        .getBytes(StandardCharsets.UTF_8);
        return new LoginResult.Answered(new LoginAnswer(503, fields.build(), content));
    }

    private static Fields.Builder fields(List<String> cookies) {
        Fields.Builder fields = new Fields.Builder();
        fields.add("Cache-Control", "no-store");
        cookies.forEach(cookie -> fields.add("Set-Cookie", cookie));
        return fields;
    }
}
