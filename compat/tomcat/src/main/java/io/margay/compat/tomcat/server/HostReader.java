package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.application.ErrorFiles;
import io.margay.compat.tomcat.application.HostDefaults;
import io.margay.compat.tomcat.application.SignOnValve;
import io.margay.compat.tomcat.application.Valve;
import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.compat.tomcat.server.TomcatPlan.ContextPlan;
import io.margay.compat.tomcat.server.TomcatPlan.HostPlan;
import io.margay.compat.tomcat.server.TomcatPlan.LogPlan;
import io.margay.server.log.LogFormat;
import io.margay.servlet.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the hosts of `server.xml` and, for a whole base, the descriptors of their contexts.
/// Confined to one reading.
final class HostReader {
    private static final String APPS_BY_DEFAULT = "webapps";

    private final Path base;
    private final @Nullable CatalinaProperties properties;
    private final ElementAccount account;
    private @Nullable Boolean autoDeploy;
    private @Nullable Boolean oldVersions;
    private boolean errorDetails;

    /// @param properties of the base; null = the files beside server.xml are not read
    HostReader(Path base, @Nullable CatalinaProperties properties, ElementAccount account) {
        this.base = base;
        this.properties = properties;
        this.account = account;
    }

    boolean autoDeploy() {
        return !Boolean.FALSE.equals(autoDeploy);
    }

    boolean undeployOldVersions() {
        return Boolean.TRUE.equals(oldVersions);
    }

    boolean errorDetails() {
        return errorDetails;
    }

    /// @param any whether the host answers to every name that no other has
    HostPlan host(XmlElement host, XmlElement engine, boolean any, List<String> places) {
        Map<String, String> attributes = host.attributes();
        String name = attributes.getOrDefault("name", "localhost").toLowerCase(Locale.ROOT);
        List<String> names = new ArrayList<>(List.of(name));
        for (XmlElement alias : host.all("Alias")) {
            String other = alias.text().toLowerCase(Locale.ROOT);
            if (!names.contains(other)) {
                names.add(other);
            }
        }
        if (any) {
            names.add("*");
            account.tell(
                    host,
                    Verdict.HONOURED,
                    name + " answers to every name that no other host has, too");
        }
        Path apps = base.resolve(attributes.getOrDefault("appBase", APPS_BY_DEFAULT)).normalize();
        boolean auto = isTrue(host, "autoDeploy", true);
        boolean served = folder(host, apps, auto);
        autoDeploy = once(host, "autoDeploy", auto, autoDeploy);
        oldVersions =
                once(
                        host,
                        "undeployOldVersions",
                        isTrue(host, "undeployOldVersions", false),
                        oldVersions);
        Map<String, ContextPlan> contexts = new LinkedHashMap<>();
        for (XmlElement context : host.all("Context")) {
            context(context, apps, served, contexts);
        }
        if (properties != null) {
            new ContextFiles(base, properties, account).plans(engine, host, apps, contexts);
            HostRewriting.tell(base, engine, host, account);
        }
        List<LogPlan> logs = new ArrayList<>();
        engine.all("Valve").forEach(valve -> valve(valve, logs));
        host.all("Valve").forEach(valve -> valve(valve, logs));
        return new HostPlan(
                names,
                served ? apps : null,
                List.copyOf(contexts.values()),
                logs,
                errorPages(host),
                places);
    }

    /// Whether the applications of the folder are deployed by being there.
    private boolean folder(XmlElement host, Path apps, boolean auto) {
        boolean atStart = isTrue(host, "deployOnStartup", true);
        if (!atStart && auto) {
            account.tell(
                    host,
                    "deployOnStartup",
                    Verdict.CHANGED,
                    "what autoDeploy would deploy in time is deployed at the start");
        }
        if (properties != null && !Files.isDirectory(apps)) {
            account.tell(
                    host,
                    "appBase",
                    Verdict.CHANGED,
                    apps + " is not there: the host has the applications of its contexts alone");
            return false;
        }
        return atStart || auto;
    }

