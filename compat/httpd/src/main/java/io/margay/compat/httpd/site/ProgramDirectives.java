package io.margay.compat.httpd.site;

import io.margay.compat.httpd.context.HttpdSection;
import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.rules.GatewayRule.Condition;
import io.margay.gateway.rules.VariableRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads what programs are told besides the usual. Confined to one reading.
record ProgramDirectives(ReadingContext context) {
    /// What is known of TLS; mod_ssl tells of the server's certificate, too.
    private static final List<String> TLS =
            List.of(
                    "SSL_PROTOCOL",
                    "SSL_CIPHER",
                    "SSL_CIPHER_USEKEYSIZE",
                    "SSL_SESSION_ID",
                    "SSL_CLIENT_VERIFY",
                    "SSL_CLIENT_M_SERIAL",
                    "SSL_CLIENT_M_VERSION",
                    "SSL_CLIENT_V_START",
                    "SSL_CLIENT_V_END",
                    "SSL_CLIENT_S_DN",
                    "SSL_CLIENT_S_DN_CN",
                    "SSL_CLIENT_S_DN_O",
                    "SSL_CLIENT_S_DN_OU",
                    "SSL_CLIENT_S_DN_C",
                    "SSL_CLIENT_I_DN",
                    "SSL_CLIENT_I_DN_CN",
                    "SSL_CLIENT_I_DN_O",
                    "SSL_CLIENT_I_DN_OU",
                    "SSL_CLIENT_I_DN_C");

    /// `CGIPassAuth On`.
    void passAuth(HttpdNode node, HttpdServer server, HttpdSection section) {
        if (section.isNone()) {
            context.wrong(node, "belongs in a section, as in httpd");
            return;
        }
        context.honoured(node, "for programs that FastCGI runs");
        tell(server, section, "HTTP_AUTHORIZATION", node.isOn() ? "%{HTTP:Authorization}" : null);
    }

    /// `SSLOptions [+-]OPTION…`.
    void tls(HttpdNode node, HttpdServer server, HttpdSection section) {
        List<String> otherwise = new ArrayList<>();
        for (String word : node.arguments()) {
            String option = word.toLowerCase(Locale.ROOT);
            boolean off = option.startsWith("-");
            switch (option.replaceFirst("^[+-]", "")) {
                case "stdenvvars" -> {
                    TLS.forEach(name ->
                            tell(server, section, name, off ? null : "%{SSL:" + name + "}"));
                    if (!off) {
                        otherwise.add(
                                "programs get the protocol, the cipher, the session and the"
                                        + " client's certificate, and nothing else");
                    }
                }
                case "strictrequire", "optrenegotiate" -> {}
                default -> {
                    if (!off) {
                        otherwise.add(word + " is not supported");
                    }
                }
            }
        }
        if (otherwise.isEmpty()) {
            context.honoured(node);
        } else {
            context.changed(node, String.join("; ", otherwise));
        }
    }

    /// @param value null = nothing
    private static void tell(
            HttpdServer server, HttpdSection section, String name, @Nullable String value) {
        List<Condition> when = new ArrayList<>(section.mapped());
        if (value != null) {
            when.add(Condition.of(value, "."));
        }
        (section.isConditional() ? server.last : server.late)
                .add(new VariableRule(section.paths(), when, name, value, section.rank()));
    }
}
