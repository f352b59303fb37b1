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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Tells what becomes of `conf/web.xml`, and of that of a host, which hold for every application
/// that does not say otherwise. Stateless.
final class CommonWebXml {
    static final String FILE = "conf/web.xml";

    /// That of a host, beside the descriptors of its contexts.
    static final String OF_HOST = "web.xml.default";

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

    /// Where the descriptors of a platform have their names from.
    private static final String JAKARTA = "jakarta.ee/xml/ns/";

    private static final List<String> JAVAX = List.of("xmlns.jcp.org/xml/ns/", "java.sun.com/");

    private static final Pattern VERSION =
            Pattern.compile("<web-app\\b[^>]*\\bversion=[\"']([0-9]{1,3}(?:\\.[0-9]{1,3})?)[\"']");

    /// The version of descriptors that Tomcat 11 has in its own.
    private static final double VERSION_11 = 6.1;

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

    /// Whether the file is one of Tomcat 10.1 or before, which leaves out the parameters beyond
    /// `maxParameterCount` that later ones refuse; false where it does not say.
    static boolean isBefore11(Path base) throws IOException {
        Path file = base.resolve(FILE);
        Matcher found =
                VERSION.matcher(
                        Files.isRegularFile(file)
                                ? Files.readString(file, StandardCharsets.ISO_8859_1)
                                : "");
        return found.find() && Double.parseDouble(found.group(1)) < VERSION_11;
    }

    /// Tells of a file, if it is there.
    ///
    /// @param whose applications
    static void tell(Path file, String whose, CatalinaProperties properties, ElementAccount account)
            throws IOException {
        if (!Files.isRegularFile(file)) {
            return;
        }
        try {
            XmlElement root = BaseXml.read(file, properties);
            Map<String, Integer> counted = new TreeMap<>();
            for (XmlElement child : root.children()) {
                if (child.name().equals("servlet")) {
                    servlet(child, whose, account);
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
                            "for "
                                    + whose
                                    + ", where it does not say otherwise"
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

    private static void servlet(XmlElement servlet, String whose, ElementAccount account) {
        String type = servlet.textOf("servlet-class");
        if (!DEFAULT.equals(type) && !PAGES.equals(type)) {
            account.tell(servlet, Verdict.HONOURED, "a servlet of " + whose);
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
