package io.margay.app.migrate;

import io.margay.app.yaml.Amounts;
import io.margay.gateway.login.OpenIdClient;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes how users log in at an OpenID provider. Stateless.
final class OpenIdLines {
    private OpenIdLines() {}

    static String of(OpenIdClient client) {
        YamlLine line = new YamlLine();
        text(line, "issuer", client.issuer());
        text(line, "metadata", client.metadata());
        line.text("client-id", client.id());
        secret(line, "client-secret", client.secret());
        OpenIdClient.Paths paths = client.paths();
        line.text("redirect-path", paths.redirect());
        line.text("logout-path", paths.logout() == null ? "none" : paths.logout());
        line.text("after-logout", paths.afterLogout());
        text(line, "back-channel-logout-path", paths.backChannel());
        texts(line, "scopes", client.scopes());
        if (!client.parameters().isEmpty()) {
            line.map("parameters", client.parameters());
        }
        OpenIdClient.Claims claims = client.claims();
        line.text("user-claim", claims.user());
        texts(line, "roles-claims", claims.roles());
        texts(line, "claims", claims.kept());
        line.flag("user-info", claims.userInfo(), false);
        if (!claims.fields().isEmpty()) {
            line.map("fields", claims.fields());
        }
        OpenIdClient.Passed passed = claims.passed();
        if (passed != null) {
            YamlLine fields = new YamlLine();
            fields.text("prefix", passed.prefix());
            fields.text("delimiter", passed.delimiter());
            texts(fields, "only", passed.only());
            texts(fields, "without", passed.without());
            line.raw("claim-fields", fields.toString());
        }
        OpenIdClient.Session session = client.session();
        line.text("cookie", session.cookie());
        secret(line, "cookie-key", session.key());
        line.raw("session", Amounts.write(session.lifetime()));
        line.raw("idle", Amounts.write(session.idle()));
        line.text("unauthenticated", client.redirects() ? "login" : "refuse");
        line.raw("timeout", Amounts.write(client.timeout()));
        return line.toString();
    }

    private static void text(YamlLine line, String key, @Nullable String value) {
        if (value != null) {
            line.text(key, value);
        }
    }

    private static void texts(YamlLine line, String key, List<String> values) {
        if (!values.isEmpty()) {
            line.texts(key, values);
        }
    }

    private static void secret(YamlLine line, String key, OpenIdClient.Secret secret) {
        text(line, key, secret.text());
        Path file = secret.file();
        text(line, key + "-file", file == null ? null : file.toString());
    }
}
