package io.margay.servlet.descriptor;

import io.margay.servlet.descriptor.Declarations.Said;
import io.margay.servlet.descriptor.WebAppDescriptor.LoginDef;
import io.margay.servlet.descriptor.WebAppDescriptor.SecurityConstraint;
import io.margay.servlet.descriptor.WebAppDescriptor.Taglib;
import io.margay.servlet.descriptor.WebAppDescriptor.WebResourceCollection;
import io.margay.servlet.mapping.UrlPatterns;
import io.margay.servlet.xml.XmlElement;
import jakarta.servlet.SessionTrackingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads `session-config`, `jsp-config` and the security elements. Confined to the deploying
/// thread.
record WebElements(Declarations out, Problems problems) {
    private static final Set<String> GUARANTEES = Set.of("NONE", "INTEGRAL", "CONFIDENTIAL");

    void sessionConfig(XmlElement e) {
        XmlElement timeout = e.child("session-timeout");
        if (timeout != null && !timeout.text().isEmpty()) {
            Integer minutes =
                    DescriptorReader.number(
                            timeout,
                            "session-timeout",
                            timeout.text(),
                            Integer.MIN_VALUE,
                            Integer.MAX_VALUE / 60,
                            problems);
            if (minutes != null) {
                put("session-timeout", timeout);
            }
        }
        XmlElement cookie = e.child("cookie-config");
        if (cookie != null) {
            cookieConfig(cookie);
        }
        for (XmlElement mode : e.all("tracking-mode")) {
            try {
                String text = mode.text().toUpperCase(Locale.ROOT);
                out.session.trackingModes.add(SessionTrackingMode.valueOf(text));
            } catch (IllegalArgumentException _) {
                problems.error(
                        mode.origin(),
                        "\""
                                + mode.text()
                                + "\" is not a tracking mode. Write COOKIE, URL or SSL.");
            }
        }
    }

    private void cookieConfig(XmlElement cookie) {
        for (String name : List.of("name", "domain", "path")) {
            XmlElement element = cookie.child(name);
            if (element != null) {
                put(name, element);
            }
        }
        for (String name : List.of("http-only", "secure")) {
            XmlElement element = cookie.child(name);
            if (element != null && DescriptorReader.flag(cookie, name, problems) != null) {
                put(name, element);
            }
        }
        XmlElement age = cookie.child("max-age");
        if (age != null) {
            Integer seconds =
                    DescriptorReader.number(
                            age, "max-age", age.text(), -1, Integer.MAX_VALUE, problems);
            if (seconds != null) {
                put("max-age", age);
            }
        }
        for (XmlElement attribute : cookie.all("attribute")) {
            String name = DescriptorReader.required(attribute, "attribute-name", problems);
            String value = attribute.textOf("attribute-value");
            if (name != null) {
                out.session.cookieAttributes.put(
                        name, new Said<>(value == null ? "" : value, attribute.origin()));
            }
        }
    }

    private void put(String name, XmlElement element) {
        out.session.values.put(name, new Said<>(element.text(), element.origin()));
    }

    void jspConfig(XmlElement e) {
        e.all("taglib").forEach(this::taglib);
        for (XmlElement group : e.all("jsp-property-group")) {
            List<String> patterns = patterns(group);
            if (patterns.isEmpty() && group.all("url-pattern").isEmpty()) {
                problems.error(group.origin(), "has no <url-pattern>. Say which pages it is for.");
            }
            out.jspGroups.add(
                    WebAppDescriptorJspGroupBuilder.builder()
                            .urlPatterns(patterns)
                            .elIgnored(group.textOf("el-ignored"))
                            .errorOnElNotFound(group.textOf("error-on-el-not-found"))
                            .pageEncoding(group.textOf("page-encoding"))
                            .scriptingInvalid(group.textOf("scripting-invalid"))
                            .isXml(group.textOf("is-xml"))
                            .includePreludes(texts(group, "include-prelude"))
                            .includeCodas(texts(group, "include-coda"))
                            .deferredSyntaxAllowedAsLiteral(
                                    group.textOf("deferred-syntax-allowed-as-literal"))
                            .trimDirectiveWhitespaces(group.textOf("trim-directive-whitespaces"))
                            .defaultContentType(group.textOf("default-content-type"))
                            .buffer(group.textOf("buffer"))
                            .errorOnUndeclaredNamespace(
                                    group.textOf("error-on-undeclared-namespace"))
                            .build());
        }
    }

