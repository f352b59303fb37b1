package io.margay.compat.tomcat.application;

import io.margay.compat.tomcat.base.CatalinaProperties;
import io.margay.servlet.settings.LibraryScan;
import io.margay.servlet.settings.LibraryScan.Names;
import io.margay.servlet.xml.XmlElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads `JarScanner` and its `JarScanFilter`: which libraries of an application are looked
/// through. Confined to one reading.
record JarScans(BiConsumer<XmlElement, String> errors, BiConsumer<XmlElement, String> warnings) {
    static final String SCANNER = "JarScanner";

    private static final String FILTER = "JarScanFilter";
    private static final String PACKAGE = "org.apache.tomcat.util.scan.";

    /// Attributes of `JarScanner` whose given value says what is done here anyhow.
    private static final Map<String, String> ALREADY_SO =
            Map.of(
                    "className", PACKAGE + "StandardJarScanner",
                    "scanAllFiles", "false",
                    "scanBootstrapClassPath", "false",
                    "scanManifest", "false");

    LibraryScan read(XmlElement scanner) {
        Map<String, String> left = new LinkedHashMap<>(scanner.attributes());
        boolean shared = flag(scanner, "scanClassPath", left.remove("scanClassPath"));
        boolean folders = flag(scanner, "scanAllDirectories", left.remove("scanAllDirectories"));
        left.forEach((name, value) -> {
            if (!value.equalsIgnoreCase(ALREADY_SO.get(name))) {
                warnings.accept(scanner, name + "='" + value + "' has no effect here");
            }
        });
        LibraryScan scan = new LibraryScan(Names.ALL, Names.ALL, shared, folders);
        for (XmlElement child : scanner.children()) {
            if (child.name().equals(FILTER)) {
                scan = filtered(child, shared, folders);
            } else {
                warnings.accept(child, "has no effect here");
            }
        }
        return scan;
    }

    private LibraryScan filtered(XmlElement filter, boolean shared, boolean folders) {
        Map<String, String> left = new LinkedHashMap<>(filter.attributes());
        String className = left.remove("className");
        if (className != null && !className.equals(PACKAGE + "StandardJarScanFilter")) {
            warnings.accept(filter, className + " is not asked: its lists alone count");
        }
        Names features = names(filter, "pluggability", "defaultPluggabilityScan", left);
        Names tagLibraries = names(filter, "tld", "defaultTldScan", left);
        left.keySet().forEach(name -> warnings.accept(filter, name + " has no effect here"));
        return new LibraryScan(features, tagLibraries, shared, folders);
    }

    private Names names(
            XmlElement filter, String kind, String byDefault, Map<String, String> left) {
        return new Names(
                patterns(left.remove(kind + "Skip")),
                patterns(left.remove(kind + "Scan")),
                flag(filter, byDefault, left.remove(byDefault)));
    }

    private static List<String> patterns(@Nullable String list) {
        return Stream.of((list == null ? "" : list).split(",", -1))
                .map(String::strip)
                .filter(pattern -> !pattern.isEmpty())
                .toList();
    }

    /// True unless it says otherwise, as all of them do in Tomcat.
    private boolean flag(XmlElement element, String attribute, @Nullable String value) {
        if (value != null && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            errors.accept(element, attribute + "='" + value + "' must be true or false");
        }
        return value == null || value.equalsIgnoreCase("true");
    }

    /// The elements of a context in which a `JarScanFilter` has the lists of `catalina.properties`
    /// where it has none of its own.
    ///
    /// @param file its name for messages, where there is no `JarScanner`
    static List<XmlElement> withLists(
            List<XmlElement> elements, CatalinaProperties properties, String file) {
        String skip = properties.get(CatalinaProperties.JARS_TO_SKIP);
        String scan = properties.get(CatalinaProperties.JARS_TO_SCAN);
        if (skip == null && scan == null) {
            return elements;
        }
        Map<String, String> lists = new LinkedHashMap<>();
        for (String kind : List.of("pluggability", "tld")) {
            lists.put(kind + "Skip", skip == null ? "" : skip);
            lists.put(kind + "Scan", scan == null ? "" : scan);
        }
        List<String> skipped = patterns(skip);
        boolean all =
                patterns(scan).isEmpty() && (skipped.contains("*") || skipped.contains("*.jar"));
        boolean there = elements.stream().anyMatch(element -> element.name().equals(SCANNER));
        XmlElement none = new XmlElement(file, SCANNER, 1, 1, Map.of(), List.of(), "");
        Stream<XmlElement> own = there ? Stream.of() : Stream.of(none);
        return Stream.concat(elements.stream(), own)
                .map(one -> one.name().equals(SCANNER) ? withLists(one, lists, all) : one)
                .toList();
    }

    /// @param all whether all libraries are skipped, whatever the filter of a context says
    private static XmlElement withLists(
            XmlElement scanner, Map<String, String> lists, boolean all) {
        XmlElement own = scanner.child(FILTER);
        Map<String, String> attributes = new LinkedHashMap<>(lists);
        if (own != null && !all) {
            attributes.putAll(own.attributes());
        }
        Map<String, String> flags = new LinkedHashMap<>(scanner.attributes());
        if (all) {
            flags.put("scanAllDirectories", "false");
        }
        XmlElement place = own == null ? scanner : own;
        XmlElement filter = at(place, FILTER, attributes, List.of());
        return at(scanner, SCANNER, flags, List.of(filter));
    }

    private static XmlElement at(
            XmlElement place,
            String name,
            Map<String, String> attributes,
            List<XmlElement> children) {
        return new XmlElement(
                place.file(), name, place.line(), place.column(), attributes, children, "");
    }
}
