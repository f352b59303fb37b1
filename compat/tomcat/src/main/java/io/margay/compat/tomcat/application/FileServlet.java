package io.margay.compat.tomcat.application;

import io.margay.servlet.descriptor.WebAppDescriptor;
import io.margay.servlet.descriptor.WebAppDescriptor.ServletDef;
import io.margay.servlet.xml.XmlElement;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What parameters of Tomcat's default servlet do here. Stateless.
final class FileServlet {
    static final String NAME = "org.apache.catalina.servlets.DefaultServlet";

    private static final String LISTINGS = "listings";

    private FileServlet() {}

    /// Whether an application has folders listed; null = it does not say.
    ///
    /// @param brought whether the application has a class of that name itself
    static @Nullable Boolean listings(WebAppDescriptor declared, Predicate<String> brought) {
        Boolean found = null;
        for (ServletDef servlet : declared.components().servlets()) {
            String said = servlet.initParams().get(LISTINGS);
            if (NAME.equals(servlet.className()) && said != null && !brought.test(NAME)) {
                found = said.equalsIgnoreCase("true");
            }
        }
        return found;
    }

    /// Whether a web.xml has folders listed; null = it has no such servlet.
    static @Nullable Boolean listings(XmlElement webXml) {
        Boolean found = null;
        for (XmlElement servlet : webXml.all("servlet")) {
            if (NAME.equals(servlet.textOf("servlet-class"))) {
                found = found != null && found;
                for (XmlElement param : servlet.all("init-param")) {
                    if (LISTINGS.equals(param.textOf("param-name"))) {
                        found = "true".equalsIgnoreCase(param.textOf("param-value"));
                    }
                }
            }
        }
        return found;
    }

    /// Names the parameters of an application that do nothing.
    static void warn(ServletDef servlet, Consumer<String> warnings) {
        Map<String, String> params = servlet.initParams();
        Set<String> unused = new TreeSet<>(params.keySet());
        unused.remove(LISTINGS);
        if (!unused.isEmpty()) {
            warnings.accept(
                    "<servlet> "
                            + servlet.name()
                            + ": the default servlet has no init-param "
                            + String.join(", ", unused)
                            + "; files are served read-only");
        }
    }
}
