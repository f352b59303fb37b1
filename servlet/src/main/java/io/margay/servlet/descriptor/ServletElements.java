package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Filter;
import io.margay.servlet.descriptor.Declarations.FilterMap;
import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.Declarations.Servlet;
import io.margay.servlet.descriptor.Declarations.ServletMapping;
import io.margay.servlet.mapping.UrlPatterns;
import io.margay.servlet.xml.XmlElement;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.MultipartConfigElement;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads `servlet`, `filter` and their mappings. Confined to the deploying thread.
record ServletElements(Declarations out, Problems problems) {
    void servlet(XmlElement e) {
        String name = DescriptorReader.required(e, "servlet-name", problems);
        if (name == null) {
            return;
        }
        Servlet servlet = new Servlet(name, e.origin());
        servlet.className = said(e, "servlet-class");
        servlet.jspFile = said(e, "jsp-file");
        if (servlet.className != null && servlet.jspFile != null) {
            problems.error(
                    e.origin(),
                    "servlet " + name + " has both <servlet-class> and <jsp-file>. Keep one.");
        }
        Said<String> jspFile = servlet.jspFile;
        if (jspFile != null && !jspFile.value().startsWith("/")) {
            problems.error(
                    jspFile.origin(),
                    "\""
                            + jspFile.value()
                            + "\" must begin with /. Write \"/"
                            + jspFile.value()
                            + "\".");
        }
        initParams(e, servlet.initParams);
        servlet.loadOnStartup = loadOnStartup(e);
        servlet.asyncSupported = DescriptorReader.flag(e, "async-supported", problems);
        servlet.enabled = DescriptorReader.flag(e, "enabled", problems);
        XmlElement runAs = e.child("run-as");
        if (runAs != null) {
            String role = DescriptorReader.required(runAs, "role-name", problems);
            servlet.runAs = role == null ? null : new Said<>(role, runAs.origin());
        }
        for (XmlElement reference : e.all("security-role-ref")) {
            String role = DescriptorReader.required(reference, "role-name", problems);
            if (role != null) {
                String link = reference.textOf("role-link");
                servlet.roleLinks.put(role, link == null ? role : link);
            }
        }
        XmlElement multipart = e.child("multipart-config");
        if (multipart != null) {
            servlet.multipart = multipart(multipart);
        }
        Servlet before = out.servlets.get(name);
        DescriptorReader.once(
                out.servlets,
                name,
                servlet,
                e.origin(),
                before == null ? e.origin() : before.origin,
                problems);
    }

    /// Empty means at any time the container likes: as the first. Negative means lazily.
    private @Nullable Said<Integer> loadOnStartup(XmlElement e) {
        XmlElement element = e.child("load-on-startup");
        if (element == null) {
            return null;
        }
        if (element.text().isEmpty()) {
            return new Said<>(0, element.origin());
        }
        try {
            return new Said<>(Integer.parseInt(element.text()), element.origin());
        } catch (NumberFormatException _) {
            problems.error(
                    element.origin(),
                    "\""
                            + element.text()
                            + "\" is not a whole number. Write one, such as 1; a"
                            + " negative one loads the servlet on first use.");
            return null;
        }
    }

    private @Nullable Said<MultipartConfigElement> multipart(XmlElement e) {
        Long fileMax = size(e, "max-file-size", -1);
        Long requestMax = size(e, "max-request-size", -1);
        Long threshold = size(e, "file-size-threshold", 0);
        if (fileMax == null || requestMax == null || threshold == null) {
            return null;
        }
        String location = e.textOf("location");
        int inMemory = (int) Math.min(threshold, Integer.MAX_VALUE);
        return new Said<>(
                new MultipartConfigElement(
                        location == null ? "" : location, fileMax, requestMax, inMemory),
                e.origin());
    }

