package io.margay.compat.tomcat.application;

import io.margay.servlet.descriptor.WebAppDescriptor.LoginDef;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The valves of a context that log users in. As in Tomcat their way takes the place of the
/// `auth-method` of web.xml, which keeps the say about realm and pages. Stateless.
final class LoginValve {
    private static final String AUTHENTICATORS = "org.apache.catalina.authenticator.";

    /// The ways to log in, by class. Tickets (SPNEGO) are not supported, so that its valve is
    /// refused like any that is not known.
    static final Map<String, String> METHODS =
            Map.of(
                    AUTHENTICATORS + "BasicAuthenticator", "BASIC",
                    AUTHENTICATORS + "DigestAuthenticator", "DIGEST",
                    AUTHENTICATORS + "FormAuthenticator", "FORM",
                    AUTHENTICATORS + "SSLAuthenticator", "CLIENT-CERT",
                    AUTHENTICATORS + "NonLoginAuthenticator", "NONE");

    /// Attributes whose given value says what is done here anyhow; an empty one = any value.
    private static final Map<String, String> ALREADY_SO =
            Map.ofEntries(
                    Map.entry("allowCorsPreflight", "never"),
                    Map.entry("alwaysUseSession", "false"),
                    Map.entry("authenticationSessionTimeout", ""),
                    Map.entry("cache", ""),
                    Map.entry("changeSessionIdOnAuthentication", "true"),
                    Map.entry("characterEncoding", "UTF-8"),
                    Map.entry("charset", "UTF-8"),
                    Map.entry("disableProxyCaching", "true"),
                    Map.entry("key", ""),
                    Map.entry("nonceCacheSize", ""),
                    Map.entry("nonceCountWindowSize", ""),
                    Map.entry("nonceValidity", ""),
                    Map.entry("opaque", ""),
                    Map.entry("secureRandomAlgorithm", ""),
                    Map.entry("secureRandomClass", ""),
                    Map.entry("secureRandomProvider", ""),
                    Map.entry("securePagesWithPragma", "false"),
                    Map.entry("sendAuthInfoResponseHeaders", "false"),
                    Map.entry("trimCredentials", "false"),
                    Map.entry("validateUri", "true"));

    /// Who has logged in to another application of the host would be let in where Tomcat asks
    /// again.
    private static final String MODE = "ssoReauthenticationMode";

    private static final Set<String> MODES = Set.of("default", "principal");

    private LoginValve() {}

    /// Whether an attribute asks for more than is done here, so that something would be open.
    static boolean closes(String attribute, String value) {
        return attribute.equals(MODE) && !MODES.contains(value.toLowerCase(Locale.ROOT));
    }

    /// Whether an attribute says what is done here anyhow.
    static boolean isSo(String attribute, String value) {
        String same = ALREADY_SO.get(attribute);
        return attribute.equals(MODE)
                || (same != null && (same.isEmpty() || same.equalsIgnoreCase(value)));
    }

    /// How users log in to an application.
    ///
    /// @param method that of the valve; null = there is none
    /// @param declared by web.xml; null = nothing is
    static @Nullable LoginDef login(@Nullable String method, @Nullable LoginDef declared) {
        if (method == null) {
            return declared;
        }
        return declared == null
                ? new LoginDef(method, null, null, null)
                : new LoginDef(
                        method,
                        declared.realm(),
                        declared.formLoginPage(),
                        declared.formErrorPage());
    }
}
