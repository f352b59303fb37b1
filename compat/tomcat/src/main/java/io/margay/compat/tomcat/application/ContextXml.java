package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.application.ContextSettings.Environment;
import io.margay.compat.tomcat.application.ContextSettings.FileSettings;
import io.margay.compat.tomcat.application.ContextSettings.FirstFilter;
import io.margay.compat.tomcat.application.ContextSettings.HandlerDef;
import io.margay.compat.tomcat.application.ContextSettings.Parameter;
import io.margay.compat.tomcat.application.ContextSettings.RealmDef;
import io.margay.compat.tomcat.application.ContextSettings.Resource;
import io.margay.compat.tomcat.application.ContextSettings.ResourceLink;
import io.margay.compat.tomcat.application.ContextSettings.SessionCookieSettings;
import io.margay.compat.tomcat.client.AccessRule;
import io.margay.compat.tomcat.client.ForwardingRules;
import io.margay.compat.tomcat.client.FrontEndTls;
import io.margay.compat.tomcat.client.RemoteCidrFilter;
import io.margay.compat.tomcat.client.RemoteIpFilter;
import io.margay.compat.tomcat.filter.CookieAttributesFilter;
import io.margay.compat.tomcat.filter.InitParams;
import io.margay.compat.tomcat.filter.LoadBalancerDrainingFilter;
import io.margay.compat.tomcat.rewrite.HealthCheck;
import io.margay.compat.tomcat.valve.CrawlerSessionFilter;
import io.margay.compat.tomcat.valve.SemaphoreFilter;
import io.margay.compat.tomcat.valve.StuckThreadFilter;
import io.margay.servlet.descriptor.WebAppDescriptor.FilterDef;
import io.margay.servlet.resource.Mount;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.LoadBalancerDraining;
import io.margay.servlet.xml.DescriptorException;
import io.margay.servlet.xml.DescriptorLimits;
import io.margay.servlet.xml.XmlElement;
import io.margay.servlet.xml.XmlTree;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Reads an application's `META-INF/context.xml`. Confined to the deploying thread.
///
/// Nothing is left out without a word: what is not honoured is told in a warning with file and
/// line, and what would restrict access and cannot be honoured is an error.
final class ContextXml {
    private static final String COOKIE_PROCESSOR =
            "org.apache.tomcat.util.http.Rfc6265CookieProcessor";

    /// Attributes of `Context` whose given value says what is done here anyhow.
    private static final Map<String, String> ALREADY_SO =
            Map.ofEntries(
                    Map.entry("antiResourceLocking", "false"),
                    Map.entry("fireRequestListenersOnForwards", "false"),
                    Map.entry("ignoreAnnotations", "false"),
                    Map.entry("logEffectiveWebXml", "false"),
                    Map.entry("preemptiveAuthentication", "false"),
                    Map.entry("privileged", "false"),
                    Map.entry("reloadable", "false"),
                    Map.entry("sendRedirectBody", "false"),
                    Map.entry("swallowOutput", "false"),
                    Map.entry("tldValidation", "false"),
                    Map.entry("useNaming", "true"),
                    Map.entry("useRelativeRedirects", "true"),
                    Map.entry("validateClientProvidedNewSessionId", "true"),
                    Map.entry("xmlBlockExternal", "true"),
                    Map.entry("xmlValidation", "false"));

    /// Attributes of `Resources` about how files are cached, which is the server's own.
    private static final Set<String> CACHE_ATTRIBUTES =
            Set.of(
                    "archiveIndexStrategy",
                    "cacheMaxSize",
                    "cacheObjectMaxSize",
                    "cacheTtl",
                    "cachingAllowed",
                    "className",
                    "trackLockedFiles");

    private final List<String> errors = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<FirstFilter> filters = new ArrayList<>();
    private final List<Parameter> parameters = new ArrayList<>();
    private final List<Environment> environment = new ArrayList<>();
    private final List<Resource> resources = new ArrayList<>();
    private final List<ResourceLink> links = new ArrayList<>();
    private final Map<String, String> cookieAttributes = new TreeMap<>();
    private List<Mount> mounts = List.of();
    private boolean containerFirst;
    private @Nullable LibraryScan libraries;
    private @Nullable String rewriting;
    private @Nullable String health;
    private @Nullable FrontEndTls frontEnd;
    private @Nullable RealmDef realm;
    private @Nullable String login;

    private ContextXml() {}

    /// The root element of a descriptor.
    ///
    /// @throws DescriptorException when it cannot be one
    static XmlElement tree(String file, byte[] bytes, DescriptorLimits limits) {
        XmlTree.Document document = XmlTree.read(file, bytes, limits);
        XmlElement root = document.root();
        ContextXml reader = new ContextXml();
        if (document.declaresType()) {
            reader.error(root, "a document type is refused; remove the DOCTYPE");
        }
        if (!root.name().equals("Context")) {
            reader.error(root, "the root element must be <Context>");
        }
        reader.failIfWrong();
        return root;
    }