    private @Nullable Long size(XmlElement e, String child, long absent) {
        XmlElement element = e.child(child);
        if (element == null || element.text().isEmpty()) {
            return absent;
        }
        try {
            return Long.parseLong(element.text());
        } catch (NumberFormatException _) {
            problems.error(
                    element.origin(),
                    "\"" + element.text() + "\" is not a number of bytes. Write digits only.");
            return null;
        }
    }

    void servletMapping(XmlElement e) {
        String name = DescriptorReader.required(e, "servlet-name", problems);
        List<String> patterns = patterns(e);
        if (patterns.isEmpty() && e.all("url-pattern").isEmpty()) {
            problems.error(
                    e.origin(), "has no <url-pattern>. Add <url-pattern>/...</url-pattern>.");
        }
        if (name == null) {
            return;
        }
        for (String pattern : patterns) {
            out.servletMappings.add(new ServletMapping(name, pattern, e.origin()));
        }
    }

    /// The right patterns of an element; wrong ones are reported. Servlet 2.2 let the first slash
    /// be left out.
    private List<String> patterns(XmlElement e) {
        List<String> patterns = new ArrayList<>();
        for (XmlElement element : e.all("url-pattern")) {
            String pattern = element.text();
            if (out.version.equals("2.2")
                    && !pattern.isEmpty()
                    && !pattern.startsWith("/")
                    && !pattern.startsWith("*.")) {
                pattern = "/" + pattern;
            }
            String fault = UrlPatterns.fault(pattern);
            if (fault == null) {
                patterns.add(pattern);
            } else {
                problems.error(element.origin(), fault);
            }
        }
        return patterns;
    }

    void filter(XmlElement e) {
        String name = DescriptorReader.required(e, "filter-name", problems);
        if (name == null) {
            return;
        }
        Filter filter = new Filter(name, e.origin());
        filter.className = said(e, "filter-class");
        initParams(e, filter.initParams);
        filter.asyncSupported = DescriptorReader.flag(e, "async-supported", problems);
        Filter before = out.filters.get(name);
        DescriptorReader.once(
                out.filters,
                name,
                filter,
                e.origin(),
                before == null ? e.origin() : before.origin,
                problems);
    }

    void filterMapping(XmlElement e) {
        String name = DescriptorReader.required(e, "filter-name", problems);
        List<String> servlets = e.all("servlet-name").stream().map(XmlElement::text).toList();
        List<String> patterns = patterns(e);
        if (servlets.isEmpty() && e.all("url-pattern").isEmpty()) {
            problems.error(
                    e.origin(), "has neither <url-pattern> nor <servlet-name>. Add one of them.");
        }
        Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);
        for (XmlElement dispatcher : e.all("dispatcher")) {
            try {
                String text = dispatcher.text().toUpperCase(Locale.ROOT);
                dispatchers.add(DispatcherType.valueOf(text));
            } catch (IllegalArgumentException _) {
                problems.error(
                        dispatcher.origin(),
                        "\""
                                + dispatcher.text()
                                + "\" is not a dispatcher type. Write REQUEST,"
                                + " FORWARD, INCLUDE, ERROR or ASYNC.");
            }
        }
        if (name != null) {
            out.filterMappings.add(
                    new FilterMap(name, patterns, servlets, dispatchers, e.origin()));
        }
    }

    private void initParams(XmlElement e, Map<String, Said<String>> params) {
        for (XmlElement param : e.all("init-param")) {
            String name = DescriptorReader.required(param, "param-name", problems);
            String value = param.textOf("param-value");
            if (name == null) {
                continue;
            }
            Said<String> before =
                    params.putIfAbsent(
                            name, new Said<>(value == null ? "" : value, param.origin()));
            if (before != null) {
                problems.warning(
                        param.origin(),
                        "parameter "
                                + name
                                + " was given before (line "
                                + before.origin().line()
                                + "); the first value stays");
            }
        }
    }

    private static @Nullable Said<String> said(XmlElement e, String child) {
        XmlElement element = e.child(child);
        return element == null || element.text().isEmpty()
                ? null
                : new Said<>(element.text(), element.origin());
    }
}
