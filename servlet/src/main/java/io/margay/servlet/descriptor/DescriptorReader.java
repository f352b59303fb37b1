package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.WebAppDescriptor.ErrorPage;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.servlet.xml.Origin;
import io.margay.servlet.xml.XmlElement;
import io.margay.servlet.xml.XmlTree;
import java.nio.charset.Charset;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns the elements of one web.xml or web-fragment.xml of any version, 2.2 to 6.1, into
/// declarations. Confined to the deploying thread.
final class DescriptorReader {
    /// What a container without enterprise beans, web services, messaging and persistence leaves.
    private static final Set<String> NOT_HONOURED =
            Set.of(
                    "service-ref",
                    "message-destination-ref",
                    "message-destination",
                    "persistence-context-ref",
                    "persistence-unit-ref",
                    "ejb-ref",
                    "ejb-local-ref",
                    "jms-connection-factory",
                    "jms-destination",
                    "connection-factory",
                    "administered-object",
                    "context-service",
                    "managed-executor",
                    "managed-scheduled-executor",
                    "managed-thread-factory");

    private static final Set<String> KNOWN =
            Set.of(
                    "distributable",
                    "context-param",
                    "filter",
                    "filter-mapping",
                    "listener",
                    "servlet",
                    "servlet-mapping",
                    "session-config",
                    "mime-mapping",
                    "welcome-file-list",
                    "error-page",
                    "jsp-config",
                    "taglib",
                    "security-constraint",
                    "login-config",
                    "security-role",
                    "env-entry",
                    "resource-ref",
                    "resource-env-ref",
                    "data-source",
                    "mail-session",
                    "post-construct",
                    "pre-destroy",
                    "locale-encoding-mapping-list",
                    "name",
                    "ordering",
                    "absolute-ordering",
                    "deny-uncovered-http-methods",
                    "default-context-path",
                    "request-character-encoding",
                    "response-character-encoding",
                    "display-name");

    private final Declarations out;
    private final Problems problems;
    private final boolean fragment;
    private final ServletElements servletElements;
    private final WebElements webElements;
    private final ResourceElements resourceElements;
    private final Set<String> toldOnce = new LinkedHashSet<>();

    private DescriptorReader(Declarations out, Problems problems, boolean fragment) {
        this.out = out;
        this.problems = problems;
        this.fragment = fragment;
        servletElements = new ServletElements(out, problems);
        webElements = new WebElements(out, problems);
        resourceElements = new ResourceElements(out, problems);
    }

    static Declarations webXml(
            String file, byte[] bytes, DescriptorLimits limits, Problems problems) {
        return read(file, bytes, limits, problems, false);
    }

    static Declarations fragment(
            String file, byte[] bytes, DescriptorLimits limits, Problems problems) {
        return read(file, bytes, limits, problems, true);
    }

    private static Declarations read(
            String file,
            byte[] bytes,
            DescriptorLimits limits,
            Problems problems,
            boolean fragment) {
        XmlTree.Document document = XmlTree.read(file, bytes, limits);
        XmlElement root = document.root();
        Declarations out = new Declarations();
        String expected = fragment ? "web-fragment" : "web-app";
        if (!root.name().equals(expected)) {
            problems.error(root.origin(), "the root element must be <" + expected + ">");
            return out;
        }
        String version = root.attributes().get("version");
        String doctype = document.doctypeVersion();
        if (version == null) {
            version = doctype == null ? WebAppDescriptors.LATEST : doctype;
        }
        if (!WebAppDescriptors.VERSIONS.contains(version)) {
            problems.warning(
                    root.origin(),
                    "unknown version \"" + version + "\", read as " + WebAppDescriptors.LATEST);
            version = WebAppDescriptors.LATEST;
        }
        out.version = version;
        out.metadataComplete =
                "true".equals(root.attributes().get("metadata-complete"))
                        || (!fragment && WebAppDescriptors.predatesAnnotations(version));
        DescriptorReader reader = new DescriptorReader(out, problems, fragment);
        for (XmlElement element : root.children()) {
            reader.element(element);
        }
        return out;
    }

