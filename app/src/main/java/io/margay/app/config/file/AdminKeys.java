package io.margay.app.config.file;

import static io.margay.app.yaml.Shape.choice;
import static io.margay.app.yaml.Shape.optional;
import static io.margay.app.yaml.Shape.text;

import io.margay.app.config.AdminSettings;
import io.margay.app.config.JmxMode;
import io.margay.app.config.listener.ListenerKeys;
import io.margay.app.config.listener.TlsKeys;
import io.margay.app.yaml.Shape;
import io.margay.app.yaml.Shape.Items;
import io.margay.app.yaml.Shape.Scalar;
import java.util.List;

/// The keys for those who run the server.
final class AdminKeys {
    private static final Scalar ADMIN_NAME =
            text(
                    "a host name, as in ops.example",
                    text -> {
                        if (!Shape.isHostName(text) || text.startsWith("*")) {
                            throw new IllegalArgumentException("");
                        }
                        return text;
                    });

    private AdminKeys() {}

    static List<Shape.Key> all() {
        return List.of(
                optional(
                        "admin",
                        ListenerKeys.ENDPOINT,
                        "none",
                        "Listens there for administration: console, JSON API, Tomcat"
                                + " manager's text interface, `/metrics`, `/health`."),
                optional(
                        "admin-token",
                        text(
                                        "at least " + AdminSettings.TOKEN_CHARS_MIN + " characters",
                                        AdminKeys::token)
                                .asSecret(),
                        "created at the first start, in the file `admin-token` of the"
                                + " work folder",
                        "The token that changes through `admin` need; on an address"
                                + " that is not loopback, reading needs it, too."),
                optional(
                        "admin-certificates",
                        TlsKeys.CERTIFICATES.shape(),
                        "plain text",
                        "Certificates of `admin`, which speaks TLS then; written as those of a"
                                + " listener."),
                optional(
                        "admin-names",
                        new Items("names", ADMIN_NAME, 1),
                        "none",
                        "Host names by which `admin` may be called, beside addresses and"
                                + " `localhost`."),
                optional(
                        "jmx",
                        choice(JmxMode.words()),
                        "auto",
                        "Whether the server is seen through JMX, under Tomcat's names: auto"
                                + " = as soon as the JVM has an MBean server, on = always,"
                                + " off = never."));
    }

    private static String token(String text) {
        if (text.length() < AdminSettings.TOKEN_CHARS_MIN) {
            throw new IllegalArgumentException("");
        }
        return text;
    }
}