    void taglib(XmlElement e) {
        String uri = DescriptorReader.required(e, "taglib-uri", problems);
        String location = DescriptorReader.required(e, "taglib-location", problems);
        if (uri == null || location == null) {
            return;
        }
        if (out.taglibs.putIfAbsent(uri, new Taglib(uri, location)) != null) {
            problems.error(
                    e.origin(), "the URI " + uri + " is declared twice. Remove one of the two.");
        }
    }

    void securityConstraint(XmlElement e) {
        List<WebResourceCollection> collections = new ArrayList<>();
        for (XmlElement collection : e.all("web-resource-collection")) {
            Set<String> methods = new LinkedHashSet<>(texts(collection, "http-method"));
            Set<String> omitted = new LinkedHashSet<>(texts(collection, "http-method-omission"));
            if (!methods.isEmpty() && !omitted.isEmpty()) {
                problems.error(
                        collection.origin(),
                        "has both <http-method> and <http-method-omission>. Keep one kind.");
                continue;
            }
            List<String> patterns = patterns(collection);
            if (patterns.isEmpty() && collection.all("url-pattern").isEmpty()) {
                problems.error(collection.origin(), "has no <url-pattern>. Say what it protects.");
            }
            String name = collection.textOf("web-resource-name");
            collections.add(
                    new WebResourceCollection(
                            name == null ? "" : name, patterns, methods, omitted));
        }
        if (collections.isEmpty()) {
            problems.error(
                    e.origin(),
                    "has no <web-resource-collection>. Add what it protects, or remove" + " it.");
        }
        XmlElement auth = e.child("auth-constraint");
        Set<String> roles = auth == null ? null : new LinkedHashSet<>(texts(auth, "role-name"));
        out.constraints.add(new SecurityConstraint(collections, roles, guarantee(e)));
    }

    private String guarantee(XmlElement e) {
        XmlElement data = e.child("user-data-constraint");
        if (data == null) {
            return "NONE";
        }
        String text = data.textOf("transport-guarantee");
        if (text == null || !GUARANTEES.contains(text)) {
            problems.error(
                    data.origin(),
                    "<transport-guarantee> must be NONE, INTEGRAL or CONFIDENTIAL. Write one.");
            return "CONFIDENTIAL";
        }
        return text;
    }

    void loginConfig(XmlElement e) {
        if (out.login != null) {
            problems.error(e.origin(), "occurs twice. Keep one.");
            return;
        }
        XmlElement form = e.child("form-login-config");
        String page = form == null ? null : page(form, "form-login-page");
        String error = form == null ? null : page(form, "form-error-page");
        String method = e.textOf("auth-method");
        if ("FORM".equals(method) && (page == null || error == null)) {
            problems.error(
                    e.origin(),
                    "method FORM needs <form-login-config> with <form-login-page> and"
                            + " <form-error-page>. Add them.");
        }
        out.login =
                new Said<>(new LoginDef(method, e.textOf("realm-name"), page, error), e.origin());
    }

    private @Nullable String page(XmlElement form, String child) {
        String page = form.textOf(child);
        if (page != null && !page.startsWith("/")) {
            problems.error(
                    form.origin(),
                    "<" + child + "> \"" + page + "\" must begin with /. Write \"/" + page + "\".");
        }
        return page;
    }

    void securityRole(XmlElement e) {
        String role = DescriptorReader.required(e, "role-name", problems);
        if (role != null) {
            out.securityRoles.add(role);
        }
    }

    private List<String> patterns(XmlElement e) {
        List<String> patterns = new ArrayList<>();
        for (XmlElement pattern : e.all("url-pattern")) {
            String fault = UrlPatterns.fault(pattern.text());
            if (fault == null) {
                patterns.add(pattern.text());
            } else {
                problems.error(pattern.origin(), fault);
            }
        }
        return patterns;
    }

    private static List<String> texts(XmlElement e, String child) {
        return e.all(child).stream().map(XmlElement::text).toList();
    }
}