    /// A setting of all hosts: that of the first one.
    private boolean once(
            XmlElement host, String attribute, boolean value, @Nullable Boolean before) {
        if (before != null && before != value) {
            account.tell(
                    host,
                    attribute,
                    Verdict.CHANGED,
                    "is " + before + ", as the first host has it");
            return before;
        }
        return value;
    }

    // Contexts

    private void context(
            XmlElement context, Path apps, boolean served, Map<String, ContextPlan> contexts) {
        String path = context.attributes().getOrDefault("path", "");
        path = path.equals("/") ? "" : path;
        String usual = path.isEmpty() ? "ROOT" : path.substring(1).replace('/', '#');
        String docBase = context.attributes().get("docBase");
        Path folder = existing(apps.resolve(docBase == null ? usual : docBase).normalize());
        boolean byName = apps.equals(folder.getParent()) && baseName(folder).equals(usual);
        if (properties != null && served && byName) {
            account.tell(context, Verdict.HONOURED, "the application " + usual + " of appBase");
            return;
        }
        Map<String, String> params = new HashMap<>();
        for (XmlElement parameter : context.all("Parameter")) {
            String name = parameter.attributes().get("name");
            if (name != null) {
                params.put(name, parameter.attributes().getOrDefault("value", ""));
            }
        }
        contexts.put(usual, new ContextPlan(path, "", folder, params));
        account.tell(context, Verdict.HONOURED, folder + " at " + (path.isEmpty() ? "/" : path));
    }

    /// The file of a `docBase`, which may be named without `.war`.
    static Path existing(Path docBase) {
        Path war = docBase.resolveSibling(docBase.getFileName() + ".war");
        return !Files.exists(docBase) && Files.exists(war) ? war : docBase;
    }

