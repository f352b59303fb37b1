package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.server.config.PublicAddress;
import io.margay.servlet.xml.XmlElement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the attributes by which a `Connector` says what address clients use for it: `scheme`,
/// `secure`, `proxyName`, `proxyPort`. Stateless.
final class ConnectorAddress {
    private static final String SCHEME = "scheme";
    private static final String SECURE = "secure";

    private ConnectorAddress() {}

    /// What they say; what is wrong is told, and left out.
    ///
    /// @param tls whether the connector speaks TLS, so that its requests are secure whatever it
    ///   says, as with Tomcat
    static PublicAddress read(XmlElement element, boolean tls, ElementAccount account) {
        String scheme = element.attributes().get(SCHEME);
        boolean secure =
                element.attributes().getOrDefault(SECURE, "false").equalsIgnoreCase("true");
        if (tls) {
            told(element, SCHEME, "https", account);
            told(element, SECURE, "true", account);
            scheme = null;
            secure = false;
        }
        return checked(element, account, scheme, secure);
    }

    private static void told(
            XmlElement element, String attribute, String value, ElementAccount account) {
        String said = element.attributes().get(attribute);
        if (said != null) {
            boolean same = value.equalsIgnoreCase(said);
            account.tell(
                    element,
                    attribute,
                    same ? Verdict.HONOURED : Verdict.NOTED,
                    same ? "the connector speaks TLS" : "is " + value + ", for it speaks TLS");
        }
    }

    private static PublicAddress checked(
            XmlElement element, ElementAccount account, @Nullable String scheme, boolean secure) {
        PublicAddress address = PublicAddress.NONE;
        String port = element.attributes().getOrDefault("proxyPort", "0");
        try {
            int number = port.matches("[0-9]{1,5}") ? Integer.parseInt(port) : -1;
            address = new PublicAddress(null, secure, null, number);
        } catch (IllegalArgumentException e) {
            account.tell(element, "proxyPort", Verdict.WRONG, "\"" + port + "\" is not a port");
        }
        try {
            String lower = scheme == null ? null : scheme.toLowerCase(Locale.ROOT);
            address = new PublicAddress(lower, secure, null, address.port());
        } catch (IllegalArgumentException e) {
            account.tell(element, SCHEME, Verdict.WRONG, String.valueOf(e.getMessage()));
        }
        try {
            String name = element.attributes().getOrDefault("proxyName", "");
            String host = name.isEmpty() ? null : name;
            return new PublicAddress(address.scheme(), secure, host, address.port());
        } catch (IllegalArgumentException e) {
            account.tell(element, "proxyName", Verdict.WRONG, String.valueOf(e.getMessage()));
            return address;
        }
    }
}
