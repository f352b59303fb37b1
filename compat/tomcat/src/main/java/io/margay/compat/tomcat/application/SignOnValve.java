package io.margay.compat.tomcat.application;

import io.margay.servlet.security.SingleSignOn;
import io.margay.servlet.xml.XmlElement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The `SingleSignOn` of a host, or else of its engine, which is then that of all hosts of the
/// engine. Immutable.
///
/// @param owner which host or engine it is of
public record SignOnValve(String owner, SingleSignOn.Settings settings) {
    /// Its class.
    public static final String CLASS = "org.apache.catalina.authenticator.SingleSignOn";

    /// The same for servers that know each other, which they do not here.
    public static final String OF_CLUSTER =
            "org.apache.catalina.ha.authenticator.ClusterSingleSignOn";

    /// The name of its cookie, unless it says otherwise.
    public static final String COOKIE = "JSESSIONIDSSO";

    /// The nearest one; null = there is none.
    ///
    /// @param around elements, the outermost first
    static @Nullable SignOnValve of(List<XmlElement> around) {
        SignOnValve found = null;
        for (XmlElement element : around) {
            if (!element.name().equals("Engine") && !element.name().equals("Host")) {
                continue;
            }
            for (XmlElement valve : element.all("Valve")) {
                if (isOne(valve)) {
                    String name = element.attributes().getOrDefault("name", "");
                    found = new SignOnValve(element.name() + " " + name, settings(valve));
                }
            }
        }
        return found;
    }

    /// Whether a valve is one.
    public static boolean isOne(XmlElement valve) {
        String type = valve.attributes().getOrDefault("className", "");
        return type.equals(CLASS) || type.equals(OF_CLUSTER);
    }

    private static SingleSignOn.Settings settings(XmlElement valve) {
        Map<String, String> attributes = valve.attributes();
        String domain = attributes.getOrDefault("cookieDomain", "").strip();
        return new SingleSignOn.Settings(
                attributes.getOrDefault("cookieName", COOKIE).strip(),
                domain.isEmpty() ? null : domain,
                attributes.getOrDefault("requireReauthentication", "").equalsIgnoreCase("true"));
    }

    /// Whether a text can be the name of the cookie.
    public static boolean isCookieName(String text) {
        return text.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    }
}
