package io.margay.packages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The bill of materials of a package (CycloneDX 1.6): its libraries with the digests of the files
/// that are in it, the Java runtime, and the packages of the system below.
final class Sbom {
    private static final Pattern RELEASE = Pattern.compile("(?m)^([A-Z_]+)=\"([^\"]*)\"");

    private Sbom() {}

    /// @param system Debian's packages in it; none but in an image
    static void write(Packaged packaged, List<DebianArchive.Unpacked> system, Path file)
            throws IOException {
        List<Map<String, Object>> components = libraries(packaged);
        components.add(java(packaged.java()));
        for (DebianArchive.Unpacked each : system) {
            components.add(debian(each));
        }
        write(packaged, "?arch=" + packaged.target().debian, components, file);
    }

    /// The bill of the distribution, which has no Java; it is made elsewhere.
    static Path ofDistribution(Packaged packaged, Path out) throws IOException {
        Path bill = Packaged.bill(out.resolve(packaged.distribution().name() + ".tar.gz"));
        write(packaged, "", libraries(packaged), bill);
        return bill;
    }

    private static List<Map<String, Object>> libraries(Packaged packaged) throws IOException {
        List<Map<String, Object>> components = new ArrayList<>();
        for (Library library : packaged.libraries()) {
            components.add(library(packaged, library));
        }
        return components;
    }

    private static void write(
            Packaged packaged, String qualifier, List<Map<String, Object>> components, Path file)
            throws IOException {
        String version = packaged.distribution().version();
        Map<String, Object> program = new LinkedHashMap<>();
        program.put("type", "application");
        program.put("name", "margay");
        program.put("version", version);
        program.put("licenses", List.of(Map.of("license", Map.of("id", "Apache-2.0"))));
        String purl = "pkg:generic/margay@" + version + qualifier;
        program.put("purl", purl);
        program.put("bom-ref", purl);
        Json.write(
                file,
                Map.of(
                        "bomFormat",
                        "CycloneDX",
                        "specVersion",
                        "1.6",
                        "version",
                        1,
                        "metadata",
                        Map.of("timestamp", Folders.CHANGED.toString(), "component", program),
                        "components",
                        components));
    }

    private static Map<String, Object> library(Packaged packaged, Library library)
            throws IOException {
        Map<String, Object> component = new LinkedHashMap<>();
        library.component().forEach((name, value) -> component.put(String.valueOf(name), value));
        component.put("bom-ref", component.get("purl") + "#" + library.path());
        String digest = Folders.digest(packaged.distribution().folder().resolve(library.path()));
        component.put("hashes", List.of(Map.of("alg", "SHA-256", "content", digest)));
        component.put(
                "evidence", Map.of("occurrences", List.of(Map.of("location", library.path()))));
        component.remove("scope");
        return component;
    }

    private static Map<String, Object> java(Path java) throws IOException {
        Map<String, String> said = new LinkedHashMap<>();
        Matcher line = RELEASE.matcher(Files.readString(java.resolve("release")));
        while (line.find()) {
            said.put(line.group(1), line.group(2));
        }
        String version = said.getOrDefault("JAVA_RUNTIME_VERSION", said.get("JAVA_VERSION"));
        String purl = "pkg:generic/openjdk@" + version;
        return Map.of(
                "type",
                "platform",
                "name",
                "openjdk",
                "publisher",
                said.getOrDefault("IMPLEMENTOR", "OpenJDK"),
                "version",
                version,
                "licenses",
                List.of(Map.of("expression", "GPL-2.0-only WITH Classpath-exception-2.0")),
                "cpe",
                "cpe:2.3:a:oracle:openjdk:" + said.get("JAVA_VERSION") + ":*:*:*:*:*:*:*",
                "purl",
                purl,
                "bom-ref",
                purl);
    }

    private static Map<String, Object> debian(DebianArchive.Unpacked unpacked) {
        String purl =
                "pkg:deb/debian/%s@%s?arch=%s&distro=debian-%s"
                        .formatted(
                                unpacked.field("Package"),
                                unpacked.field("Version").replace(":", "%3A").replace("+", "%2B"),
                                unpacked.field("Architecture"),
                                DebianArchive.RELEASE);
        return Map.of(
                "type",
                "library",
                "name",
                unpacked.field("Package"),
                "version",
                unpacked.field("Version"),
                "purl",
                purl,
                "bom-ref",
                purl);
    }
}