    private void element(XmlElement e) {
        switch (e.name()) {
            case "context-param" -> contextParam(e);
            case "filter" -> servletElements.filter(e);
            case "filter-mapping" -> servletElements.filterMapping(e);
            case "listener" -> listener(e);
            case "servlet" -> servletElements.servlet(e);
            case "servlet-mapping" -> servletElements.servletMapping(e);
            case "session-config" -> webElements.sessionConfig(e);
            case "mime-mapping" -> mimeMapping(e);
            case "welcome-file-list" -> welcomeFiles(e);
            case "error-page" -> errorPage(e);
            case "jsp-config" -> webElements.jspConfig(e);
            case "taglib" -> webElements.taglib(e);
            case "security-constraint" -> webElements.securityConstraint(e);
            case "login-config" -> webElements.loginConfig(e);
            case "security-role" -> webElements.securityRole(e);
            case "env-entry" -> resourceElements.envEntry(e);
            case "resource-ref" -> resourceElements.reference(e, "res-ref-name", "res-type");
            case "resource-env-ref" ->
                    resourceElements.reference(e, "resource-env-ref-name", "resource-env-ref-type");
            case "data-source", "mail-session" -> resourceElements.definition(e);
            case "post-construct" -> resourceElements.callback(e, out.postConstruct);
            case "pre-destroy" -> resourceElements.callback(e, out.preDestroy);
            case "locale-encoding-mapping-list" -> localeEncodings(e);
            default -> topLevelValue(e);
        }
    }

    private void topLevelValue(XmlElement e) {
        switch (e.name()) {
            case "display-name" -> {
                if (out.displayName == null) {
                    out.displayName = e.text();
                }
            }
            case "distributable" -> out.distributable = true;
            case "name" -> {
                if (fragment && !e.text().isEmpty()) {
                    out.fragmentName = e.text();
                }
            }
            case "ordering" -> ordering(e);
            case "absolute-ordering" -> absoluteOrdering(e);
            case "deny-uncovered-http-methods" -> out.denyUncoveredMethods = true;
            case "default-context-path" -> defaultContextPath(e);
            case "request-character-encoding" -> out.requestEncoding = charset(e);
            case "response-character-encoding" -> out.responseEncoding = charset(e);
            case "description", "icon", "small-icon", "large-icon", "module-name" -> {
                // Words and pictures for tools.
            }
            default -> unknown(e);
        }
    }

    private void unknown(XmlElement e) {
        if (!toldOnce.add(e.name())) {
            return;
        }
        if (NOT_HONOURED.contains(e.name())) {
            problems.warning(e.origin(), "not honoured by this container; left out");
            return;
        }
        String nearest = Problems.nearest(e.name(), KNOWN);
        problems.warning(
                e.origin(),
                "unknown element, left out"
                        + (nearest.isEmpty() ? "" : "; did you mean <" + nearest + ">?"));
    }

    private void contextParam(XmlElement e) {
        String name = required(e, "param-name", problems);
        String value = e.textOf("param-value");
        if (name == null) {
            return;
        }
        Said<String> before =
                out.contextParams.put(name, new Said<>(value == null ? "" : value, e.origin()));
        if (before != null) {
            problems.warning(
                    e.origin(),
                    "parameter "
                            + name
                            + " was given before (line "
                            + before.origin().line()
                            + "); this value wins");
        }
    }

    private void listener(XmlElement e) {
        String name = required(e, "listener-class", problems);
        if (name != null) {
            out.listeners.putIfAbsent(name, e.origin());
        }
    }

    private void mimeMapping(XmlElement e) {
        String extension = required(e, "extension", problems);
        String type = required(e, "mime-type", problems);
        if (extension != null && type != null) {
            String bare = extension.startsWith(".") ? extension.substring(1) : extension;
            out.mimeTypes.put(bare, new Said<>(type, e.origin()));
        }
    }

    private void welcomeFiles(XmlElement e) {
        for (XmlElement file : e.all("welcome-file")) {
            String text = file.text();
            if (text.endsWith("/")) {
                problems.error(
                        file.origin(),
                        "\""
                                + text
                                + "\" must not end with /. Write the name relative to the"
                                + " folder, such as index.html.");
            } else if (text.startsWith("/")) {
                // Against the specification, but other containers take it for what it means.
                String bare = text.replaceFirst("^/+", "");
                problems.warning(file.origin(), "\"" + text + "\" is read as \"" + bare + "\"");
                out.welcomeFiles.add(bare);
            } else if (!text.isEmpty()) {
                out.welcomeFiles.add(text);
            }
        }
    }

    private void errorPage(XmlElement e) {
        String location = required(e, "location", problems);
        String code = e.textOf("error-code");
        String exception = e.textOf("exception-type");
        if (location == null) {
            return;
        }
        if (!location.startsWith("/")) {
            problems.error(
                    e.origin(),
                    "<location> \""
                            + location
                            + "\" must begin with /. Write \"/"
                            + location
                            + "\".");
            return;
        }
        if (code != null && exception != null) {
            problems.error(
                    e.origin(),
                    "has both <error-code> and <exception-type>. Write two error pages instead.");
            return;
        }
        Integer status = code == null ? null : number(e, "error-code", code, 100, 999);
        if (code != null && status == null) {
            return;
        }
        out.errorPages.add(new Said<>(new ErrorPage(status, exception, location), e.origin()));
    }

