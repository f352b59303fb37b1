package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.base.BaseXml;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Tells what becomes of `conf/web.xml`, which holds for every application that does not say
/// otherwise. Stateless.
final class CommonWebXml {
    static final String FILE = "conf/web.xml";

    private static final String DEFAULT = "org.apache.catalina.servlets.DefaultServlet";
    private static final String PAGES = "org.apache.jasper.servlet.JspServlet";

    /// Parameters of the default servlet, with the value that says what is done here anyhow; `*` =
    /// any.
    private static final Map<String, String> FILES =
            Map.ofEntries(
                    Map.entry("debug", "*"),
                    Map.entry("readonly", "true"),
                    Map.entry("input", "*"),
                    Map.entry("output", "*"),
                    Map.entry("sendfileSize", "*"),
                    Map.entry("useAcceptRanges", "true"),
                    Map.entry("showServerInfo", "*"),
                    Map.entry("allowPartialPut", "*"),
                    Map.entry("sortListings", "*"),
                    Map.entry("sortDirectoriesFirst", "*"),
                    Map.entry("precompressed", "true"));

    /// Elements that may keep requests out.
    private static final List<String> CLOSING =
            List.of("filter", "filter-mapping", "login-config", "security-constraint");

    /// Where the descriptors of a platform have their names from.
    private static final String JAKARTA = "jakarta.ee/xml/ns/";

    private static final List<String> JAVAX = List.of("xmlns.jcp.org/xml/ns/", "java.sun.com/");

    private CommonWebXml() {}

    /// Whether the file is one of Tomcat 9 or before; null = it does not say, or is not there.
    static @Nullable Boolean isJavax(Path base) throws IOException {
        Path file = base.resolve(FILE);
        String text =
                Files.isRegularFile(file)
                        ? Files.readString(file, StandardCharsets.ISO_8859_1)
                        : "";
        if (text.contains(JAKARTA)) {
            return false;
        }
        return JAVAX.stream().anyMatch(text::contains) ? Boolean.TRUE : null;
    }

    /// Tells of the file, if it is there.
    static void tell(Path base, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        Path file = base.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return;
        }
        try {
            XmlElement root = BaseXml.read(file, properties);
            Map<String, Integer> counted = new TreeMap<>();
            for (XmlElement child : root.children()) {
                if (child.name().equals("servlet")) {
                    servlet(child, account);
                } else {
                    counted.merge(child.name(), 1, Integer::sum);
                }
            }
            counted.forEach((name, count) ->
                    account.tell(
                            file.toString(),
                            0,
                            name,
                            Verdict.HONOURED,
                            "for every application, where it does not say otherwise"
                                    + (count == 1 ? "" : " (" + count + ")")));
        } catch (DescriptorException e) {
            account.tell(
                    file.toString(),
                    0,
                    "XML",
                    Verdict.WRONG,
                    String.valueOf(e.getMessage()).replace('\n', ' '));
        }
    }

    /// Tells of the file of a host, `web.xml.default`, if it is there: it is not read.
    static void tellOfHost(Path folder, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        Path file = folder.resolve("web.xml.default");
        if (!Files.isRegularFile(file)) {
            return;
        }
        boolean closing;
        try {
            closing = CLOSING.stream().anyMatch(BaseXml.read(file, properties)::has);
        } catch (DescriptorException e) {
            closing = true; // Nobody knows.
        }
        account.tell(
                file.toString(),
                0,
                "file",
                closing ? Verdict.WRONG : Verdict.CHANGED,
                "is not read; write what it says into conf/web.xml, or into the web.xml of the"
                        + " host's applications");
    }

    private static void servlet(XmlElement servlet, ElementAccount account) {
        String type = servlet.textOf("servlet-class");
        if (!DEFAULT.equals(type) && !PAGES.equals(type)) {
            account.tell(servlet, Verdict.HONOURED, "a servlet of every application");
            return;
        }
        account.tell(servlet, Verdict.HONOURED, "that of the container");
        for (XmlElement param : servlet.all("init-param")) {
            String name = String.valueOf(param.textOf("param-name"));
            String value = String.valueOf(param.textOf("param-value"));
            boolean pages = PAGES.equals(type);
            if (!pages && name.equals("listings")) {
                account.tell(param, name, Verdict.HONOURED, "where an application does not say");
                continue;
            }
            String same = pages ? "*" : FILES.get(name);
            boolean here = "*".equals(same) || value.equalsIgnoreCase(same);
            account.tell(
                    param,
                    name,
                    here ? Verdict.NOTED : Verdict.CHANGED,
                    here
                            ? pages ? "deploy.pages says how pages are compiled" : "it is so here"
                            : "is " + value + ": files are served read-only");
        }
    }
}