    /// The settings of a root element.
    ///
    /// @throws DescriptorException with every error, each with file, line and column
    static ContextSettings settings(XmlElement root) {
        ContextXml reader = new ContextXml();
        ContextSettings settings = reader.readContext(root);
        reader.failIfWrong();
        return settings;
    }

    /// A realm that stands outside of a context.
    static RealmDef realm(XmlElement element) {
        ContextXml reader = new ContextXml();
        RealmDef definition = reader.readRealm(element);
        reader.failIfWrong();
        return definition;
    }

    private void failIfWrong() {
        if (!errors.isEmpty()) {
            throw new DescriptorException(errors);
        }
    }

    private ContextSettings readContext(XmlElement root) {
        Map<String, String> left = new TreeMap<>(root.attributes());
        String name = cookieName(root, left.remove("sessionCookieName"));
        String path = plain(root, "sessionCookiePath", left.remove("sessionCookiePath"));
        String domain = plain(root, "sessionCookieDomain", left.remove("sessionCookieDomain"));
        Boolean httpOnly = flag(root, "useHttpOnly", left.remove("useHttpOnly"));
        Boolean cookies = flag(root, "cookies", left.remove("cookies"));
        Boolean cross = flag(root, "crossContext", left.remove("crossContext"));
        String casualName = "allowCasualMultipartParsing";
        Boolean casual = flag(root, casualName, left.remove(casualName));
        Map<String, String> sessionAttributes = new TreeMap<>();
        if (Boolean.TRUE.equals(flag(root, "usePartitioned", left.remove("usePartitioned")))) {
            sessionAttributes.put("Partitioned", "");
        }
        left.forEach((attribute, value) -> unused(root, attribute, value));
        root.children().forEach(this::readChild);
        readTlsValve(root);
        if (!cookieAttributes.isEmpty()) {
            filters.add(
                    new FirstFilter(
                            filter(root, CookieAttributesFilter.class, cookieAttributes), true));
        }
        sessionAttributes.putAll(cookieAttributes);
        return ContextSettingsBuilder.builder()
                .sessionCookie(
                        new SessionCookieSettings(
                                name,
                                path,
                                domain,
                                httpOnly,
                                !Boolean.FALSE.equals(cookies),
                                Map.copyOf(sessionAttributes)))
                .crossContext(Boolean.TRUE.equals(cross))
                .casualMultipart(Boolean.TRUE.equals(casual))
                .filters(filters)
                .parameters(parameters)
                .environment(environment)
                .resources(resources)
                .links(links)
                .realm(realm)
                .login(login)
                .files(
                        new FileSettings(
                                mounts, containerFirst, libraries, rewriting, health, frontEnd))
                .warnings(warnings)
                .build();
    }

    private void unused(XmlElement root, String attribute, String value) {
        switch (attribute) {
            case "path", "docBase" ->
                    warn(
                            root,
                            attribute
                                    + "='"
                                    + value
                                    + "' has no effect: the application is where it was deployed");
            default -> {
                if (!value.equalsIgnoreCase(ALREADY_SO.get(attribute))) {
                    warn(root, attribute + "='" + value + "' has no effect here");
                }
            }
        }
    }

    private void readChild(XmlElement child) {
        switch (child.name()) {
            case "CookieProcessor" -> readCookieProcessor(child);
            case "Valve" -> readValve(child);
            case "Parameter" -> readParameter(child);
            case "Environment" -> readEnvironment(child);
            case "Resource" -> readResource(child);
            case "ResourceLink" -> readResourceLink(child);
            case "Realm" -> {
                if (realm != null) {
                    error(child, "appears twice; put both into a CombinedRealm");
                }
                realm = readRealm(child);
            }
            case "Resources" -> {
                mounts = new ResourceSets(this::error, this::warn).read(child);
                warnOfOthers(child, CACHE_ATTRIBUTES);
            }
            case "Loader" -> readLoader(child);
            case JarScans.SCANNER -> libraries = new JarScans(this::error, this::warn).read(child);
            case "WatchedResource" -> warn(child, "has no effect here: '" + child.text() + "'");
            default -> warn(child, "has no effect here" + classOf(child));
        }
    }

