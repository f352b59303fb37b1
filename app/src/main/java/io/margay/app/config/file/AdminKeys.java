package io.margay.app.config.file;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.AdminSettings;
import io.margay.app.config.Endpoint;
import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.binding.Reading;
import io.margay.app.config.binding.YamlText;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.listener.TlsKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.transport.TlsConfig;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The keys for those who run the server. Stateless.
final class AdminKeys {
    static final Keys<AdminSettings> ADMIN =
            Binding.of(
                            "the administration",
                            new AdminSettings(new Endpoint(Endpoint.LOOPBACK, 0), null))
                    .form(
                            "admin",
                            scalar(ListenerKeys.ENDPOINT, at -> YamlText.quote(at.toString())))
                    .form("admin-token", secret(AdminSettings.TOKEN_CHARS_MIN))
                    .form(
                            "admin-certificates",
                            TlsKeys.CERTIFICATES.maybe(
                                    all ->
                                            all.isEmpty()
                                                    ? Optional.empty()
                                                    : Optional.of(TlsConfig.of(all)),
                                    TlsConfig::certificates))
                    .form(
                            "admin-names",
                            list(
                                            "names",
                                            matching(
                                                    "a host name, as in ops.example",
                                                    name ->
                                                            Shape.isHostName(name)
                                                                    && !name.startsWith("*")),
                                            1)
                                    .as(Set::copyOf, names -> names.stream().sorted().toList()))
                    .keys(
                            """
                            admin (endpoint) [=none]: Listens there for administration: console,
                              JSON API, Tomcat manager's text interface, `/metrics`, `/health`.
                            admin-token (token) [created at the first start, in the file
                              `admin-token` of the work folder]: The token that changes through
                              `admin` need; on an address that is not loopback, reading needs it,
                              too.
                            admin-certificates (tls) [plain text]: Certificates of `admin`, which
                              speaks TLS then; written as those of a listener.
                            admin-names (names): Host names that `admin` answers to, beside
                              addresses and `localhost`.
                            """);

    private AdminKeys() {}

    /// Null = there is no such listener.
    static @Nullable AdminSettings read(Settings root, Reading reading) {
        if (root.isGiven("admin")) {
            return ADMIN.read(root, ADMIN.defaults(), reading);
        }
        reading.strangers(root, ADMIN.shapes().stream().map(Shape.Key::name).toList(), "\"admin\"");
        return null;
    }
}