    private void localeEncodings(XmlElement e) {
        for (XmlElement mapping : e.all("locale-encoding-mapping")) {
            String locale = required(mapping, "locale", problems);
            String encoding = required(mapping, "encoding", problems);
            if (locale != null && encoding != null) {
                out.localeEncodings.put(locale, new Said<>(encoding, mapping.origin()));
            }
        }
    }

    private void defaultContextPath(XmlElement e) {
        String path = e.text();
        if (!path.startsWith("/") || (path.length() > 1 && path.endsWith("/"))) {
            problems.error(
                    e.origin(),
                    "\"" + path + "\" must begin with / and not end with it, such as /shop.");
            return;
        }
        out.defaultContextPath = path;
    }

    private @Nullable String charset(XmlElement e) {
        try {
            Charset.forName(e.text());
            return e.text();
        } catch (IllegalArgumentException _) {
            problems.error(
                    e.origin(),
                    "\"" + e.text() + "\" is not a character encoding known here. Write UTF-8.");
            return null;
        }
    }

    private void ordering(XmlElement e) {
        if (!fragment) {
            problems.error(
                    e.origin(), "belongs into web-fragment.xml. Write <absolute-ordering> here.");
            return;
        }
        XmlElement before = e.child("before");
        XmlElement after = e.child("after");
        Ordering ordering =
                new Ordering(
                        names(before),
                        before != null && before.has("others"),
                        names(after),
                        after != null && after.has("others"));
        if (ordering.beforeOthers() && ordering.afterOthers()) {
            problems.error(
                    e.origin(),
                    "both before and after all others, which cannot be. Remove one <others/>.");
            return;
        }
        out.ordering = ordering;
    }

    private static Set<String> names(@Nullable XmlElement e) {
        Set<String> names = new LinkedHashSet<>();
        if (e != null) {
            e.all("name").forEach(name -> names.add(name.text()));
        }
        return names;
    }

    private void absoluteOrdering(XmlElement e) {
        if (fragment) {
            problems.error(
                    e.origin(), "belongs into web.xml. Write <ordering> in web-fragment.xml.");
            return;
        }
        if (out.absoluteOrdering != null) {
            problems.error(e.origin(), "occurs twice. Keep one.");
            return;
        }
        List<String> names =
                e.children().stream()
                        .filter(c -> c.name().equals("name") || c.name().equals("others"))
                        .map(c -> c.name().equals("name") ? c.text() : AbsoluteOrdering.OTHERS)
                        .distinct()
                        .toList();
        out.absoluteOrdering = new AbsoluteOrdering(names);
    }

    private @Nullable Integer number(XmlElement e, String what, String text, int min, int max) {
        return number(e, what, text, min, max, problems);
    }

    /// A decimal number in a range, or null after reporting.
    static @Nullable Integer number(
            XmlElement e, String what, String text, int min, int max, Problems problems) {
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException _) {
            // Reported below, as a number out of range is.
        }
        problems.error(
                e.origin(),
                "<"
                        + what
                        + "> \""
                        + text
                        + "\" is not a whole number from "
                        + min
                        + " to "
                        + max
                        + ". Write one.");
        return null;
    }

    /// The text of a child that must be there, or null after reporting.
    static @Nullable String required(XmlElement e, String child, Problems problems) {
        String text = e.textOf(child);
        if (text == null) {
            String nearest =
                    Problems.nearest(child, e.children().stream().map(XmlElement::name).toList());
            problems.error(
                    e.origin(),
                    "has no <"
                            + child
                            + ">. Add <"
                            + child
                            + ">...</"
                            + child
                            + ">."
                            + (nearest.isEmpty() || nearest.equals(child)
                                    ? ""
                                    : " (There is a <" + nearest + ">.)"));
        }
        return text;
    }

    /// Registers under a name that may be declared only once in a file.
    static <T> void once(
            Map<String, T> known,
            String name,
            T value,
            Origin origin,
            Origin before,
            Problems problems) {
        if (known.containsKey(name)) {
            problems.error(
                    origin,
                    "\""
                            + name
                            + "\" is declared twice, first in line "
                            + before.line()
                            + ". Rename or remove one of the two.");
        } else {
            known.put(name, value);
        }
    }

    /// Whether a text is `true` in a schema boolean; anything but true and false is reported.
    static @Nullable Said<Boolean> flag(XmlElement e, String child, Problems problems) {
        XmlElement element = e.child(child);
        if (element == null) {
            return null;
        }
        return switch (element.text()) {
            case "true", "1" -> new Said<>(true, element.origin());
            case "false", "0" -> new Said<>(false, element.origin());
            default -> {
                problems.error(
                        element.origin(),
                        "\"" + element.text() + "\" is neither true nor false. Write one of them.");
                yield null;
            }
        };
    }
}