    private void readCookieProcessor(XmlElement element) {
        Map<String, String> left = new TreeMap<>(element.attributes());
        String className = left.remove("className");
        if (className != null && !className.equals(COOKIE_PROCESSOR)) {
            warn(element, className + " has no effect: cookies are read as RFC 6265 says");
        }
        String sameSite = left.remove("sameSiteCookies");
        if (sameSite != null) {
            switch (sameSite.toLowerCase(Locale.ROOT)) {
                case "none" -> cookieAttributes.put("SameSite", "None");
                case "lax" -> cookieAttributes.put("SameSite", "Lax");
                case "strict" -> cookieAttributes.put("SameSite", "Strict");
                case "unset" -> cookieAttributes.remove("SameSite");
                default ->
                        error(
                                element,
                                "sameSiteCookies='"
                                        + sameSite
                                        + "' must be unset, none, lax or strict");
            }
        }
        if (Boolean.TRUE.equals(flag(element, "partitioned", left.remove("partitioned")))) {
            cookieAttributes.put("Partitioned", "");
        }
        left.forEach((name, value) -> warn(element, name + "='" + value + "' has no effect here"));
    }

    private void readValve(XmlElement element) {
        Map<String, String> params = new TreeMap<>(element.attributes());
        String className = params.remove("className");
        params.remove("asyncSupported");
        if (className == null || className.isEmpty()) {
            error(element, "className is missing");
            return;
        }
        switch (Valve.named(className)) {
            case Valve.AsFilter(Class<? extends Filter> type) -> {
                FilterDef filter = filter(element, type, params);
                check(element, filter);
                filters.add(new FirstFilter(filter, type == StuckThreadFilter.class));
            }
            case Valve.Answers() -> health = params.getOrDefault("path", HealthCheck.PATH);
            case Valve.TellsTls() -> {
                // Together with the proxies that another valve lists.
            }
            case Valve.Rewrites() -> {
                Boolean on = flag(element, "enabled", params.remove("enabled"));
                String file = params.getOrDefault("resourcePath", "rewrite.config");
                rewriting = Boolean.FALSE.equals(on) ? null : plain(element, "resourcePath", file);
            }
            case Valve.LogsIn(String method) -> {
                login = method;
                params.forEach((name, value) -> {
                    if (LoginValve.closes(name, value)) {
                        error(element, name + "='" + value + "' cannot be done here; leave it out");
                    } else if (!LoginValve.isSo(name, value)) {
                        warn(element, name + "='" + value + "' has no effect here");
                    }
                });
            }
            case Valve.LeftOut() -> warn(element, className + " has no effect here");
            case Valve.Refused() ->
                    error(
                            element,
                            className
                                    + " may restrict access and cannot be run here, so the"
                                    + " application is not deployed without it; remove it or put"
                                    + " RemoteCIDRValve or a security-constraint in its place");
        }
    }

    private void readTlsValve(XmlElement root) {
        TlsValve valve = TlsValve.of(List.of(root));
        if (valve == null) {
            return;
        }
        if (!valve.isListed()) {
            warn(valve.element(), TlsValve.UNLISTED);
        }
        try {
            frontEnd = valve.read();
        } catch (ServletException e) {
            error(valve.element(), String.valueOf(e.getMessage()));
        }
    }

    /// Lets the filter read its parameters now, so that what is wrong is told with its line.
    private void check(XmlElement element, FilterDef filter) {
        InitParams params = new InitParams(valveName(element), filter.initParams());
        try {
            if (filter.className().equals(RemoteCidrFilter.class.getName())) {
                AccessRule.ofBlocks(params);
            } else if (filter.className().equals(RemoteIpFilter.class.getName())) {
                ForwardingRules.of(params);
            } else if (filter.className().equals(LoadBalancerDrainingFilter.class.getName())) {
                LoadBalancerDraining _ = LoadBalancerDrainingFilter.read(params);
            } else if (filter.className().equals(SemaphoreFilter.class.getName())) {
                SemaphoreFilter.Settings _ = SemaphoreFilter.Settings.of(params);
            } else if (filter.className().equals(CrawlerSessionFilter.class.getName())) {
                CrawlerSessionFilter.Settings _ = CrawlerSessionFilter.Settings.of(params);
            } else if (filter.className().equals(StuckThreadFilter.class.getName())) {
                StuckThreadFilter.Settings _ = StuckThreadFilter.Settings.of(params);
            } else {
                AccessRule.ofPatterns(params);
            }
        } catch (ServletException e) {
            error(element, String.valueOf(e.getMessage()));
        }
    }

    private static String valveName(XmlElement element) {
        String className = element.attributes().getOrDefault("className", element.name());
        return className.substring(className.lastIndexOf('.') + 1);
    }

    private static FilterDef filter(
            XmlElement element, Class<? extends Filter> type, Map<String, String> params) {
        String name = element.file() + ":" + element.line() + ":" + element.column();
        return new FilterDef(name + ":" + type.getSimpleName(), type.getName(), params, true);
    }

