package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.client.FrontEndTls;
import io.margay.compat.tomcat.filter.InitParams;
import io.margay.servlet.xml.XmlElement;
import jakarta.servlet.ServletException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// An `SSLValve`, and the proxies whose fields it believes: its own, or those of a `RemoteIpValve`
/// beside or around it. Immutable.
///
/// @param element the valve itself
/// @param params its attributes, with the proxies
public record TlsValve(XmlElement element, Map<String, String> params) {
    /// What is said of one that lists nobody.
    public static final String UNLISTED =
            "the fields are trusted from this machine only; list your front ends in"
                    + " internalProxies, of this valve or of a RemoteIpValve";

    public TlsValve {
        params = Map.copyOf(params);
    }

    /// The nearest one; null = there is none.
    ///
    /// @param around elements that may have valves, the outermost first
    public static @Nullable TlsValve of(List<XmlElement> around) {
        XmlElement found = null;
        Map<String, String> remoteIp = null;
        for (XmlElement element : around) {
            for (XmlElement valve : element.all("Valve")) {
                String type = valve.attributes().getOrDefault("className", "");
                if (Valve.named(type) instanceof Valve.TellsTls) {
                    found = valve;
                } else if (type.equals(Valve.VALVES + "RemoteIpValve")) {
                    remoteIp = valve.attributes();
                }
            }
        }
        if (found == null) {
            return null;
        }
        Map<String, String> params = new TreeMap<>(found.attributes());
        params.remove("className");
        params.remove("asyncSupported");
        return new TlsValve(found, FrontEndTls.withProxies(params, remoteIp));
    }

    /// Whether it says whose fields are believed.
    public boolean isListed() {
        return FrontEndTls.isListed(params);
    }

    /// @throws ServletException when an attribute is wrong or unknown
    public FrontEndTls read() throws ServletException {
        return FrontEndTls.of(new InitParams("SSLValve", params));
    }
}