    private static String baseName(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".war") ? name.substring(0, name.length() - 4) : name;
    }

    // Valves

    /// Whether a valve is honoured by what is made of the whole base.
    static boolean needsBase(XmlElement valve) {
        return SignOnValve.isOne(valve)
                || !(Valve.named(className(valve)) instanceof Valve.LeftOut);
    }

    /// Whether a valve may keep requests out.
    static boolean isRestricting(XmlElement valve) {
        String type = className(valve);
        return type.endsWith("RemoteAddrValve")
                || type.endsWith("RemoteCIDRValve")
                || type.endsWith("RemoteHostValve")
                || Valve.named(type) instanceof Valve.Refused
                || Valve.named(type) instanceof Valve.Rewrites;
    }

    private static String className(XmlElement valve) {
        return valve.attributes().getOrDefault("className", "");
    }

    private void valve(XmlElement valve, List<LogPlan> logs) {
        String type = className(valve);
        if (Valve.LOGS.contains(type)) {
            accessLog(valve, type, logs);
        } else if (type.endsWith(".SemaphoreValve") && properties != null) {
            account.tell(valve, Verdict.CHANGED, "each application has its own concurrency");
        }
    }

    /// Tells of valves that stand where they do nothing.
    static void tellMisplaced(XmlElement element, ElementAccount account) {
        for (XmlElement valve : element.all("Valve")) {
            boolean ofHosts =
                    className(valve).equals(HostDefaults.ERROR_REPORTS)
                            || (element.name().equals("Context") && SignOnValve.isOne(valve));
            if (ofHosts && !element.name().equals("Host")) {
                account.tell(valve, Verdict.CHANGED, "is that of a Host: put it there");
            }
            if (element.name().equals("Context") && Valve.LOGS.contains(className(valve))) {
                account.tell(
                        valve,
                        Verdict.CHANGED,
                        "an application has no access log of its own: put it in the Host");
            }
            if (Valve.named(className(valve)) instanceof Valve.LogsIn
                    && !element.name().equals("Context")) {
                account.tell(valve, Verdict.CHANGED, "is that of a Context: put it there");
            }
            String cookie = valve.attributes().getOrDefault("cookieName", "a").strip();
            if (SignOnValve.isOne(valve) && !SignOnValve.isCookieName(cookie)) {
                account.tell(valve, "cookieName", Verdict.WRONG, "cannot be that of a cookie");
            }
        }
        element.children().forEach(child -> tellMisplaced(child, account));
    }

    /// The pages of the host's `ErrorReportValve`, by status.
    private Map<Integer, Path> errorPages(XmlElement host) {
        Map<Integer, Path> pages = Map.of();
        for (XmlElement valve : host.all("Valve")) {
            if (className(valve).equals(HostDefaults.ERROR_REPORTS)) {
                errorDetails |= isTrue(valve, "showReport", true);
                pages =
                        ErrorFiles.of(
                                        valve.attributes(),
                                        base,
                                        (name, text) ->
                                                account.tell(valve, name, Verdict.CHANGED, text))
                                .byStatus();
            }
        }
        return pages;
    }

    private void accessLog(XmlElement valve, String type, List<LogPlan> logs) {
        Map<String, String> attributes = valve.attributes();
        String folder = attributes.getOrDefault("directory", "logs");
        String prefix = attributes.getOrDefault("prefix", "access_log");
        String suffix = attributes.getOrDefault("suffix", "");
        String date = isTrue(valve, "rotatable", true) ? date(valve) : "";
        String pattern =
                switch (type.substring(type.lastIndexOf('.') + 1)) {
                    case "JsonAccessLogValve" -> "json";
                    case "ExtendedAccessLogValve" -> "combined";
                    default -> pattern(valve);
                };
        try {
            Object _ = LogFormat.of(pattern);
        } catch (IllegalArgumentException e) {
            account.tell(
                    valve,
                    "pattern",
                    Verdict.CHANGED,
                    e.getMessage() + ": the combined format is used");
            pattern = "combined";
        }
        logs.add(new LogPlan(base.resolve(folder).resolve(prefix + date + suffix), pattern));
    }

    /// The format of a valve's pattern, whose letters mean what the base's Tomcat makes of them.
    private String pattern(XmlElement valve) {
        Boolean javax = null;
        try {
            javax = CommonWebXml.isJavax(base);
        } catch (IOException e) {
            // Reading the file tells.
        }
        AccessPattern read =
                AccessPattern.of(
                        valve.attributes().getOrDefault("pattern", "common"),
                        Boolean.TRUE.equals(javax));
        List<String> texts = new ArrayList<>();
        if (!read.unknown().isEmpty()) {
            texts.add(
                    String.join(", ", read.unknown())
                            + " is unknown to Tomcat as well: ??? is written");
        }
        if (read.byVersion() && javax == null) {
            texts.add("%D and %T are read as by Tomcat 10 and later");
        }
        if (!texts.isEmpty()) {
            account.tell(valve, "pattern", Verdict.CHANGED, String.join("; ", texts));
        }
        return read.format();
    }

    /// The date in the name of a log as that of a file of ours.
    private String date(XmlElement valve) {
        String format = valve.attributes().getOrDefault("fileDateFormat", ".yyyy-MM-dd");
        String own =
                format.replace("yyyy", "%Y")
                        .replace("MM", "%m")
                        .replace("dd", "%d")
                        .replace("HH", "%H")
                        .replace("mm", "%M");
        if (own.replaceAll("%[YmdHM]", "").matches("[^A-Za-z%']*")) {
            if (valve.attributes().containsKey("fileDateFormat")) {
                account.tell(valve, "fileDateFormat", Verdict.HONOURED, "honoured");
            }
            return own;
        }
        return ".%Y-%m-%d"; // The table tells.
    }

    private static boolean isTrue(XmlElement element, String attribute, boolean byDefault) {
        String value = element.attributes().get(attribute);
        return value == null ? byDefault : value.equalsIgnoreCase("true");
    }
}