    private void readParameter(XmlElement element) {
        String name = required(element, "name");
        String value = required(element, "value");
        if (name != null && value != null) {
            parameters.add(new Parameter(name, value, mayBeOverridden(element)));
        }
        warnOfOthers(element, Set.of("name", "value", "override", "description"));
    }

    private void readEnvironment(XmlElement element) {
        String name = required(element, "name");
        String type = required(element, "type");
        String value = required(element, "value");
        if (name != null && type != null && value != null) {
            environment.add(
                    new Environment(name, type, value, mayBeOverridden(element), place(element)));
        }
        warnOfOthers(element, Set.of("name", "type", "value", "override", "description"));
    }

    private boolean mayBeOverridden(XmlElement element) {
        Boolean override = flag(element, "override", element.attributes().get("override"));
        return !Boolean.FALSE.equals(override);
    }

    private void readResource(XmlElement element) {
        String name = required(element, "name");
        if (name != null) {
            resources.add(new Resource(name, Map.copyOf(plain(element)), place(element)));
        }
    }

    private void readResourceLink(XmlElement element) {
        String name = required(element, "name");
        String global = required(element, "global");
        if (name != null && global != null) {
            links.add(new ResourceLink(name, global, place(element)));
        }
        warnOfOthers(element, Set.of("name", "global", "type"));
    }

    private void readLoader(XmlElement element) {
        Map<String, String> left = new TreeMap<>(element.attributes());
        containerFirst = Boolean.TRUE.equals(flag(element, "delegate", left.remove("delegate")));
        left.remove("reloadable");
        left.forEach((name, value) -> {
            if (!value.startsWith("org.apache.catalina.loader.")) {
                warn(element, name + "='" + value + "' has no effect here");
            }
        });
    }

    private RealmDef readRealm(XmlElement element) {
        List<RealmDef> realms = new ArrayList<>();
        List<HandlerDef> handlers = new ArrayList<>();
        for (XmlElement child : element.children()) {
            switch (child.name()) {
                case "Realm" -> realms.add(readRealm(child));
                case "CredentialHandler" -> handlers.add(readHandler(child));
                default -> warn(child, "has no effect here" + classOf(child));
            }
        }
        String className = required(element, "className");
        return new RealmDef(
                className == null ? "" : className,
                plain(element),
                realms,
                handlers,
                place(element));
    }

    private HandlerDef readHandler(XmlElement element) {
        List<HandlerDef> handlers = new ArrayList<>();
        for (XmlElement child : element.children()) {
            if (child.name().equals("CredentialHandler")) {
                handlers.add(readHandler(child));
            } else {
                warn(child, "has no effect here" + classOf(child));
            }
        }
        String className = required(element, "className");
        return new HandlerDef(
                className == null ? "" : className, plain(element), handlers, place(element));
    }

    private Map<String, String> plain(XmlElement element) {
        Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
        attributes.replaceAll((key, value) -> {
            String plain = plain(element, key, value);
            return plain == null ? "" : plain;
        });
        return attributes;
    }

    private void warnOfOthers(XmlElement element, Set<String> known) {
        for (String attribute : element.attributes().keySet()) {
            if (!known.contains(attribute)) {
                warn(element, attribute + " has no effect here");
            }
        }
    }

    private @Nullable String required(XmlElement element, String attribute) {
        String value = element.attributes().get(attribute);
        if (value == null) {
            error(element, attribute + " is missing");
        }
        return plain(element, attribute, value);
    }

    private @Nullable String cookieName(XmlElement element, @Nullable String value) {
        if (value != null && !SignOnValve.isCookieName(value)) {
            error(element, "sessionCookieName='" + value + "' is not a name for a cookie");
            return null;
        }
        return plain(element, "sessionCookieName", value);
    }

    /// A value without `${...}`, which Tomcat would replace.
    private @Nullable String plain(XmlElement element, String attribute, @Nullable String value) {
        if (value != null && value.contains("${")) {
            error(
                    element,
                    attribute
                            + "='"
                            + value
                            + "': properties are not replaced here; write the value");
            return null;
        }
        return value;
    }

    private @Nullable Boolean flag(XmlElement element, String attribute, @Nullable String value) {
        if (value == null) {
            return null;
        }
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "true" -> Boolean.TRUE;
            case "false" -> Boolean.FALSE;
            default -> {
                error(element, attribute + "='" + value + "' must be true or false");
                yield null;
            }
        };
    }

    private static String classOf(XmlElement element) {
        String className = element.attributes().get("className");
        return className == null ? "" : ": " + className;
    }

    private static String place(XmlElement element) {
        return element.file() + ":" + element.line() + ":" + element.column();
    }

    private void error(XmlElement element, String what) {
        errors.add(place(element) + ": <" + element.name() + ">: " + what);
    }

    private void warn(XmlElement element, String what) {
        warnings.add(place(element) + ": <" + element.name() + ">: " + what);
    }
}
